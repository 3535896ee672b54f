package can

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
	"github.com/canvass-grid/canvass/sim/walks/walktest"
)

func TestWalks(t *testing.T) {
	walktest.Draws(t, walkScenario(), systemOf, opJoin, opLeave)
	walktest.Holds(t, walkScenario(), "NoOverlap", "ViewsAgree")
	walktest.Refuses(
		t,
		walkScenario(),
		sim.Plan{Nodes: 3, Founders: 2, Shape: 2},
		walktest.Impossible{
			Name:   "a founder joins",
			Want:   "the first 2 nodes are founders",
			Change: walktest.With(sim.Op{Do: opJoin, Node: 1}),
		},
		walktest.Impossible{
			Name:   "an unknown contact",
			Want:   "joins by node 7",
			Change: walktest.With(sim.Op{Do: opJoin, Node: 2, Arg: 7}),
		},
		walktest.Impossible{Name: "no founders", Want: "at least one", Change: func(p *sim.Plan) { p.Founders = 0 }},
		walktest.Impossible{
			Name:   "too many nodes",
			Want:   "at most",
			Change: func(p *sim.Plan) { p.Nodes, p.Founders = 30, 30 },
		},
	)
}

// Operations, and not steps, determine the possible events.
func TestSystemOfAPlan(t *testing.T) {
	p := &sim.Plan{Nodes: 4, Founders: 3, Shape: 1, Ops: []sim.Op{
		{
			Do:   opJoin,
			Node: 3,
			Arg:  1,
		}, {Do: opLeave, Node: 2}, {Do: walks.Crash, Node: 0}, {Do: walks.Restart, Node: 0}, {Do: walks.Drop},
		{Do: walks.Drop}, {Do: walks.Duplicate}, {Do: walks.Premature},
		{Do: "step deliver", Node: 1, Arg: 7},
	}}
	system, err := systemOf(p)
	require.NoError(t, err)
	b := system.Info().Budget
	assert.Equal(t, []int{1, 1, 2, 1, 1}, []int{b.Crash, b.Restart, b.Drop, b.Duplicate, b.Spurious})
	assert.Equal(t, "3 zones, 1 join, 1 leave", system.Info().Bounds)
}
