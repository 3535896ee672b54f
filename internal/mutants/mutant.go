package mutants

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// Panic stands for a property when the mutated core panics.
const Panic = mutation.Panic

// Mutant is a small breakage of the core and who must catch it: a model; or, where the smallest map
// that shows it has too many states for a model, a script or a scenario of the simulator.
type Mutant struct {
	Name     string
	File     string // below protocol/
	Old, New string // Old occurs exactly once
	Why      string // why it is wrong
	Model    string // of the catalogue: it must catch the mutant
	Property string // that breaks in the model, or Panic
	Script   string // instead of both: of the testdata of the core, it must come out differently
	Scenario string // instead of all that: a scenario that must break while the models of the core do not,
	Seeds    uint64 // within so many seeds, from 1
}

// All lists the mutants.
func All() []Mutant {
	return slices.Concat(
		rounds, promises, failures, neighbourhoods, geometry, sharpened, epochs,
		refinement,
		representatives,
		orphans,
		peers,
		store,
		trees,
		muster,
		leases,
		custody,
		placement,
		large,
	)
}

// Core is the prefix of the names of the models of the mutant's core: the geometry is the map's.
func (m Mutant) Core() string {
	core, _, _ := strings.Cut(m.File, "/")
	switch core {
	case "space":
		return "can"
	case "match":
		return "reptask"
	}
	return core
}

// Edit is the mutant for package mutation.
func (m Mutant) Edit() mutation.Edit {
	return mutation.Edit{Name: m.Name, File: "protocol/" + m.File, Old: m.Old, New: m.New}
}
