package placement

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/placement"
	"github.com/canvass-grid/canvass/sim"
)

func TestScenarios(t *testing.T) {
	for _, w := range Scenarios() {
		counts, stats := map[string]int{}, sim.Stats{}
		for seed := range uint64(100) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Crashes += r.Stats.Crashes
		}
		for _, name := range []string{
			placement.EventSubmit, placement.EventRevoke, placement.EventAsk, placement.EventWait, placement.EventRest,
			placement.EventIgnore,
		} {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		assert.Equal(t, w.Name == "placement/crashes", stats.Crashes > 0)
	}
}

func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = 2 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
