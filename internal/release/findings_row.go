package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/traces"
)

// Class says how far a finding goes.
type Class int

// The classes, in the order of the page.
const (
	Flaw           Class = iota // in every reading, on ordered links too
	Interpretation              // a plausible reading or ordered links mend it
	Silent                      // a fault that the text does not mention
)

// Row is a finding about a published algorithm.
type Row struct {
	Model      string // its name in the catalogue, with its interpretation
	Property   string // that fails
	Test       string // instead of Model: the evidence is a test, "TestName in package/path"
	Class      Class
	Fault      string // without an overtaken message, which the page adds
	What       string // happens
	Mended     string // of class Interpretation: the reading that mends it, or the readings that the text allows
	Other      bool   // it fails in every interpretation, in those of Mended for another reason
	Correction string // in the corrected core; of class Silent: the gap that a reader must fill
}

// Rows returns all findings about published algorithms.
func Rows() []Row { return slices.Concat(canRows(), refineRows(), reptaskRows(), claimRows()) }

// scenario is the model without its interpretation.
func (r Row) scenario() string {
	base, _, _ := strings.Cut(r.Model, "@")
	return base
}

// trace is the name of the counterexample in traces/corpus.
func (r Row) trace() string { return strings.ReplaceAll(r.Model, "/", "-") + "." + r.Property }

// steps counts the steps of the counterexample.
func (r Row) steps(root string) (int, error) {
	t, err := traces.ReadFile(filepath.Join(root, "traces", "corpus", r.trace()+".itf.json"))
	if err != nil {
		return 0, err
	}
	return len(t.Steps) - 1, nil
}

// scenario is a model without its interpretation, and the properties that rows name.
type scenario struct {
	name       string
	properties []string
}

// scenariosOf lists the scenarios of all rows, each once.
func scenariosOf(rows []Row) []scenario {
	var all []scenario
	for _, r := range rows {
		i := slices.IndexFunc(all, func(s scenario) bool { return s.name == r.scenario() })
		switch {
		case r.Model == "":
		case i < 0:
			all = append(all, scenario{r.scenario(), []string{r.Property}})
		case !slices.Contains(all[i].properties, r.Property):
			all[i].properties = append(all[i].properties, r.Property)
		}
	}
	return all
}
