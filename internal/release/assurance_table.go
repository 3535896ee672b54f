package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
	models "github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// protocolRow is a protocol and the evidence for it, apart from its models.
type protocolRow struct {
	name     string
	packages []string // below protocol/, whose systematic mutants count
	proofs   string   // folder of proofs
}

// protocolRows lists the protocols. The geometry is the map's.
var protocolRows = []protocolRow{
	{"can", []string{"can", "space"}, "zones"},
	{"refine", []string{"refine"}, "symmetry"},
	{"reptask", []string{"reptask"}, ""},
	{"peer", []string{"peer"}, ""},
	{"store", []string{"store"}, ""},
	{"dtm", nil, ""},
	{"muster", []string{"muster"}, ""},
	{"lease", []string{"lease"}, ""},
	{"custody", []string{"custody"}, ""},
	{"placement", nil, ""},
	{"published/can", nil, ""},
	{"published/refine", nil, ""},
	{"published/reptask", nil, ""},
	{"published/dtm", nil, ""},
}

// faultOrder is the order in which budgets are named.
var faultOrder = []struct{ field, name string }{
	{"drop", "drop"}, {"duplicate", "duplicate"}, {"late", "late"}, {"spurious", "premature timeout"},
	{"crash", "crash"}, {"restart", "restart"}, {"suspect", "false suspicion"},
	{"repeat", "unbounded duplication"}, {"adversarial", "adversarial delivery"},
}

const assuranceHead = "| protocol | models | up to | states | properties with cases | " +
	"mutants caught by model, script, scenario | systematic mutants killed, by check | " +
	"scenarios | twins | theorems |\n|---|---|---|---|---|---|---|---|---|---|\n"

// assuranceTable makes the table.
func assuranceTable(root string, check map[string]checked) (string, error) {
	systematic, err := systematic(root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(assuranceHead)
	for _, r := range protocolRows {
		c, known := check[r.name]
		if !known {
			return "", fmt.Errorf("the last check has no models of %s; run make tables WHAT=assurance", r.name)
		}
		if now := defaultModels(r.name); now != c.Models {
			return "", fmt.Errorf("%s has %s, the last check had %d; run make tables WHAT=assurance",
				r.name, english.Count(now, "model"), c.Models)
		}
		twin, err := twins(root, r.name)
		if err != nil {
			return "", err
		}
		proved, err := theorems(root, r.proofs)
		if err != nil {
			return "", err
		}
		cells := []string{
			"`" + r.name + "`", modelsCell(c), boundsCell(c), english.Grouped(c.States),
			fmt.Sprintf("%d of %d", c.Properties-c.Untested, c.Properties),
			chosenCell(r.name), systematicCell(r, systematic), scenariosCell(r.name), dash(twin), dash(number(proved)),
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String(), nil
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func modelsCell(c checked) string {
	if c.Failing == 0 {
		return fmt.Sprint(c.Models)
	}
	return fmt.Sprintf("%d (%d expected to fail)", c.Models, c.Failing)
}

func boundsCell(c checked) string {
	all := []string{english.Count(c.Nodes, "node")}
	for _, f := range faultOrder {
		n := c.Faults[f.field]
		switch {
		case n == 0:
		case f.field == "repeat" || f.field == "adversarial":
			all = append(all, f.name)
		default:
			all = append(all, english.Count(n, f.name))
		}
	}
	return strings.Join(all, ", ")
}

// defaultModels counts the models of the default run.
func defaultModels(name string) int {
	n := 0
	for _, m := range models.All() {
		if info := m.Info(); !info.Deep && protocolOf(info.Name) == name {
			n++
		}
	}
	return n
}

// chosenCell counts the mutants that people chose.
func chosenCell(name string) string {
	var byModel, byScript, byScenario int
	for _, m := range mutants.All() {
		switch {
		case m.Core() != name:
		case m.Script != "":
			byScript++
		case m.Scenario != "":
			byScenario++
		default:
			byModel++
		}
	}
	if byModel+byScript+byScenario == 0 {
		return "–"
	}
	return fmt.Sprintf("%d, %d, %d", byModel, byScript, byScenario)
}

// systematic counts the systematic mutants by package below protocol/.
func systematic(root string) (map[string]mutation.Counts, error) {
	all, err := mutation.List(root)
	if err != nil {
		return nil, err
	}
	record, err := mutation.ReadRecord(root)
	if err != nil {
		return nil, err
	}
	reasons, err := mutation.ReadReasons(root)
	if err != nil {
		return nil, err
	}
	return mutation.Tally(all, record, reasons, func(m mutation.Mutant) string {
		return strings.TrimPrefix(m.Package, "protocol/")
	}), nil
}

func systematicCell(r protocolRow, all map[string]mutation.Counts) string {
	var sum mutation.Counts
	for _, name := range r.packages {
		sum.Add(all[name])
	}
	if sum.All == 0 {
		return "–"
	}
	return fmt.Sprintf("%s of %s, %s", sum.Share(sum.Killed()), english.Grouped(uint64(sum.All)), sum.Share(sum.Check))
}

func scenariosCell(name string) string {
	n := 0
	for _, s := range scenarios.All() {
		if protocolOf(s.Name) == name {
			n++
		}
	}
	return dash(number(n))
}

// missingRows returns the protocols of a report that the table lacks.
func missingRows(check map[string]checked) []string {
	var all []string
	for name := range check {
		if !slices.ContainsFunc(protocolRows, func(r protocolRow) bool { return r.name == name }) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
