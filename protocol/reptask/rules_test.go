package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Rules that no model covers, since they take two crashes, an action of an application, or a full
// node.

// feeder steps one node, A.
type feeder struct {
	cfg *reptask.Config
	reptask.State
}

func newFeeder() *feeder {
	return &feeder{cfg: testConfig(), State: reptask.State{Self: name('A')}}
}

func (f *feeder) feed(in reptask.Input) (out reptask.Output) {
	f.State, out = reptask.Step(f.cfg, f.State, in)
	return out
}

func (f *feeder) fire(kind protocol.TimerKind, peer byte) reptask.Output {
	t := protocol.Timer{Kind: kind}
	if peer != 0 {
		t.Peer = name(peer)
	}
	return f.feed(reptask.Input{Kind: protocol.Timeout, Timer: t})
}

// tell delivers a message that only names the attempt.
func (f *feeder) tell(from byte, kind reptask.MessageKind, a reptask.Attempt) reptask.Output {
	return f.vote(from, kind, a, 0)
}

// vote delivers a message about a vote.
func (f *feeder) vote(from byte, kind reptask.MessageKind, a reptask.Attempt, vote uint32) reptask.Output {
	return f.feed(deliver(from, reptask.Message{Kind: kind, Attempt: a, Vote: vote}))
}

// start lets the hosts of A's attempt vote, so that it is decided.
func (f *feeder) start(a reptask.Attempt, hosts string) {
	for _, host := range []byte(hosts) {
		f.vote(host, reptask.Ready, a, 1)
	}
}

// submit makes A the owner of a job of two.
func (f *feeder) submit(candidates string) reptask.Output {
	c := reptask.Command{Kind: reptask.CommandSubmit, Submitted: 1, Spec: two}
	for _, letter := range []byte(candidates) {
		c.Candidates = append(c.Candidates, name(letter))
	}
	return f.feed(command(c))
}

// announced counts the events of a name.
func announced(out reptask.Output, event string) int {
	n := 0
	for _, e := range out.Events {
		if e.Name == event {
			n++
		}
	}
	return n
}

// sent lists the messages to a node.
func sent(out reptask.Output, to byte) []reptask.Message {
	var all []reptask.Message
	for _, e := range out.Send {
		if e.To == name(to) {
			all = append(all, e.Message)
		}
	}
	return all
}

// cluster makes A represent jobs with these nodes.
func (f *feeder) cluster(names string) {
	var all []reptask.Neighbour
	for _, letter := range []byte(names) {
		all = append(all, reptask.Neighbour{ID: name(letter)})
	}
	f.feed(command(reptask.Command{Kind: reptask.CommandCluster, Cluster: all}))
}

// grant makes A represent a job of B with two dependents at C and D.
func (f *feeder) grant(a reptask.Attempt) reptask.Output {
	f.cluster("CD")
	return f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: two}))
}

// bereave lets the owner B of A's attempt fail, until A looks for another.
func (f *feeder) bereave() {
	f.fire(reptask.LeaseTimer, 'B')
	f.fire(reptask.LeaseTimer, 'B')
}

func (f *feeder) ask(a reptask.Attempt, owner byte) reptask.Output {
	return f.feed(command(reptask.Command{
		Kind: reptask.CommandAdopt, Job: a.Job, Target: name(owner), Candidates: []protocol.NodeID{name('A')},
	}))
}

// Each timer has its own duration.
func TestDurations(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.cfg.ResendTicks, f.cfg.BeatTicks, f.cfg.LeaseTicks, f.cfg.RegrantTicks = 3, 4, 9, 20
	ticks := map[protocol.TimerKind]uint32{}
	note := func(out reptask.Output) {
		for _, set := range out.Set {
			ticks[set.Timer.Kind] = set.MinTicks
			assert.Equal(t, set.MinTicks, set.MaxTicks)
		}
	}
	note(f.grant(a))
	for _, host := range []byte("CD") {
		note(f.feed(deliver(host, reptask.Message{Kind: reptask.Ready, Attempt: a, Vote: 1})))
	}
	note(f.fire(reptask.LeaseTimer, 'C')) // it may run
	assert.Equal(t, map[protocol.TimerKind]uint32{
		reptask.ResendTimer: 3, reptask.BeatTimer: 4, reptask.LeaseTimer: 9, reptask.RegrantTimer: 20,
	}, ticks)
}

// A client has cancelled a job, its owner fails, and then its representative does, before it could
// send more than Adopt: the next owner does not run the job again.
func TestRevokedAndAdopted(t *testing.T) {
	for _, decided := range []bool{false, true} {
		f, a := newFeeder(), attempt('B', 1, 1)
		f.grant(a)
		for _, host := range []byte("CD") {
			if decided {
				f.feed(deliver(host, reptask.Message{Kind: reptask.Ready, Attempt: a, Vote: 1}))
			}
		}
		f.feed(deliver('B', reptask.Message{Kind: reptask.Revoke, Attempt: a}))
		f.bereave()
		adopt := sent(f.ask(a, 'E'), 'E')
		require.Len(t, adopt, 1)
		assert.True(t, adopt[0].Revoked, "decided: %v", decided)
	}
	for _, known := range []bool{false, true} { // the first Adopt may be older than the revocation
		f, a := newFeeder(), attempt('B', 1, 1)
		m := reptask.Message{
			Kind: reptask.Adopt, Attempt: a, Spec: two, Candidates: []protocol.NodeID{name('C')},
		}
		if known {
			f.feed(deliver('C', m))
		}
		m.Revoked = true
		answer := sent(f.feed(deliver('C', m)), 'C')
		require.Len(t, answer, 1)
		assert.Equal(t, reptask.Revoke, answer[0].Kind)
		f.fire(reptask.LeaseTimer, 'C')
		f.fire(reptask.RegrantTimer, 'C')
		assert.Equal(t, reptask.JobCancelled, f.Owned[0].State)
	}
}

// A result does not end a job that its client has cancelled: it ends as cancelled.
func TestResultOfACancelledJob(t *testing.T) {
	f := newFeeder()
	f.feed(command(reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: 1, Spec: two, Candidates: []protocol.NodeID{name('B')},
	}))
	a := attempt('A', 1, 1)
	f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: 1}))
	f.feed(deliver('B', reptask.Message{Kind: reptask.Result, Attempt: a}))
	f.feed(deliver('B', reptask.Message{Kind: reptask.Gone, Attempt: a}))
	assert.Equal(t, reptask.JobCancelled, f.Owned[0].State)
}

// The client of a job whose first owner has failed cancels it at the next one, by its name.
func TestCancelOfAnAdoptedJob(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.feed(deliver('C', reptask.Message{Kind: reptask.Adopt, Attempt: a, Spec: two}))
	out := f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: 1}))
	assert.Equal(t, "no such open job", ignored(out), "A has none with this number")
	out = f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: 1, Owner: name('B')}))
	require.Len(t, sent(out, 'C'), 1)
	assert.Equal(t, reptask.JobRevoking, f.Owned[0].State)
}

// A node that owns as many jobs as it may adopts no other.
func TestNoRoomToAdopt(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.cfg.JobLimit = 1
	f.feed(command(reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: 1, Spec: two, Candidates: []protocol.NodeID{name('D')},
	}))
	out := f.feed(deliver('C', reptask.Message{Kind: reptask.Adopt, Attempt: a, Spec: two}))
	require.Len(t, sent(out, 'C'), 1)
	assert.Equal(t, reptask.Decline, sent(out, 'C')[0].Kind)
	assert.Len(t, f.Owned, 1)
}

// A representative that looks for an owner sends reports to no node. It asks only nodes that the
// application names, when it has said that it needs one, and counts only their answers.
func TestSeeking(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	assert.Equal(t, "no such orphan", ignored(f.ask(a, 'E')), "its owner has not failed")
	f.feed(command(reptask.Command{Kind: reptask.CommandMove, Job: a.Job, Target: name('F')})) // it resigns
	f.bereave()
	out := f.fire(reptask.ResendTimer, 0)
	assert.Empty(t, out.Send)
	require.Len(t, out.Events, 1)
	assert.Equal(t, reptask.EventOrphan, out.Events[0].Name)

	f.ask(a, 'E')
	f.feed(deliver('C', reptask.Message{Kind: reptask.Decline, Attempt: a}))
	assert.Equal(t, reptask.Asking, f.Roles[0].Bond, "C was not asked")
	f.feed(deliver('E', reptask.Message{Kind: reptask.Decline, Attempt: a}))
	assert.Equal(t, reptask.Seeking, f.Roles[0].Bond)
}

// A late Settled of another attempt does not make a node forget the result of this one.
func TestSettledOfAnotherAttempt(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 2)
	f.grant(a)
	for _, kind := range []reptask.MessageKind{reptask.Ready, reptask.Finish} {
		for _, host := range []byte("CD") {
			m := reptask.Message{Kind: kind, Attempt: a}
			if kind == reptask.Ready {
				m.Vote = 1
			}
			f.feed(deliver(host, m))
		}
	}
	require.Equal(t, reptask.Reporting, f.Roles[0].Phase)
	f.feed(deliver('B', reptask.Message{Kind: reptask.Settled, Attempt: attempt('B', 1, 1)}))
	assert.Len(t, f.Roles, 1)
	f.feed(deliver('B', reptask.Message{Kind: reptask.Settled, Attempt: a}))
	assert.Empty(t, f.Roles)
}

// A job does not move to where it is.
func TestMoveToItself(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	for _, target := range []protocol.NodeID{name('A'), {}} {
		out := f.feed(command(reptask.Command{Kind: reptask.CommandMove, Job: a.Job, Target: target}))
		assert.Equal(t, "there is nowhere to move to", ignored(out))
	}
}

// The crash of a member that has finished does not end its attempt. The crash of a member that may
// run does.
func TestFinishedMemberCrashes(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	for _, host := range []byte("CD") {
		f.feed(deliver(host, reptask.Message{Kind: reptask.Ready, Attempt: a, Vote: 1}))
	}
	f.feed(deliver('C', reptask.Message{Kind: reptask.Finish, Attempt: a}))
	f.fire(reptask.LeaseTimer, 'C')
	assert.Equal(t, reptask.Started, f.Roles[0].Phase)
	f.fire(reptask.LeaseTimer, 'D')
	assert.Equal(t, reptask.Stopping, f.Roles[0].Phase)
}

// A queue position is that of the attempt's own task, and a task that is ready waits no more.
func TestPositionsOfAnAttempt(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 2)
	f.grant(a)
	report := func(of reptask.Attempt, ahead uint32) {
		positions := []reptask.Position{{Attempt: of, Ahead: ahead}}
		f.feed(deliver('C', reptask.Message{Kind: reptask.Beat, Positions: positions}))
	}
	report(a, 3)
	report(attempt('B', 1, 1), 5)
	assert.Equal(t, uint32(3), f.Idle(f.cfg)[0].Waiting[0].Ahead)
	f.feed(deliver('C', reptask.Message{Kind: reptask.Ready, Attempt: a, Vote: 1}))
	assert.Zero(t, f.Idle(f.cfg)[0].Waiting[0].Ahead)
}

// Eightfold over-provisioning sends a job of two to sixteen nodes.
func TestOverEight(t *testing.T) {
	f := newFeeder()
	var all []reptask.Neighbour
	for letter := byte('B'); letter < 'B'+20; letter++ {
		all = append(all, reptask.Neighbour{ID: name(letter), Capability: space.Point{}})
	}
	f.feed(command(reptask.Command{Kind: reptask.CommandCluster, Cluster: all}))
	spec := reptask.Spec{Size: 2, Over: 8_000}
	out := f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: attempt('B', 1, 1), Spec: spec}))
	assert.Len(t, out.Send, 16)
}

// A node represents no more attempts than it may.
func TestRoleLimit(t *testing.T) {
	f := newFeeder()
	f.cfg.RoleLimit = 1
	f.grant(attempt('B', 1, 1))
	out := f.feed(deliver('C', reptask.Message{
		Kind: reptask.Grant, Attempt: attempt('C', 2, 1), Spec: two,
	}))
	require.Len(t, f.Roles, 1)
	require.Len(t, out.Events, 2)
	assert.Equal(t, "too many representative tasks", out.Events[1].Detail)
}
