package mutants

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Panic stands for a property when the mutated core panics.
const Panic = "panic"

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
		large,
	)
}

// Program is the checking program of the family that the mutant's model is of.
func (m Mutant) Program() string {
	family, _, _ := strings.Cut(m.Model, "/")
	return "./internal/mutants/check/" + family
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

// Probe is the program that tries all methods on the mutant. That of the grid is for all cores of
// which a node of the grid is made.
func (m Mutant) Probe() string {
	switch core := m.Core(); core {
	case "refine", "reptask", "peer":
		return "./internal/mutants/probe/peer"
	default:
		return "./internal/mutants/probe/" + core
	}
}

// Overlay writes a mutated copy of the file and the overlay for it into a folder, and returns the
// path of the overlay. Root is the folder of the module.
func (m Mutant) Overlay(root, folder string) (string, error) {
	return Overlay(m.Name, root, "protocol/"+m.File, m.Old, m.New, folder)
}

// Overlay does the same for any file of the module: old, which occurs once in it, becomes replaced.
func Overlay(name, root, file, old, replaced, folder string) (string, error) {
	source := filepath.Join(root, filepath.FromSlash(file))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), old); n != 1 {
		return "", fmt.Errorf("mutant %s: the old text occurs %d times in %s, not once: fit the mutant to the code",
			name, n, file)
	}
	mutated := filepath.Join(folder, "mutated.go")
	if err := os.WriteFile(mutated, []byte(strings.Replace(string(text), old, replaced, 1)), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: mutated}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o600)
}

// BuildArgs are the arguments of go that build a program of this package's folders with an overlay,
// or without if it is empty. Without inlining the models compile in two thirds of the time, and
// check about as fast.
func BuildArgs(binary, overlay, program string) []string {
	args := []string{"build", "-ldflags=-s -w", "-gcflags=github.com/canvass-grid/canvass/model/...=-l", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	return append(args, program)
}

// Verdict is what check prints about one model.
type Verdict struct {
	Model    string   `json:"model"`
	Verdict  string   `json:"verdict"`            // holds, violated, inconclusive or panic
	Property []string `json:"property,omitempty"` // what is violated and not declared to be
	States   uint64   `json:"states"`
	Panic    string   `json:"panic,omitempty"`
}
