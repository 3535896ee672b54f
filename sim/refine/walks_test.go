package refine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
	"github.com/canvass-grid/canvass/sim/walks/walktest"
)

func TestWalks(t *testing.T) {
	walktest.Draws(
		t,
		walkScenario(),
		systemOf,
		opBounds,
		opLater,
		opNear,
		opFar,
		opWavers,
		opStruckOff,
		opMeasure,
		opLeave,
	)
	walktest.Holds(t, walkScenario(), "Measured", "Agree")
	walktest.Refuses(
		t,
		walkScenario(),
		sim.Plan{Nodes: 2},
		walktest.Impossible{
			Name:   "an unknown candidate",
			Want:   "no node 5 among 2",
			Change: walktest.With(sim.Op{Do: opNear, Arg: 1 << 5}),
		},
		walktest.Impossible{
			Name:   "a pair with an unknown node",
			Want:   "no node 7 among 2",
			Change: walktest.With(sim.Op{Do: opFar, Arg: 7}),
		},
		walktest.Impossible{
			Name:   "no node to strike off",
			Want:   "names 0 nodes",
			Change: walktest.With(sim.Op{Do: opStruckOff}),
		},
		walktest.Impossible{
			Name:   "no cluster",
			Want:   "MembershipBound",
			Change: walktest.With(sim.Op{Do: opBounds, Arg: 1 << 4}),
		},
	)
}

// Operations, and not steps, determine the possible events.
func TestSystemOfAPlan(t *testing.T) {
	p := &sim.Plan{Nodes: 3, Ops: []sim.Op{
		{
			Do:  opBounds,
			Arg: 3 | 2<<4 | 1<<8,
		}, {Do: opNear, Node: 0, Arg: 0b110}, {Do: opNear, Node: 1, Arg: 0b100}, {Do: opFar, Node: 0, Arg: 2},
		{
			Do:   opStruckOff,
			Node: 0,
			Arg:  0b10,
		}, {Do: opNear, Node: 0, Arg: 0b10}, {Do: opLeave, Node: 2}, {Do: walks.Crash}, {Do: walks.Premature},
		{Do: "step deliver", Node: 1, Arg: 7},
	}}
	system, err := systemOf(p)
	require.NoError(t, err)
	assert.Equal(t, "M=3, N=2", system.Info().Bounds)
	b := system.Info().Budget
	assert.Equal(t, []int{1, 0, 0, 0, 1}, []int{b.Crash, b.Restart, b.Drop, b.Duplicate, b.Spurious})
	p.Ops = p.Ops[1:]
	system, err = systemOf(p)
	require.NoError(t, err)
	assert.Equal(t, "M=2, N=3", system.Info().Bounds)
}
