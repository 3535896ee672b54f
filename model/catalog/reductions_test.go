package catalog_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

// smallModel is the number of states up to which models are checked twice.
const smallModel = 60_000

// reducible reports whether a check of the model has any reduction to apply.
func reducible(t *testing.T, m model.Checkable) bool {
	t.Helper()
	report, err := checker.Check(context.Background(), m.Model(), checker.Options{MaxStates: 1, Reduce: true})
	require.NoError(t, err)
	return len(report.Reductions) > 0
}

// Reductions change no verdict on any property of any model. Models that are too large are left to
// a run of the command with and without.
func TestReductionsChangeNoVerdict(t *testing.T) {
	tried, gained := 0, 0
	for _, m := range catalog.All() {
		if m.Info().Deep || !reducible(t, m) {
			continue
		}
		options := checker.Options{MaxStates: smallModel, ContinueAfterViolation: true}
		full, err := checker.Check(context.Background(), m.Model(), options)
		require.NoError(t, err)
		if full.Stopped == checker.StoppedByStates {
			continue
		}
		options.Reduce = true
		reduced, err := checker.Check(context.Background(), m.Model(), options)
		require.NoError(t, err)
		tried++
		if len(reduced.Reductions) > 0 && reduced.States < full.States {
			gained++
		}
		for i, o := range full.Outcomes {
			assert.Equal(t, o.Verdict, reduced.Outcomes[i].Verdict, "%s: %s", m.Info().Name, o.Property.Name)
		}
	}
	assert.GreaterOrEqual(t, tried, 30, "small models that can be reduced")
	assert.Greater(t, gained, 20, "models of which a reduction left anything out")
}
