package mutants

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutation"
	"github.com/canvass-grid/canvass/internal/share"
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
	Seeds    uint64 // within this many seeds, from 1
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

// Choice is the variable of the environment that says which mutants are tried: "all" of them, some
// by name with commas between them, a share such as "2/4", "none", or, if it is empty, a few. All
// of them take minutes: "make test" tries a few, "make mutants" all.
const Choice = "CANVASS_MUTANTS"

// Chosen returns the mutants of a table to try: all, a share, none, or a few that lie far apart.
// The shares 1/n to n/n together are all.
func Chosen[T any](all []T, few int, edit func(T) mutation.Edit) (some []T, err error) {
	switch choice := os.Getenv(Choice); choice {
	case "":
		return share.Named(all, fmt.Sprintf("1/%d", max(1, (len(all)+few-1)/few)))
	case "all":
		return all, nil
	case "none":
		return nil, nil
	default:
		if strings.Contains(choice, "/") {
			some, err = share.Named(all, choice)
			if err != nil {
				return nil, fmt.Errorf("%s: %w; or all, none, names, or nothing for a few", Choice, err)
			}
			return some, nil
		}
		names := strings.Split(choice, ",")
		return slices.DeleteFunc(slices.Clone(all), func(m T) bool { return !slices.Contains(names, edit(m).Name) }), nil
	}
}
