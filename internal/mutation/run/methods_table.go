package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

const header = "| mutant | model | checker: states | PCT: walks | random: walks | scenarios: seeds " +
	"|\n|---|---|---|---|---|---|\n"

// row is the row of a mutant.
func row(m mutants.Mutant, e mutation.Effort) string {
	model, states := m.Model, e.Checker.Cell()
	switch {
	case m.Scenario != "":
		model = "all of " + m.Core() + "/…"
	case m.Model == "":
		states = "a script"
	}
	seeds := e.Scenarios.Cell()
	if e.Scenarios.Found > 0 {
		seeds += " (" + e.Scenarios.Where + ")"
	}
	return "| " + strings.Join([]string{m.Name, model, states, e.PCT.Cell(), e.Random.Cell(), seeds}, " | ") + " |"
}

// render prints the table of the measurements, in the order of the mutants. The last measurement of
// a mutant counts. One of an unknown mutant is an error: the table has changed since.
func render(to io.Writer, all []mutants.Mutant, lines []line) error {
	last := map[string]mutation.Effort{}
	for _, l := range lines {
		last[l.Mutant] = l.Effort
	}
	fmt.Fprint(to, header)
	for _, m := range all {
		if e, ok := last[m.Name]; ok {
			fmt.Fprintln(to, row(m, e))
			delete(last, m.Name)
		}
	}
	for name := range last {
		return fmt.Errorf("no mutant is named %q: it was measured before it was renamed or taken out", name)
	}
	return nil
}
