package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A node that takes no tasks is left out of a cluster until it is named again. A node does not
// leave itself out: its own state is exact.
func TestUnableNodesAreLeftOut(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.cluster("ACD")
	f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: two}))
	names := func() (all []protocol.NodeID) {
		for _, q := range f.Cluster {
			all = append(all, q.ID)
		}
		return all
	}
	f.tell('C', reptask.Unable, a)
	assert.Equal(t, []protocol.NodeID{name('A'), name('D')}, names())
	f.tell('A', reptask.Unable, a)
	assert.Equal(t, []protocol.NodeID{name('A'), name('D')}, names())
	f.cluster("ACD")
	assert.Equal(t, []protocol.NodeID{name('A'), name('C'), name('D')}, names())
}

// A representative that is cordoned gives the tasks of a parallel job to others only.
func TestACordonedRepresentativeChoosesOthers(t *testing.T) {
	for _, cordoned := range []bool{false, true} {
		f, a := newFeeder(), attempt('B', 1, 1)
		f.cluster("ACD")
		if cordoned {
			f.feed(command(reptask.Command{Kind: reptask.CommandCordon}))
		}
		spec := two
		spec.Over = 1_500 // three nodes get the task
		f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: spec}))
		var hosts []protocol.NodeID
		for _, m := range f.roleOf(a).Members {
			hosts = append(hosts, m.Host)
		}
		want := []protocol.NodeID{name('A'), name('C'), name('D')}
		if cordoned {
			want = []protocol.NodeID{name('C'), name('D')}
		}
		assert.ElementsMatch(t, want, hosts, "cordoned: %v", cordoned)
	}
}

// A cordon returns what has not begun, once. Its end asks for nothing back.
func TestACordonReturnsWhatHasNotBegun(t *testing.T) {
	f := newFeeder()
	first, second := attempt('B', 1, 1), attempt('C', 2, 1)
	f.tell('D', reptask.Dispatch, first)
	f.tell('E', reptask.Dispatch, second)
	require.Len(t, f.Tasks, 2)
	require.Equal(t, reptask.TaskQueued, f.Tasks[1].State)

	out := f.feed(command(reptask.Command{Kind: reptask.CommandCordon}))
	require.Len(t, f.Tasks, 1)
	assert.Equal(t, reptask.Withdraw, sent(out, 'D')[0].Kind)
	assert.Equal(t, reptask.Unable, sent(out, 'E')[0].Kind)

	before := f.State
	out = f.feed(command(reptask.Command{Kind: reptask.CommandCordon}))
	assert.Equal(t, "it is so already", ignored(out))
	assert.Empty(t, out.Send)
	assert.Equal(t, before, f.State)

	f.Tasks[0].State = reptask.TaskReady
	out = f.feed(command(reptask.Command{Kind: reptask.CommandUncordon}))
	assert.Empty(t, out.Send)
	assert.Equal(t, reptask.TaskReady, f.Tasks[0].State)
}
