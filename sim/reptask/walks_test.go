package reptask

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
		{Do: opCluster, Node: 0, Arg: 0b011}, {Do: opCluster, Node: 1, Arg: 0b111}, {Do: opCluster, Node: 2, Arg: 0b110},
		{
			Do:   opSubmit,
			Node: 2,
			Arg:  7 | 2<<16 | 1<<20 | 0b100<<24,
		}, {Do: opMove, Node: 2, Arg: 2 | 1<<8}, {Do: opCancel, Node: 2},
		{Do: random.Crash}, {Do: random.Drop, Node: 1}, {Do: "step deliver", Node: 1, Arg: 7},
	}}
	system, err := systemOf(p)
	require.NoError(t, err)
	assert.Equal(t, "clusters AB ABC BC; jobs 2@7; 1 move orders; 1 cancelled", system.Info().Bounds)
	b := system.Info().Budget
	assert.Equal(t, []int{1, 0, 1, 0, 0}, []int{b.Crash, b.Restart, b.Drop, b.Duplicate, b.Spurious})
}
