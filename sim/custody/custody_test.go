package custody

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := []string{
		custody.EventLeads, custody.EventAccepted, custody.EventSubmit, custody.EventPermitted, custody.EventClosed,
		custody.EventEnded, custody.EventYields,
	}
	for _, w := range Scenarios() {
		counts, stats := map[string]int{}, sim.Stats{}
		for seed := range uint64(300) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Dropped += r.Stats.Dropped
			stats.Duplicated += r.Stats.Duplicated
			stats.Crashes += r.Stats.Crashes
			stats.Restarts += r.Stats.Restarts
		}
		for _, name := range wanted {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		for _, name := range []string{custody.EventCancel, custody.EventForgotten} {
			assert.Equal(t, w.Name == cancels, counts[name] > 0, "%s: %s", w.Name, name)
		}
		assert.Positive(t, stats.Dropped)
		assert.Positive(t, stats.Duplicated)
		assert.Positive(t, stats.Crashes)
		assert.Positive(t, stats.Restarts)
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = custody.Most + 1 },
		"no nodes":  func(p *sim.Plan) { p.Nodes = 0 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
