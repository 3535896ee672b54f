package mutants_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// enough bounds the states of each model that must not catch a mutant of a scenario. The models of
// the default run are some dozens a core; to search them whole takes about a minute a mutant.
const enough = 10_000

// onlyScenario demands that the scenario finds the mutant within its seeds, and that no model of
// the default run does. A core that panics would be caught anyhow.
func onlyScenario(t *testing.T, overlay string, m mutants.Mutant) {
	t.Helper()
	e := probe(t, build(t, m.Probe(), overlay), m, m.Core())
	if e.Scenarios.Found == 0 || e.Scenarios.Property == mutants.Panic {
		t.Errorf("%s does not find it within %d seeds (%s): %+v", m.Scenario, m.Seeds, m.Why, e.Scenarios)
	}
	switch {
	case e.Checker.Found > 0:
		t.Errorf("%s catches it by %s: let that be its model", e.Checker.Where, e.Checker.Property)
	case e.Checker.Tried == 0:
		t.Errorf("no model of %s was checked", m.Core())
	}
}

// TestLarge holds the mutants of scenarios to what they are for, and demands that those scenarios
// find nothing in the core as it is.
func TestLarge(t *testing.T) {
	t.Parallel()
	if choice := os.Getenv(mutants.Choice); choice == "" || choice == "none" {
		t.Skipf("set %s, as make mutants does", mutants.Choice)
	}
	large, cores := 0, map[string]bool{}
	binaries := map[string]string{}
	for _, m := range mutants.All() {
		if m.Scenario == "" {
			continue
		}
		large++
		cores[m.Core()] = true
		if binaries[m.Probe()] == "" {
			binaries[m.Probe()] = build(t, m.Probe(), "")
		}
		if e := probe(t, binaries[m.Probe()], m, ""); e.Scenarios.Tried != m.Seeds {
			t.Errorf("%s, on the core as it is: %+v", m.Scenario, e.Scenarios)
		}
	}
	if large < 6 || len(cores) < 4 {
		t.Errorf("%d mutants of %d cores that only scenarios find are too few", large, len(cores))
	}
}

// probe runs the mutant's scenario, and checks the models of a core, if one is named.
func probe(t *testing.T, binary string, m mutants.Mutant, models string) (e mutants.Effort) {
	t.Helper()
	out, err := exec.Command(binary, "-models", models, fmt.Sprintf("-states=%d", enough), "-walks=0",
		"-scenarios", m.Scenario, fmt.Sprintf("-seeds=%d", m.Seeds)).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	if err == nil {
		err = json.Unmarshal(out, &e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}
