package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
)

// scenarioObject is a scenario in JSON. The help topic json describes the fields.
type scenarioObject struct {
	Schema   int    `json:"schema"`
	Scenario string `json:"scenario"`
	Expected string `json:"expected"`
	Doc      string `json:"doc"`
}

// listScenarios lists scenarios: one line each, a table, or JSON.
func (t *tool) listScenarios(all []*sim.Scenario, verbose bool) error {
	if t.stdout.WantsJSON() {
		for _, s := range all {
			if err := t.stdout.JSON(scenarioObject{cli.Schema, s.Name, scenarioExpectation(s),
				cli.OneLine(s.Doc)}); err != nil {
				return err
			}
		}
		return nil
	}
	if verbose {
		table := cli.NewTabs(t.stdout)
		fmt.Fprintln(table, "SCENARIO\tEXPECTED\tDOC")
		for _, s := range all {
			fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, scenarioExpectation(s), cli.OneLine(s.Doc))
		}
		return table.Flush()
	}
	var entries []entry
	for _, s := range all {
		e := entry{s.Name, "holds", cli.OneLine(s.Doc)}
		if len(s.Expected) > 0 {
			e.expected = "fails"
		}
		entries = append(entries, e)
	}
	return list(t.stdout, "SCENARIO", entries)
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
		return nil, errEmptyPattern
	}
	chosen := map[string]bool{}
	for _, p := range patterns {
		found := false
		for _, s := range all {
			if name := s.Name; name == p || matches(p, name) && scenarioNamed(all, p) == nil {
				found, chosen[name] = true, true
			}
		}
		if !found {
			return nil, cli.Usagef("%s", noScenario(all, p))
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

// matches reports whether a pattern matches a name: the whole of it if the pattern has * or ?, and
// otherwise a part.
func matches(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + quoted + "$").MatchString(name)
}

// noScenario says that no scenario has a name, and which may be meant.
func noScenario(all []*sim.Scenario, name string) string {
	if now := catalog.CurrentName(name); now != name {
		return fmt.Sprintf("%q is called %q now", name, now)
	}
	return fmt.Sprintf("there is no scenario %q; %s", name,
		meant(name, scenarioNames(all), "\"canvass simulate --list\" lists them"))
}

// meant proposes a name for one that is not there, or a pattern for one that matches no whole name.
func meant(name string, names []string, otherwise string) string {
	if !strings.ContainsAny(name, "*?") {
		return usage.Meant(name, names, otherwise)
	}
	for _, p := range []string{"*" + name, name + "*", "*" + name + "*"} {
		wider := strings.ReplaceAll(p, "**", "*")
		if slices.ContainsFunc(names, func(n string) bool { return matches(wider, n) }) {
			return fmt.Sprintf("a pattern matches whole names; did you mean %q?", wider)
		}
	}
	return otherwise
}

// scenarioNamed returns the scenario of a name; nil if there is none.
func scenarioNamed(all []*sim.Scenario, name string) *sim.Scenario {
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
	return scenarioNames(t.scenarios()), cobra.ShellCompDirectiveNoFileComp
}
