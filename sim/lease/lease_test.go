package lease

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	for _, w := range Scenarios() {
		counts := map[string]int{}
		for seed := range uint64(100) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
		}
		for _, name := range []string{
			lease.EventLeased, lease.EventFounded, lease.EventFenced, lease.EventDead, lease.EventAlive, lease.EventRegrid,
		} {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = maxNodes + 1 },
		"drift":     func(p *sim.Plan) { p.DriftPPM = maxDrift + 1 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
