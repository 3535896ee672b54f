package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A grant of a later attempt ends the attempt that a node represents: at once, or, if its members
// may run, when they have stopped.
func TestGrantOfALaterAttempt(t *testing.T) {
	first, second := attempt('B', 1, 1), attempt('B', 1, 2)
	cancel := reptask.Message{Kind: reptask.Cancel, Attempt: first}
	dispatch := reptask.Message{Kind: reptask.Dispatch, Attempt: second}

	f := newFeeder()
	f.grant(first)
	out := f.grant(second)
	assert.Equal(t, second, f.Roles[0].Attempt())
	assert.Equal(t, []reptask.Message{cancel, dispatch}, sent(out, 'C'))

	f = newFeeder()
	f.grant(first)
	f.feed(command(reptask.Command{Kind: reptask.CommandMove, Job: first.Job, Target: name('E')}))
	require.Equal(t, reptask.Resigning, f.Roles[0].Phase)
	out = f.grant(second)
	assert.Equal(t, second, f.Roles[0].Attempt())
	assert.Equal(t, []reptask.Message{dispatch}, sent(out, 'C'))

	f = newFeeder()
	f.grant(first)
	f.start(first, "CD")
	out = f.grant(second)
	assert.Equal(t, first, f.Roles[0].Attempt())
	assert.Equal(t, reptask.Stopping, f.Roles[0].Phase)
	assert.Equal(t, reptask.Revoked, f.Roles[0].Why)
	cancel.Confirm = true
	assert.Equal(t, []reptask.Message{cancel}, sent(out, 'C'))
}

// A grant of an earlier attempt is refused.
func TestGrantOfAnEarlierAttempt(t *testing.T) {
	f, first := newFeeder(), attempt('B', 1, 1)
	f.grant(attempt('B', 1, 2))
	before := f.Roles
	out := f.grant(first)
	assert.Equal(t, before, f.Roles)
	refusal := reptask.Message{Kind: reptask.GiveUp, Attempt: first, Reason: reptask.Refused}
	assert.Equal(t, []reptask.Message{refusal}, sent(out, 'B'))
}

// An attempt that a node has forgotten does not begin again.
func TestGrantOfAForgottenAttempt(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.feed(command(reptask.Command{Kind: reptask.CommandMove, Job: a.Job, Target: name('E')}))
	f.tell('B', reptask.Settled, a)
	require.Empty(t, f.Roles)
	assert.Equal(t, []reptask.Message{{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Refused}}, sent(f.grant(a), 'B'))
	assert.Empty(t, f.Roles)
}

// A node that leaves gives an idle attempt up, and its owner does not take that for a refusal. It
// refuses the next one.
func TestLeaverRepresentsNothing(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	out := f.feed(command(reptask.Command{Kind: reptask.CommandLeave}))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Cancel, Attempt: a}}, sent(out, 'C'))
	assert.Equal(t, []reptask.Message{{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Lost}}, sent(out, 'B'))
	next := attempt('B', 2, 2)
	out = f.grant(next)
	assert.Equal(t, []reptask.Message{{Kind: reptask.GiveUp, Attempt: next, Reason: reptask.Refused}}, sent(out, 'B'))
}

// A vote counts until it is given back, and then never again. A late message about a former vote
// does nothing to the latest one.
func TestVotes(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	member := func() reptask.Member { return f.Roles[0].Members[0] }
	f.vote('C', reptask.Ready, a, 1)
	f.feed(deliver('C', reptask.Message{Kind: reptask.Beat, Positions: []reptask.Position{{Attempt: a, Ahead: 7}}}))
	f.vote('C', reptask.Withdraw, a, 1)
	assert.Equal(t, reptask.Member{Host: name('C'), Withdrawn: 1, Position: 7}, member())
	assert.Equal(t, "an old vote", ignored(f.vote('C', reptask.Ready, a, 1)))
	f.vote('C', reptask.Ready, a, 2)
	voted := reptask.Member{Host: name('C'), Vote: 2, Withdrawn: 1}
	assert.Equal(t, voted, member())
	out := f.vote('C', reptask.Withdraw, a, 1)
	assert.Equal(t, []reptask.Message{{Kind: reptask.Withdrawn, Attempt: a, Vote: 1}}, sent(out, 'C'))
	assert.Equal(t, voted, member())
	assert.Equal(t, "an old vote", ignored(f.vote('C', reptask.Ready, a, 2)))
	f.vote('C', reptask.Withdraw, a, 2)
	f.vote('C', reptask.Withdraw, a, 1)
	assert.Equal(t, reptask.Member{Host: name('C'), Withdrawn: 2}, member())
}

// A member that has not received the decision receives it when it votes again. A former vote gets
// no answer.
func TestVotesAfterTheDecision(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.vote('C', reptask.Withdraw, a, 1)
	f.vote('C', reptask.Ready, a, 2)
	f.vote('D', reptask.Ready, a, 1)
	require.Equal(t, reptask.Started, f.Roles[0].Phase)
	for _, kind := range []reptask.MessageKind{reptask.Ready, reptask.Withdraw} {
		assert.Equal(t, []reptask.Message{{Kind: reptask.Start, Attempt: a, Vote: 2}}, sent(f.vote('C', kind, a, 2), 'C'))
		out := f.vote('C', kind, a, 1)
		assert.Empty(t, out.Send)
		assert.Equal(t, "an old vote", ignored(out))
	}
}

// A member that has finished is neither started nor stopped again, and neither is a member that is
// gone. Then no member is left to wait for.
func TestFinishedMember(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.tell('C', reptask.Finish, a)
	assert.Equal(t, reptask.MemberDispatched, f.Roles[0].Members[0].State, "it was not started")
	f.start(a, "CD")
	f.tell('C', reptask.Finish, a)
	f.tell('E', reptask.Finish, a)
	assert.Equal(t, reptask.Started, f.Roles[0].Phase, "E is no member")
	assert.Equal(t, []reptask.MessageKind{reptask.Cancel}, kinds(sent(f.vote('C', reptask.Ready, a, 1), 'C')))
	out := f.tell('D', reptask.Gone, a)
	assert.Empty(t, sent(out, 'C'))
	assert.Empty(t, sent(out, 'D'))
	assert.Equal(t, reptask.Resigning, f.Roles[0].Phase)
}

// A late copy of Start makes a member that has finished, and forgotten its task, answer Gone. The
// attempt continues, and the other member ends it.
func TestGoneOfAFinishedMember(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.start(a, "CD")
	f.tell('C', reptask.Finish, a)
	before := f.Roles
	require.Equal(t, reptask.MemberFinished, before[0].Members[0].State)
	out := f.tell('C', reptask.Gone, a)
	assert.Empty(t, out.Send)
	assert.Equal(t, before, f.Roles)
	f.tell('D', reptask.Finish, a)
	assert.Equal(t, reptask.Reporting, f.Roles[0].Phase)
}

// An attempt that is being stopped waits for its members, whether the owner revokes it meanwhile or
// a member votes again.
func TestStoppingWaits(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.start(a, "CD")
	f.fire(reptask.LeaseTimer, 'C')
	require.Equal(t, reptask.Stopping, f.Roles[0].Phase)
	members := f.Roles[0].Members
	stop := []reptask.Message{{Kind: reptask.Cancel, Attempt: a, Confirm: true}}
	assert.Equal(t, stop, sent(f.vote('D', reptask.Ready, a, 1), 'D'))
	assert.Equal(t, stop, sent(f.vote('D', reptask.Withdraw, a, 1), 'D'))
	assert.Empty(t, f.tell('B', reptask.Revoke, a).Send)
	assert.Equal(t, reptask.Stopping, f.Roles[0].Phase)
	assert.Equal(t, reptask.Revoked, f.Roles[0].Why)
	assert.Equal(t, members, f.Roles[0].Members)
}

// A revocation is that of one attempt, and does not take a result away.
func TestRevocationOfAnotherAttempt(t *testing.T) {
	f, first, second, third := newFeeder(), attempt('B', 1, 1), attempt('B', 1, 2), attempt('B', 1, 3)
	f.grant(second)
	before := f.Roles
	assert.Equal(t, "the attempt is ending", ignored(f.tell('B', reptask.Revoke, first)))
	assert.Equal(t, before, f.Roles)
	out := f.tell('B', reptask.Revoke, third)
	assert.Equal(t, []reptask.Message{{Kind: reptask.GiveUp, Attempt: third, Reason: reptask.Refused}}, sent(out, 'B'))
	assert.Equal(t, before, f.Roles)
	f.start(second, "CD")
	f.tell('C', reptask.Finish, second)
	f.tell('D', reptask.Finish, second)
	f.tell('B', reptask.Revoke, second)
	assert.Equal(t, reptask.Reporting, f.Roles[0].Phase)
}

// Settled is about one attempt. It ends an attempt that has reported, and an attempt at a node that
// does not want to own it.
func TestSettled(t *testing.T) {
	first, a := attempt('B', 1, 1), attempt('B', 1, 2)
	f := newFeeder()
	f.grant(a)
	out := f.feed(deliver('B', reptask.Message{Kind: reptask.Settled, Attempt: first, Confirm: true}))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Gone, Attempt: first}}, sent(out, 'B'))
	assert.Equal(t, "nothing to settle", ignored(f.tell('B', reptask.Settled, a)))
	require.Equal(t, reptask.Collecting, f.Roles[0].Phase)

	f.fire(reptask.LeaseTimer, 'B')
	out = f.tell('B', reptask.Settled, a)
	assert.Equal(t, reptask.Bound, f.Roles[0].Bond)
	assert.Equal(t, []reptask.Message{{Kind: reptask.Cancel, Attempt: a}}, sent(out, 'C'))
	assert.Equal(t, []reptask.Message{{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Revoked}}, sent(out, 'B'))

	f = newFeeder()
	f.grant(a)
	f.start(a, "CD")
	f.fire(reptask.LeaseTimer, 'B')
	f.fire(reptask.LeaseTimer, 'C')
	members := f.Roles[0].Members
	out = f.tell('B', reptask.Settled, a)
	assert.Equal(t, reptask.Bound, f.Roles[0].Bond)
	assert.Empty(t, out.Send, "its members stop already")
	assert.Equal(t, members, f.Roles[0].Members)
}

// A serial job whose task is lost is given up: there is no other node for it.
func TestLostSerialTask(t *testing.T) {
	f, a := newFeeder(), attempt('B', 2, 1)
	f.tell('C', reptask.Dispatch, attempt('C', 1, 1)) // it holds the node
	f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: reptask.Spec{Size: 1}}))
	require.Equal(t, reptask.Collecting, f.Roles[0].Phase)
	f.tell('A', reptask.Gone, a)
	assert.Equal(t, reptask.Resigning, f.Roles[0].Phase)
}

// Reports of positions that are not those of a member's waiting task have no effect.
func TestPositionsOfOthers(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.cluster("CDE")
	f.tell('C', reptask.Gone, a) // E replaces it
	before := f.Roles
	require.Len(t, before[0].Members, 3)
	for _, sender := range []byte("CG") {
		for _, of := range []reptask.Attempt{a, attempt('B', 9, 1)} {
			positions := []reptask.Position{{Attempt: of, Ahead: 4}}
			f.feed(deliver(sender, reptask.Message{Kind: reptask.Beat, Positions: positions}))
			assert.Equal(t, before, f.Roles)
		}
	}
	f.start(a, "DE")
	before = f.Roles
	positions := []reptask.Position{{Attempt: a, Ahead: 4}}
	f.feed(deliver('D', reptask.Message{Kind: reptask.Beat, Positions: positions}))
	assert.Equal(t, before, f.Roles, "nothing waits any more")
}

// A cluster has each node once, and as many as an encoding can have.
func TestClusterLimits(t *testing.T) {
	f := newFeeder()
	f.cluster("DCD")
	require.Len(t, f.Cluster, 2)
	var all []reptask.Neighbour
	for i := range protocol.MaxItems + 1 {
		all = append(all, reptask.Neighbour{ID: protocol.NodeID{Address: protocol.Address(i + 1), Incarnation: 1}})
	}
	f.feed(command(reptask.Command{Kind: reptask.CommandCluster, Cluster: all}))
	require.Len(t, f.Cluster, protocol.MaxItems)

	total := reptask.Spec{Size: 2, Over: reptask.OverTotal}
	out := f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: attempt('B', 1, 1), Spec: total}))
	assert.Len(t, out.Send, protocol.MaxItems)
}

// One and a half times k is rounded up.
func TestOverHalf(t *testing.T) {
	for size, want := range map[uint32]int{2: 3, 3: 5, 4: 6} {
		f := newFeeder()
		f.cluster("BCDEFGHIJ")
		spec := reptask.Spec{Size: size, Over: 1_500}
		out := f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: attempt('B', 1, 1), Spec: spec}))
		assert.Len(t, out.Send, want)
	}
}

// Idle nodes come first, at any position in the cluster. The node's own queue counts with
// its present length, not with the length in the cluster.
func TestIdleNodesComeFirst(t *testing.T) {
	for number := range uint64(10) { // each job prefers others among equals
		f := newFeeder()
		f.tell('B', reptask.Dispatch, attempt('B', 1, 1))
		f.feed(command(reptask.Command{Kind: reptask.CommandCluster, Cluster: []reptask.Neighbour{
			{ID: name('A')}, {ID: name('B'), Length: 3}, {ID: name('C'), Length: 1}, {ID: name('D')}, {ID: name('E')},
		}}))
		a := attempt('B', 2+number, 2)
		out := f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: two}))
		assert.Len(t, out.Send, 2)
		assert.Equal(t, []reptask.MessageKind{reptask.Dispatch}, kinds(sent(out, 'D')))
		assert.Equal(t, []reptask.MessageKind{reptask.Dispatch}, kinds(sent(out, 'E')))
	}
}

// A node whose queue is full still represents a job, on other nodes.
func TestFullQueueOfARepresentative(t *testing.T) {
	f := newFeeder()
	f.cfg.TaskLimit = 1
	f.tell('B', reptask.Dispatch, attempt('B', 1, 1))
	f.cluster("ACD")
	out := f.feed(deliver('B', reptask.Message{
		Kind: reptask.Grant, Attempt: attempt('B', 2, 2), Spec: reptask.Spec{Size: 2, Over: 1_500},
	}))
	for _, host := range []byte("CD") {
		assert.Equal(t, []reptask.MessageKind{reptask.Dispatch}, kinds(sent(out, host)))
	}
}

// Jobs spread over hosts among which nothing else decides.
func TestHostsSpread(t *testing.T) {
	count := map[protocol.NodeID]int{}
	for number := range uint64(60) {
		f := newFeeder()
		f.cluster("CDE")
		a := attempt('B', number, 1)
		out := f.feed(deliver('B', reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: two}))
		for _, e := range out.Send {
			count[e.To]++
		}
	}
	for _, host := range []byte("CDE") {
		assert.Greater(t, count[name(host)], 20)
	}
}
