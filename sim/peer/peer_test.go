package peer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// The events that the scenarios are about happen in them.
func TestScenarios(t *testing.T) {
	wanted := map[string][]string{
		"peer/jobs": {
			"owned", "tasks:submit", "tasks:decide", "tasks:accept", "tasks:cancelled", "tasks:failed", "tasks:requeue",
			"tasks:stop",
			"refine:committed", "refine:deny", "refine:defer", "refine:released",
		},
		"peer/churn": {
			"joined",
			"left",
			"crash",
			"tasks:expired",
			"tasks:vacant",
			"tasks:adopt",
			"refine:removed",
			"refine:failed",
			"tasks:accept",
		},
		"peer/drift":  {"drifted", "refine:steady", "refine:released", "refine:defer", "tasks:accept"},
		"peer/duels":  {"joined", "left", "crash", "tasks:accept"},
		"peer/search": {"search", "found", "unmatched: nobody can run it", "left", "crash", "tasks:accept"},
		"peer/moves":  {"balanced", "tasks:move", "tasks:accept", "tasks:withdraw"},
		"peer/predicted": {
			"tree:joined", "tree:moved", "tree:left", "tree:failed", "crash", "left", "tasks:accept", "members found",
		},
		"peer/slow":   {"crash", "tasks:accept", "tasks:expired", "refine:removed"},
		"peer/faults": {"lost", "crash", "tasks:accept", "tasks:withdraw", "refine:removed"},
	}
	for _, w := range Scenarios() {
		counts, stats := map[string]int{}, sim.Stats{}
		for seed := range uint64(20) {
			r, err := w.Run(w.Draw(seed), sim.RunOptions{})
			require.NoError(t, err)
			assert.Equal(t, sim.Holds, r.Verdict, "%s, seed %d: %s %s", w.Name, seed, r.Property, r.Where)
			for name, n := range r.Counts {
				counts[name] += n
			}
			stats.Dropped += r.Stats.Dropped
			stats.Duplicated += r.Stats.Duplicated
		}
		for _, name := range wanted[w.Name] {
			assert.Positive(t, counts[name], "%s: %s", w.Name, name)
		}
		if w.Name == predicted {
			found, near := counts["members found"], counts["members near"]
			assert.GreaterOrEqual(t, found, near*95/100, "of the members that are near, %d of %d are found", found, near)
		}
		faulty := w.Name != "peer/jobs" && w.Name != "peer/churn"
		assert.Equal(t, faulty, stats.Dropped > 0 && stats.Duplicated > 0, w.Name)
	}
}

// A second answer, a lost job, and a second run without a crash are seen and drawn.
func TestHistoryThatViolatesTheService(t *testing.T) {
	for name, spoil := range map[string]func(j *job){
		"answered twice": func(j *job) {
			j.attempted(1<<20, j.owner, protocol.Event{Name: tasksAccept, Peer: j.Owner, Number: 9999})
		},
		"lost": func(j *job) { j.state, j.owner.Address = linear.Queued, j.owner.Address+1<<20 },
		"runs again": func(j *job) {
			j.attempted(1<<20, j.owner, protocol.Event{Name: tasksStart, Peer: j.Owner, Number: 9999})
		},
	} {
		p := Scenarios()[0].Draw(1)
		r, err := newRun(p, sim.RunOptions{})
		require.NoError(t, err)
		result, err := r.finish()
		require.NoError(t, err)
		require.Equal(t, sim.Holds, result.Verdict)
		for _, j := range r.oracle.clients.jobs {
			if j.state == linear.Done {
				spoil(j)
				break
			}
		}
		draw, decided := r.oracle.checkHistory()
		assert.True(t, decided)
		broken, _ := r.oracle.Broken()
		assert.Equal(t, "JobService", broken, name)
		path := filepath.Join(t.TempDir(), "history.html")
		require.NoError(t, draw(path))
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Contains(t, string(page), "<html")
	}
}

// Impossible plans are errors.
func TestImpossiblePlans(t *testing.T) {
	w := Scenarios()[0]
	for name, change := range map[string]func(p *sim.Plan){
		"operation": func(p *sim.Plan) { p.Ops[0].Do = "dance" },
		"ticket":    func(p *sim.Plan) { p.Ops[0] = sim.Op{Do: opSubmit} },
		"twice":     func(p *sim.Plan) { p.Ops = append(p.Ops, p.Ops...) },
		"founder":   func(p *sim.Plan) { p.Founders = 0 },
		"many":      func(p *sim.Plan) { p.Nodes = maxNodes + 1 },
		"latency":   func(p *sim.Plan) { p.Latency = "plane 1" },
	} {
		p := w.Draw(3)
		change(p)
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrPlan, name)
	}
	assert.Empty(t, w.ShapeOf("Nonsense"))
	assert.NotEmpty(t, w.ShapeOf("NoOverlap"))
}
