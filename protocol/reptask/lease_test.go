package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

func kinds(all []reptask.Message) []reptask.MessageKind {
	var kinds []reptask.MessageKind
	for _, m := range all {
		kinds = append(kinds, m.Kind)
	}
	return kinds
}

// Any message restarts the lease of its sender, and no other timer. The end of another timer
// restarts only that one.
func TestMessagesRestartLeases(t *testing.T) {
	f := newFeeder()
	f.grant(attempt('B', 1, 1))
	ticks := f.cfg.LeaseTicks
	out := f.feed(deliver('C', reptask.Message{Kind: reptask.Beat}))
	lease := protocol.Timer{Kind: reptask.LeaseTimer, Peer: name('C')}
	assert.Equal(t, []protocol.SetTimer{{Timer: lease, MinTicks: ticks, MaxTicks: ticks}}, out.Set)
	out = f.fire(reptask.BeatTimer, 0)
	require.Len(t, out.Set, 1)
	assert.Equal(t, reptask.BeatTimer, out.Set[0].Timer.Kind)
}

// A node is silent towards the peers that may still run something for it, and towards no others: a
// host that had not begun is replaced at once.
func TestSilentTowardsFew(t *testing.T) {
	f, a, other := newFeeder(), attempt('B', 1, 1), attempt('E', 2, 1)
	f.grant(a)
	f.start(a, "CD")
	f.cluster("FGH")
	f.feed(deliver('E', reptask.Message{Kind: reptask.Grant, Attempt: other, Spec: two}))
	hosts := f.roleOf(other).Members
	require.Len(t, hosts, 2)
	f.fire(reptask.LeaseTimer, 'C')
	f.fire(reptask.LeaseTimer, 'A'+byte(hosts[0].Host.Address))
	assert.Equal(t, []protocol.NodeID{name('C')}, f.Silent)
	assert.Len(t, f.roleOf(other).Members, 3)
}

// roleOf returns A's role in an attempt.
func (f *feeder) roleOf(a reptask.Attempt) *reptask.Role {
	for i := range f.Roles {
		if f.Roles[i].Attempt() == a {
			return &f.Roles[i]
		}
	}
	return &reptask.Role{}
}

// A host that was silent for a lease, and has not begun, holds nothing: as a candidate it is asked
// in the same step.
func TestSilentHostIsACandidate(t *testing.T) {
	f := newFeeder()
	f.cluster("AC")
	f.submit("AC")
	require.Len(t, f.Roles, 1)
	out := f.fire(reptask.LeaseTimer, 'C')
	assert.Equal(t, []reptask.MessageKind{reptask.Grant}, kinds(sent(out, 'C')))
	assert.Empty(t, f.Silent)
}

// A peer towards which a node is silent gets no task of it, although the application counts it to
// the cluster again. When it holds nothing more it does.
func TestSilentPeerGetsNoTask(t *testing.T) {
	f := newFeeder()
	f.submit("BA")
	f.fire(reptask.LeaseTimer, 'B')
	require.Equal(t, []protocol.NodeID{name('B')}, f.Silent)
	f.cluster("AB")
	out := f.feed(deliver('D', reptask.Message{Kind: reptask.Grant, Attempt: attempt('D', 2, 1), Spec: two}))
	assert.Equal(t, []reptask.MessageKind{reptask.GiveUp}, kinds(sent(out, 'D')))
	out = f.fire(reptask.RegrantTimer, 'B')
	assert.Equal(t, []reptask.MessageKind{reptask.Dispatch}, kinds(sent(out, 'B')), "A represents its own job")
}

// A representative that looks for an owner neither watches nor asks the former one.
func TestSeekingForgetsTheOwner(t *testing.T) {
	f := newFeeder()
	f.grant(attempt('B', 1, 1))
	f.fire(reptask.LeaseTimer, 'B')
	f.submit("B") // so that A waits for B
	f.fire(reptask.LeaseTimer, 'B')
	require.Equal(t, reptask.Seeking, f.Roles[0].Bond)
	require.Equal(t, []protocol.NodeID{name('B')}, f.Silent)
	out := f.fire(reptask.RegrantTimer, 'B')
	assert.Empty(t, out.Send)
	assert.NotContains(t, f.Timers(), protocol.Timer{Kind: reptask.LeaseTimer, Peer: name('B')})
	assert.Contains(t, f.Timers(), protocol.Timer{Kind: reptask.ResendTimer})
}
