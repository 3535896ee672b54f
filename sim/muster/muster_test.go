package muster

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := []string{
		muster.EventGo, muster.EventHalt, muster.EventUnrun, muster.EventOutcome, muster.EventFinish, muster.EventClosed,
		muster.EventEnd,
	}
	for _, w := range Scenarios() {
		counts, stats := map[string]int{}, sim.Stats{}
		for seed := range uint64(400) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Dropped += r.Stats.Dropped
			stats.Duplicated += r.Stats.Duplicated
			stats.Crashes += r.Stats.Crashes
		}
		for _, name := range wanted {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		crashes := w.Name == "muster/crashes"
		assert.Positive(t, stats.Dropped)
		assert.Positive(t, stats.Duplicated)
		assert.Equal(t, crashes, stats.Crashes > 0, w.Name)
		assert.Equal(t, crashes, counts[muster.EventKill] > 0, w.Name)
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = maxNodes + 1 },
		"no nodes":  func(p *sim.Plan) { p.Nodes = 0 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
