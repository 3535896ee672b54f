package lease_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/lease"
	"github.com/canvass-grid/canvass/model"
)

func check(t *testing.T, m checker.Model) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), m, checker.Options{ContinueAfterViolation: true})
	require.NoError(t, err)
	require.True(t, r.Complete)
	return r
}

func TestSketch(t *testing.T) {
	hasty := check(t, lease.NewSketch(false))
	require.Equal(t, checker.Violated, hasty.Outcomes[0].Verdict)
	assert.Len(t, hasty.Outcomes[0].Path.Steps, 4, "lend, expire, lend")
	patient := check(t, lease.NewSketch(true))
	assert.Equal(t, checker.Holds, patient.Verdict())
	assert.Equal(t, uint64(5), patient.States)
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name              string
		clients, requests int
		late              bool
		budget            model.Budget
		states            uint64
		oneHolder         checker.Verdict
	}{
		{"early, 2 clients", 2, 1, false, model.Budget{}, 81, checker.Holds},
		{"early, 3 clients, 2 requests", 3, 2, false, model.Budget{}, 301_929, checker.Holds},
		{"early, faults of the network", 2, 2, false, model.Budget{Drop: 1, Duplicate: 1}, 58_425, checker.Holds},
		{"early, a crash", 2, 2, false, model.Budget{Crash: 1}, 5_173, checker.Holds},
		{"early, a fast clock", 2, 1, false, model.Budget{Spurious: 1}, 149, checker.Violated},
		{"late, 2 clients", 2, 1, true, model.Budget{}, 61, checker.Violated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := lease.New(test.clients, test.requests, test.late)
			require.NoError(t, err)
			m, err = m.With(test.budget)
			require.NoError(t, err)
			r := check(t, m.Model())
			assert.Equal(t, test.states, r.States)
			assert.Equal(t, test.oneHolder, r.Outcomes[0].Verdict)
			for _, o := range r.Outcomes[1:] {
				assert.Equal(t, checker.Holds, o.Verdict, o.Property.Name)
			}
		})
	}
}

// Clients are interchangeable. The test pins the number of states and of orbits: exploring one
// state of each orbit gives the same verdicts.
func TestOrbits(t *testing.T) {
	tests := []struct {
		clients, requests int
		late              bool
		states, orbits    uint64
	}{
		{2, 1, false, 81, 43},
		{4, 1, false, 7_713, 442},
		{3, 2, false, 301_929, 50_927},
		{4, 1, true, 3_457, 238},
	}
	for _, test := range tests {
		m, err := lease.New(test.clients, test.requests, test.late)
		require.NoError(t, err)
		safe := m.(model.Safe).Safety().Model()
		all := check(t, safe)
		r, err := checker.Check(context.Background(), safe, checker.Options{ContinueAfterViolation: true, Reduce: true})
		require.NoError(t, err)
		assert.Equal(t, []string{"symmetry"}, r.Reductions)
		assert.Equal(t, test.states, all.States)
		assert.Equal(t, test.orbits, r.States)
		for i, o := range all.Outcomes {
			assert.Equal(t, o.Verdict, r.Outcomes[i].Verdict, o.Property.Name)
		}
	}
}

// Fairness distinguishes clients: a client that waits forever for the lock is one of them.
func TestLivenessIsNotReduced(t *testing.T) {
	m, err := lease.New(3, 1, false)
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), m.Model(), checker.Options{Reduce: true})
	require.NoError(t, err)
	assert.Empty(t, r.Reductions)
	declined := `symmetry: property "Returns" depends on fairness, which distinguishes interchangeable parts`
	assert.Equal(t, []string{declined}, r.Declined)
	assert.Equal(t, uint64(761), r.States)
}
