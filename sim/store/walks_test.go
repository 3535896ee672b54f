package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
)

// All that a plan of walks may ask for is drawn, and every plan is one of a system.
func TestWalksAreDrawn(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(300) {
		p := walked().Draw(seed)
		require.NoError(t, p.Validate())
		system, err := systemOf(p)
		require.NoError(t, err, p)
		assert.Equal(t, p.Nodes, system.Info().Nodes)
		for _, op := range p.Ops {
			met[op.Do]++
		}
	}
	for _, do := range []string{opJoin, opLeave, opGet, opPut, opCAS, walks.Fails, walks.Returns, walks.Lose, walks.Repeat, walks.Early} {
		assert.Greater(t, met[do], 20, do)
	}
}

// Walks hold, and what clients were told was judged.
func TestWalksHold(t *testing.T) {
	for seed := range uint64(20) {
		r, err := walked().Run(walked().Draw(seed), sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, sim.Holds, r.Verdict, "seed %d: %s", seed, r.Where)
		assert.Positive(t, r.Counts["rests"])
	}
	assert.Equal(t, "always", walked().Shape("Linearizable"))
	assert.Equal(t, "quiescent", walked().Shape("Ended"))
}

// What makes no system is an error that says why.
func TestPlansOfNoSystem(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(p *sim.Plan)
	}{
		{"an unknown operation", `no operation "dance"`, func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} }},
		{"a founder joins", "the first 2 nodes are founders", func(p *sim.Plan) { p.Ops = []sim.Op{{Do: opJoin, Node: 1}} }},
		{"one number for two calls", "have the ID 3", func(p *sim.Plan) {
			p.Ops = []sim.Op{{Do: opPut, Arg: argument(0, 3, 0)}, {Do: opGet, Arg: argument(1, 3, 0)}}
		}},
		{"all fail", "at least one node must survive", func(p *sim.Plan) {
			p.Ops = []sim.Op{{Do: walks.Fails}, {Do: walks.Fails, Node: 1}, {Do: walks.Fails, Node: 2}}
		}},
		{"a crowd", "room for 16", func(p *sim.Plan) { p.Nodes = 17 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &sim.Plan{Nodes: 3, Founders: 2, Shape: 2, Latency: "constant 50000"}
			c.change(p)
			_, err := walked().Run(p, sim.RunOptions{})
			require.ErrorIs(t, err, sim.ErrPlan)
			assert.ErrorContains(t, err, c.want)
		})
	}
}
