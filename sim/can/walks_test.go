package can

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
	for _, do := range []string{opJoin, opLeave, walks.Fails, walks.Returns, walks.Lose, walks.Repeat, walks.Early} {
		assert.Greater(t, met[do], 30, do)
	}
}

// Operations say what may happen; steps have no part in that.
func TestSystemOfAPlan(t *testing.T) {
	p := &sim.Plan{Nodes: 4, Founders: 3, Shape: 1, Ops: []sim.Op{
		{Do: opJoin, Node: 3, Arg: 1}, {Do: opLeave, Node: 2}, {Do: walks.Fails, Node: 0}, {Do: walks.Returns, Node: 0}, {Do: walks.Lose}, {Do: walks.Lose}, {Do: walks.Repeat}, {Do: walks.Early},
		{Do: "step deliver", Node: 1, Arg: 7},
	}}
	system, err := systemOf(p)
	require.NoError(t, err)
	b := system.Info().Budget
	assert.Equal(t, []int{1, 1, 2, 1, 1}, []int{b.Crash, b.Restart, b.Drop, b.Duplicate, b.Spurious})
	assert.Equal(t, "3 zones, 1 join, 1 leave", system.Info().Bounds)
}

// What makes no system is an error that says why.
func TestPlansOfNoSystem(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(p *sim.Plan)
	}{
		{"an unknown operation", `no operation "dance"`, func(p *sim.Plan) { p.Ops = []sim.Op{{Do: "dance"}} }},
		{"a founder joins", "the first 2 nodes are founders", func(p *sim.Plan) { p.Ops = []sim.Op{{Do: opJoin, Node: 1}} }},
		{"a join by nobody", "joins by node 7", func(p *sim.Plan) { p.Ops = []sim.Op{{Do: opJoin, Node: 2, Arg: 7}} }},
		{"all fail", "at least one node must survive", func(p *sim.Plan) {
			p.Ops = []sim.Op{{Do: walks.Fails}, {Do: walks.Fails, Node: 1}, {Do: walks.Fails, Node: 2}}
		}},
		{"nobody is there", "at least one", func(p *sim.Plan) { p.Founders = 0 }},
		{"a crowd", "at most", func(p *sim.Plan) { p.Nodes, p.Founders = 30, 30 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &sim.Plan{Nodes: 3, Founders: 2, Shape: 2}
			c.change(p)
			_, err := walked().Run(p, sim.RunOptions{})
			require.ErrorIs(t, err, sim.ErrPlan)
			assert.ErrorContains(t, err, c.want)
		})
	}
}
