package refine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// The numbers of states and transitions are the same in every run and with any number of workers.
// If one changes, the core or its models have changed: find out why before you write the new one
// down.
func TestCounts(t *testing.T) {
	counts := map[string][2]uint64{
		"refine/pair":           {327, 708},
		"refine/one-head":       {163, 461},
		"refine/one-head-far":   {163, 461},
		"refine/two-heads":      {160, 288},
		"refine/chain":          {4927, 14898},
		"refine/late":           {609, 1896},
		"refine/struck":         {853, 2627},
		"refine/drift":          {5786, 22468},
		"refine/pair-drop":      {6795, 22056},
		"refine/one-head-dup":   {5158, 23171},
		"refine/one-head-crash": {1219, 3149},
		"refine/pair-restart":   {6668, 17970},
	}
	for _, m := range Models() {
		want, pinned := counts[m.Info().Name]
		if !pinned {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, [2]uint64{report.States, report.Transitions}, m.Info().Name)
		assert.Equal(t, checker.Holds, report.Verdict(), m.Info().Name)
		delete(counts, m.Info().Name)
	}
	assert.Empty(t, counts, "no such models")
}
