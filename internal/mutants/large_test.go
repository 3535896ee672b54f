package mutants_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// enough bounds the states of each model that must not catch a mutant of a scenario. The models of
// the default run are some dozens a core; to search them whole takes about a minute a mutant.
const enough = 10_000

// onlyScenario demands that the scenario finds the mutant within its seeds, that no model of the
// default run does, and that the scenario finds nothing in the core as it is. A core that panics
// would be caught anyhow.
func onlyScenario(t *testing.T, m mutants.Mutant) {
	t.Helper()
	e := probe(t, m.Name, m, m.Core())
	if e.Scenarios.Found == 0 || e.Scenarios.Property == mutants.Panic {
		t.Errorf("%s does not find it within %d seeds (%s): %+v", m.Scenario, m.Seeds, m.Why, e.Scenarios)
	}
	switch {
	case e.Checker.Found > 0:
		t.Errorf("%s catches it by %s: let that be its model", e.Checker.Where, e.Checker.Property)
	case e.Checker.Tried == 0:
		t.Errorf("no model of %s was checked", m.Core())
	}
	if e := probe(t, "", m, ""); e.Scenarios.Tried != m.Seeds {
		t.Errorf("%s, on the core as it is: %+v", m.Scenario, e.Scenarios)
	}
}

// TestLarge demands that mutants of scenarios are needed.
func TestLarge(t *testing.T) {
	large, cores := 0, map[string]bool{}
	for _, m := range mutants.All() {
		if m.Scenario != "" {
			large++
			cores[m.Core()] = true
		}
	}
	assert.GreaterOrEqual(t, large, 6)
	assert.GreaterOrEqual(t, len(cores), 4)
}

// probe runs the mutant's scenario, and checks the models of a core, if one is named.
func probe(t *testing.T, on string, m mutants.Mutant, models string) mutation.Effort {
	t.Helper()
	asked := mutation.Measure{Models: models, States: enough, Scenarios: m.Scenario, Seeds: m.Seeds}
	answers, silent, err := built(t).Ask(on, mutation.Request{Measure: &asked}, patience)
	require.NoError(t, err)
	require.False(t, silent, "it does not end")
	require.NotEmpty(t, answers)
	require.NotNil(t, answers[0].Effort, answers[0].Killed)
	return *answers[0].Effort
}
