package refine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

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
		}, {Do: opNear, Node: 0, Arg: 0b10}, {Do: opLeave, Node: 2}, {Do: random.Crash}, {Do: random.Premature},
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
