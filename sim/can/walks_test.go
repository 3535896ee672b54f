package can

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// Operations, and not steps, determine the possible events.
func TestSystemOfAPlan(t *testing.T) {
	p := &sim.Plan{Nodes: 4, Founders: 3, Shape: 1, Ops: []sim.Op{
		{
			Do:   opJoin,
			Node: 3,
			Arg:  1,
		}, {Do: opLeave, Node: 2}, {Do: random.Crash, Node: 0}, {Do: random.Restart, Node: 0}, {Do: random.Drop},
		{Do: random.Drop}, {Do: random.Duplicate}, {Do: random.Premature},
		{Do: "step deliver", Node: 1, Arg: 7},
	}}
	system, err := systemOf(p)
	require.NoError(t, err)
	b := system.Info().Budget
	assert.Equal(t, []int{1, 1, 2, 1, 1}, []int{b.Crash, b.Restart, b.Drop, b.Duplicate, b.Spurious})
	assert.Equal(t, "3 zones, 1 join, 1 leave", system.Info().Bounds)
}
