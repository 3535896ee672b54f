package dtm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	seeds := map[string]uint64{"dtm/bursts": 60, "dtm/churn": 6}
	for _, w := range Scenarios() {
		counts, stats := map[string]int{}, sim.Stats{}
		for seed := range seeds[w.Name] {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Crashes += r.Stats.Crashes
			stats.Restarts += r.Stats.Restarts
		}
		for _, name := range []string{
			dtm.EventJoined, dtm.EventFailed, dtm.EventRefused, dtm.EventAsks, dtm.EventMoved, dtm.EventLeft,
		} {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		assert.Positive(t, stats.Crashes, w.Name)
		assert.Positive(t, stats.Restarts, w.Name)
		assert.Zero(t, counts[dtm.EventOrphan], w.Name)
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops[0].Do = "dance" },
		"nodes":     func(p *sim.Plan) { p.Nodes = maxNodes + 1 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
