package node

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

var (
	here  = protocol.NodeID{Address: 1, Incarnation: 1}
	there = protocol.NodeID{Address: 2, Incarnation: 1}
	third = protocol.NodeID{Address: 3, Incarnation: 1}
)

// scripted is a core in one state, which keeps its inputs.
type scripted[S, M, C any] struct {
	protocol.Core[S, M, C] // only the methods that a loop calls are there

	state  S
	first  protocol.Output[M] // of the first step
	inputs []protocol.Input[M, C]
}

func (c *scripted[S, M, C]) Step(_ S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	c.inputs = append(c.inputs, in)
	if len(c.inputs) == 1 {
		return c.state, c.first
	}
	return c.state, protocol.Output[M]{}
}

// recorded are links that keep the frames that are sent.
type recorded struct {
	life.Links
	channels []transport.Channel
	to       []protocol.NodeID
	frames   [][]byte
}

func (r *recorded) Send(to protocol.NodeID, channel transport.Channel, _ uint8, frame []byte) {
	r.channels, r.to, r.frames = append(r.channels, channel), append(r.to, to), append(r.frames, frame)
}

// bench is a node with a loop, of which a test adds the cores. Nothing happens in it by itself.
func bench() (*Node, *recorded) {
	n := newNode(config.Options{Log: slog.New(slog.DiscardHandler)}, config.Config{}, peer.Config{}, nil)
	n.Machine = life.Machine{
		Clock: func() time.Duration { return 0 }, Wall: time.Now, After: func(time.Duration, func()) {},
	}
	n.UseGoroutines()
	links := &recorded{}
	n.Self, n.Links, n.Loop = here, links, driver.New(environment{n}, nil)
	return n, links
}

func step(t *testing.T, n *Node) {
	t.Helper()
	_, _, err := n.Loop.Turn(0)
	require.NoError(t, err)
}

// TestTheEndOfAFormerAttemptEndsNoOther demands that the run timer, which does not name its
// attempt, fires for the attempt whose task runs, and not for an earlier one.
func TestTheEndOfAFormerAttemptEndsNoOther(t *testing.T) {
	n, _ := bench()
	core := &scripted[peer.State, peer.Message, peer.Command]{}
	core.state.Can.Self.ID = here
	core.state.Tasks.Tasks = []reptask.Task{{By: there, Epoch: 2, State: reptask.TaskRunning}}
	core.first.Set = []protocol.SetTimer{{Timer: peer.RunTimer()}}
	n.Peer = driver.Add(n.Loop, life.PeerID, core, driver.Traits[peer.State, peer.Message]{
		Self:    func(s peer.State) protocol.NodeID { return s.ID() },
		Process: func(t protocol.Timer) bool { return t == peer.RunTimer() },
	}, peer.State{}, nil)
	step(t, n)

	n.attempts.Finish(&tasks.Attempt{ID: life.MusterID(there, 1)})
	step(t, n)
	require.Len(t, core.inputs, 1, "the task of attempt 2 runs")

	n.attempts.Finish(&tasks.Attempt{ID: life.MusterID(there, 2)})
	step(t, n)
	require.Len(t, core.inputs, 2)
	assert.Equal(t, protocol.Timeout, core.inputs[1].Kind)
	assert.Equal(t, peer.RunTimer(), core.inputs[1].Timer)
}

// TestNoTaskFinishesBeforeItsOutcomeIsSafe demands that the hosts of an attempt may finish only
// after a custodian has confirmed that it has the outcome.
func TestNoTaskFinishesBeforeItsOutcomeIsSafe(t *testing.T) {
	n, links := bench()
	core := &scripted[muster.State, muster.Message, muster.Command]{}
	core.state.Rep = muster.Rep{Phase: muster.RepDepositing, Members: []muster.Member{{Host: here}}}
	a := &tasks.Attempt{ID: life.MusterID(here, 1), At: &rpc.Binding{Custodians: jobs.Custodians{there.Address}}}
	a.Core = driver.Add(n.Loop, a.ID, core, driver.Traits[muster.State, muster.Message]{
		Self: func(muster.State) protocol.NodeID { return here },
	}, muster.State{}, nil)
	step(t, n)

	n.attempts.Deposit(a)
	step(t, n)
	require.Len(t, links.channels, 1, "the custodian is asked")
	require.Len(t, core.inputs, 1, "no custodian has the outcome yet")

	n.Calls.Receive(there, answer(t, read(t, links.frames[0]).ID, "null"))
	step(t, n)
	require.Len(t, core.inputs, 2)
	assert.Equal(t, muster.CommandDeposited, core.inputs[1].Command.Kind)
}

// TestNoOutputIsSaidToBeKeptBeforeACustodianHasIt demands that a host keeps its working folder, and
// its job goes on, until the custodians have answered.
func TestNoOutputIsSaidToBeKeptBeforeACustodianHasIt(t *testing.T) {
	n, _ := bench()
	n.Table, n.gathered = &jobs.Table{}, map[rankName]*gathering{}
	record := &jobs.Record{
		ID: "j", Custodians: jobs.Custodians{here.Address},
		Attempts: []jobs.Attempt{{By: here, Epoch: 1, Hosts: []protocol.NodeID{there}}},
	}
	var report rpc.RankReport
	report.By, report.Epoch = here, 1
	k := &keptJob{record: record}
	answer, err := n.answerRank(k, there, report)
	require.NoError(t, err)
	assert.Equal(t, true, answer, "without outputs there is nothing to keep")

	report.Rank.Outputs = []jobs.File{{Path: "f", Digest: "d"}}
	_, err = n.answerRank(k, there, report)
	require.ErrorIs(t, err, k.waiting.Undecided(), "the answer comes later")
	assert.Empty(t, record.Attempts[0].Ranks[0].Outputs, "it is not shown to users")
}

// TestLeasesHaveTheirOwnConnection demands that leases do not wait behind other messages.
func TestLeasesHaveTheirOwnConnection(t *testing.T) {
	n, links := bench()
	for _, core := range []driver.CoreID{life.LeaseID, life.PeerID, life.MusterID(there, 1)} {
		environment{n}.Send(there, core, []byte("x"))
	}
	assert.Equal(t, []transport.Channel{
		transport.ChannelLease, transport.ChannelCore, transport.ChannelCore,
	}, links.channels)
}

// TestLeasesDoNotWaitInTheInbox demands that frames for leases are handled before earlier frames
// for others.
func TestLeasesDoNotWaitInTheInbox(t *testing.T) {
	n, _ := bench()
	n.Inbox, n.Urgent = make(chan func(), life.InboxLimit), make(chan func(), life.UrgentLimit)
	var handled []transport.Channel
	come := func(c transport.Channel) {
		require.True(t, n.PostTo(n.inboxOf(c), func() { handled = append(handled, c) }))
	}
	for range 2 * driver.BatchLimit {
		come(transport.ChannelCore)
	}
	come(transport.ChannelLease)
	n.batch(<-n.Inbox)
	assert.Len(t, handled, driver.BatchLimit+1)
	assert.Equal(t, transport.ChannelLease, handled[0])
}

// TestALifeThatTheMapFencesEnds demands that a daemon ends when its zone was given away: the layers
// above the map would keep its tasks.
func TestALifeThatTheMapFencesEnds(t *testing.T) {
	n, _ := bench()
	n.OnMap(life.PeerID, protocol.Event{Name: peer.CanLayer.String() + ":" + can.EventFenced})
	_, _, err := n.turn()
	require.ErrorIs(t, err, life.ErrFenced)
}
