package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/store"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestSmallModels(t *testing.T) {
	counts := map[string]uint64{
		"store/row2/join": 23729, "store/row2/join-cas": 22367, "store/row2/leave": 1413, "store/tee/leave": 41969,
		"store/row3/leave":        21818,
		"store/row3/leaver-calls": 3384, "store/row3/leave-lookup": 7470, "store/row3/crash-lookup": 27174,
		"store/row3/crash":        22520,
		"store/row2/crash-rejoin": 23659, "store/row3/limit-crash": 776,
		"store/row2/join-giver-leaves": 11688, "store/row2/two-givers": 32686, "store/row3/crash-crash": 21221,
		"store/row2/few-decided": 593, "store/row2/limit-few-decided": 760, "store/row3/few-left": 2436,
		"store/row2/few-items": 87, "store/row2/few-operations": 47, "store/row3/few-tried": 1954,
	}
	for _, m := range store.Models() {
		want, small := counts[m.Info().Name]
		if !small {
			continue
		}
		delete(counts, m.Info().Name)
		t.Run(m.Info().Name, func(t *testing.T) {
			r, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			assert.Equal(t, want, r.States)
			declared := map[string]bool{}
			for _, e := range m.Info().Expected {
				declared[e.Property] = e.Violated
			}
			for _, o := range r.Outcomes {
				verdict := checker.Holds
				if declared[o.Property.Name] {
					verdict = checker.Violated
				}
				assert.Equal(t, verdict, o.Verdict, o.Property.Name)
			}
		})
	}
	assert.Empty(t, counts, "no such models")
}

// Under a larger budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	for _, m := range store.Models() {
		if m.Info().Name != "store/row2/leave" {
			continue
		}
		wider, err := m.With(model.Budget{Drop: 1, Duplicate: 1})
		require.NoError(t, err)
		r, err := checker.Check(context.Background(), wider.Model(), checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, checker.Holds, r.Verdict())
	}
}
