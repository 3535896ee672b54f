package walktest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
)

// Draws tests that every plan of a few hundred seeds has a system, and that all the given
// operations and all faults are drawn.
func Draws(t *testing.T, w *sim.Scenario, system func(*sim.Plan) (model.Checkable, error), operations ...string) {
	t.Helper()
	met := map[string]int{}
	for seed := range uint64(300) {
		p := w.Draw(seed)
		require.NoError(t, p.Validate())
		drawn, err := system(p)
		require.NoError(t, err, p)
		assert.Equal(t, p.Nodes, drawn.Info().Nodes)
		for _, op := range p.Ops {
			met[op.Do]++
		}
	}
	faults := []string{walks.Crash, walks.Restart, walks.Drop, walks.Duplicate, walks.Premature}
	for _, do := range slices.Concat(operations, faults) {
		assert.Greater(t, met[do], 20, do)
	}
}

// Holds tests that the walks of a few seeds hold and become quiescent, and that the scenario has
// the given properties of all states and of quiescent states.
func Holds(t *testing.T, w *sim.Scenario, always, quiescent string) {
	t.Helper()
	for seed := range uint64(20) {
		r, err := w.Run(w.Draw(seed), sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, r.Verdict, "seed %d: %s", seed, r.Where)
		assert.Positive(t, r.Counts["rests"])
	}
	assert.Equal(t, "always", w.ShapeOf(always))
	assert.Equal(t, "quiescent", w.ShapeOf(quiescent))
}

// Impossible is a change that makes a plan impossible, and a text that the error must contain.
type Impossible struct {
	Name, Want string
	Change     func(p *sim.Plan)
}

// With is a change that adds operations.
func With(ops ...sim.Op) func(p *sim.Plan) {
	return func(p *sim.Plan) { p.Ops = append(p.Ops, ops...) }
}

// Refuses tests that changes make a plan impossible. It adds changes that are impossible in every
// scenario.
func Refuses(t *testing.T, w *sim.Scenario, plan sim.Plan, cases ...Impossible) {
	t.Helper()
	plan.Latency = "constant 50000"
	p := plan
	_, err := w.Run(&p, sim.RunOptions{})
	require.NoError(t, err, "the plan without a change")
	var all []sim.Op
	for node := range plan.Nodes {
		all = append(all, sim.Op{Do: walks.Crash, Node: node})
	}
	cases = append(slices.Clone(cases),
		Impossible{Name: "an unknown operation", Want: `no operation "dance"`, Change: With(sim.Op{Do: "dance"})},
		Impossible{Name: "a node that is not there", Want: "node 99", Change: With(sim.Op{Do: walks.Drop, Node: 99})},
		Impossible{Name: "all fail", Want: "at least one node must survive", Change: With(all...)})
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			p := plan
			p.Ops = slices.Clone(plan.Ops)
			c.Change(&p)
			_, err := w.Run(&p, sim.RunOptions{})
			require.ErrorIs(t, err, sim.ErrPlan)
			assert.ErrorContains(t, err, c.Want)
		})
	}
}
