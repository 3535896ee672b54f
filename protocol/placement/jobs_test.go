package placement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/placement"
)

// A list of many jobs stays sorted, in parts that steps share. Jobs come in any order, and the
// state before a step stays as it was.
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
	left := d.state.Jobs.Len()
	for number := uint32(count); number > 0; number -= 2 {
		require.NotNil(t, d.state.Job(number))
		d.give(placement.Command{Kind: placement.CommandDrop, Job: number})
		left--
		require.Equal(t, left, d.state.Jobs.Len(), "job %d was dropped", number)
	}
	require.Zero(t, d.state.Jobs.Len())
	require.Empty(t, d.state.Jobs)
}

// A part has 64 jobs at most, whether it is read or filled.
func TestFullParts(t *testing.T) {
	jobs := make([]placement.Job, 65)
	for i := range jobs {
		jobs[i].Number = uint32(i + 1)
	}
	assert.Len(t, placement.ListOf(jobs[:64]...), 1)
	assert.Len(t, placement.ListOf(jobs...), 2)

	d := newDesk(t, 1)
	for number := range uint32(65) {
		d.wants(number+1, 1)
		assert.Len(t, d.state.Jobs, 1+int(number)/64, "%d jobs", number+1)
	}
}
