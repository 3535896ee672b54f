package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
)

// ScenarioObject is a scenario in JSON. The help topic json describes the fields.
type ScenarioObject struct {
	Schema   int    `json:"schema"`
	Scenario string `json:"scenario"`
	Expected string `json:"expected"`
	Doc      string `json:"doc"`
}

// listScenarios lists scenarios: one line each, a table, or JSON.
func (t *tool) listScenarios(all []*sim.Scenario, verbose bool) error {
	if t.Stdout.WantsJSON() {
		for _, s := range all {
			if err := t.Stdout.JSON(ScenarioObject{cli.Schema, s.Name, scenarioExpectation(s),
				cli.OneLine(s.Doc)}); err != nil {
				return err
			}
		}
		return nil
	}
	if verbose {
		table := cli.NewTabs(t.Stdout)
		fmt.Fprintln(table, "SCENARIO\tEXPECTED\tDOC")
		for _, s := range all {
			fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, scenarioExpectation(s), cli.OneLine(s.Doc))
		}
		return table.Flush()
	}
	var entries []verdict.Entry
	for _, s := range all {
		e := verdict.Entry{Name: s.Name, Expected: "holds", Doc: cli.OneLine(s.Doc)}
		if len(s.Expected) > 0 {
			e.Expected = "fails"
		}
		entries = append(entries, e)
	}
	return verdict.List(t.Stdout, "SCENARIO", entries)
}

// scenarioExpectation is the expected verdict on a scenario: "holds" or "violated: P1, P2".
func scenarioExpectation(s *sim.Scenario) string {
	if len(s.Expected) == 0 {
		return "holds"
	}
	var violated []string
	for property := range s.Expected {
		violated = append(violated, property)
	}
	slices.Sort(violated)
	return "violated: " + strings.Join(violated, ", ")
}

// chooseScenarios returns the scenarios whose names match any of the patterns, or all without a
// pattern.
func chooseScenarios(all []*sim.Scenario, patterns []string) ([]*sim.Scenario, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	if slices.Contains(patterns, "") {
		return nil, verdict.ErrEmptyPattern
	}
	chosen := map[string]bool{}
	for _, p := range patterns {
		found := false
		for _, s := range all {
			if name := s.Name; name == p || verdict.Matches(p, name) && ScenarioNamed(all, p) == nil {
				found, chosen[name] = true, true
			}
		}
		if !found {
			return nil, cli.Usagef("%s", NoScenario(all, p))
		}
	}
	var scenarios []*sim.Scenario
	for _, s := range all {
		if chosen[s.Name] {
			scenarios = append(scenarios, s)
		}
	}
	return scenarios, nil
}

// NoScenario says that no scenario has a name, and which may be meant.
func NoScenario(all []*sim.Scenario, name string) string {
	if now := catalog.CurrentName(name); now != name {
		return fmt.Sprintf("%q is called %q now", name, now)
	}
	return fmt.Sprintf("there is no scenario %q; %s", name,
		verdict.Meant(name, scenarioNames(all), "\"canvass simulate --list\" lists them"))
}

// ScenarioNamed returns the scenario of a name; nil if there is none.
func ScenarioNamed(all []*sim.Scenario, name string) *sim.Scenario {
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func scenarioNames(all []*sim.Scenario) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

func (t *tool) completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarioNames(t.Scenarios()), cobra.ShellCompDirectiveNoFileComp
}
