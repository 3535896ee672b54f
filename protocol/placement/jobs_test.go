package placement_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/placement"
)

// A list of many jobs stays sorted, in parts that steps share: jobs come in any order, and the state
// before a step keeps its own.
func TestManyJobs(t *testing.T) {
	d := newDesk(t, 1)
	const count = 500
	for i := range uint32(count) {
		before := placement.AppendState(nil, d.state)
		old := d.state
		d.wants(1+i*7%count, 1)
		require.Equal(t, before, placement.AppendState(nil, old))
		require.Equal(t, int(i+1), d.state.Jobs.Len())
		require.NotNil(t, d.state.Job(1+i*7%count))
	}
	number := uint32(0)
	for j := range d.state.Jobs.All() {
		number++
		require.Equal(t, number, j.Number)
	}
	for _, part := range d.state.Jobs {
		require.LessOrEqual(t, len(part), 64)
		require.GreaterOrEqual(t, len(part), 32, "a full part is split in two")
	}
	for number := uint32(1); number <= count; number += 2 {
		d.give(placement.Command{Kind: placement.CommandDrop, Job: number})
		require.Nil(t, d.state.Job(number))
		require.NotNil(t, d.state.Job(number+1))
	}
	for number := uint32(2); number <= count; number += 2 {
		require.NotNil(t, d.state.Job(number))
		d.give(placement.Command{Kind: placement.CommandDrop, Job: number})
	}
	require.Zero(t, d.state.Jobs.Len())
	require.Empty(t, d.state.Jobs)
}
