package reptask

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := map[string][]string{
		"reptask/bursts": {
			reptask.EventAccept, reptask.EventCancelled, reptask.EventFailed, reptask.EventRequeue, reptask.EventMove,
			reptask.EventStop, reptask.EventExpired, reptask.EventVacant, reptask.EventOrphan, reptask.EventAdopt, "crash",
		},
		"reptask/duels": {
			reptask.EventAccept,
			reptask.EventCancelled,
			reptask.EventMove,
			reptask.EventOrphan,
			reptask.EventAdopt,
			"crash",
		},
		"reptask/heirs": {reptask.EventAccept, reptask.EventOrphan, reptask.EventAdopt, reptask.EventVacant, "crash"},
		"reptask/leases": {
			reptask.EventAccept, reptask.EventRequeue, reptask.EventStop, reptask.EventExpired, reptask.EventVacant,
			reptask.EventResign,
		},
		"reptask/limit-long-cuts": {reptask.EventAccept, reptask.EventAdopt, reptask.EventVacant},
	}
	for _, w := range clocked() {
		counts, stats, violated := map[string]int{}, sim.Stats{}, 0
		for seed := range uint64(200) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			if r.Property == "" || w.Expected[r.Property] == "" {
				assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			} else {
				violated++
			}
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Restarts += r.Stats.Restarts
			stats.Dropped += r.Stats.Dropped
			stats.Cut += r.Stats.Cut
		}
		for _, name := range wanted[w.Name] {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		leases := w.Name == "reptask/leases" || w.Name == "reptask/limit-long-cuts"
		assert.Equal(t, (len(w.Expected) > 0), violated > 0, w.Name)
		assert.Equal(t, !leases, stats.Dropped > 0, w.Name)
		assert.Equal(t, w.Name == "reptask/bursts", stats.Restarts > 0, w.Name)
		assert.Equal(t, leases, stats.Cut > 0, w.Name)
	}
}

// Live nodes are falsely suspected in scenarios with partitions, and only there.
func TestLeasesExpire(t *testing.T) {
	for _, w := range clocked() {
		expired, crashed := 0, uint64(0)
		for seed := range uint64(50) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			if r.Stats.Crashes == 0 {
				expired += r.Counts[reptask.EventExpired]
			}
			crashed += r.Stats.Crashes
		}
		leases := w.Name == "reptask/leases" || w.Name == "reptask/limit-long-cuts"
		assert.Equal(t, leases, expired > 0, w.Name)
		assert.Equal(t, leases, crashed == 0, w.Name)
	}
}

// clocked lists the scenarios in virtual time.
func clocked() []*sim.Scenario {
	return slices.DeleteFunc(Scenarios(), func(w *sim.Scenario) bool { return w.Name == walkScenario().Name })
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops[0].Do = "dance" },
		"ticket":    func(p *sim.Plan) { p.Ops = []sim.Op{{Do: opSubmit}} },
		"twice":     func(p *sim.Plan) { p.Ops = []sim.Op{{Do: opSubmit, Arg: 1}, {Do: opSubmit, Arg: 1}} },
		"nodes":     func(p *sim.Plan) { p.Nodes = 1 },
		"latency":   func(p *sim.Plan) { p.Latency = "slow" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
}
