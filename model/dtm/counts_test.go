package dtm

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
		"dtm/join":              {15, 14},
		"dtm/two-join":          {340, 576},
		"dtm/leave-adjacent":    {1102, 3495},
		"dtm/leave-all":         {5397, 21595},
		"dtm/crash-leaver":      {511, 1641},
		"dtm/join-leave-anchor": {151, 228},
		"dtm/join-leave-row":    {541, 1121},
		"dtm/near":              {481, 1123},
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
