package reptask_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The application names a node that is to own an orphan, and at most 64 candidates.
func TestAskingLimits(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.bereave()
	c := reptask.Command{Kind: reptask.CommandAdopt, Job: a.Job}
	assert.Equal(t, "nobody to own it, or too many candidates", ignored(f.feed(command(c))))
	c.Target, c.Candidates = name('E'), slices.Repeat([]protocol.NodeID{name('A')}, 65)
	assert.Equal(t, "nobody to own it, or too many candidates", ignored(f.feed(command(c))))
	c.Candidates = c.Candidates[:64]
	adopt := sent(f.feed(command(c)), 'E')
	require.Len(t, adopt, 1)
	assert.Equal(t, c.Candidates, adopt[0].Candidates)
}

// A representative may own the job itself.
func TestAskingItself(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.bereave()
	f.ask(a, 'A')
	require.Len(t, f.Owned, 1)
	assert.Equal(t, a, f.Owned[0].Attempt())
	assert.Equal(t, reptask.Bound, f.Roles[0].Bond)
}

// A grant of the node that was asked answers Adopt, and gets the report that waited for an owner.
// To repeat it costs no other answer.
func TestAnswerOfTheNextOwner(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.grant(a)
	f.feed(command(reptask.Command{Kind: reptask.CommandMove, Job: a.Job, Target: name('F')}))
	f.bereave()
	f.ask(a, 'E')
	grant := reptask.Message{Kind: reptask.Grant, Attempt: a, Spec: two}
	giveUp := reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Moved, Target: name('F')}
	out := f.feed(deliver('E', grant))
	assert.Equal(t, []reptask.Message{giveUp}, sent(out, 'E'))
	assert.Empty(t, ignored(out))
	assert.Equal(t, reptask.Bound, f.Roles[0].Bond)
	assert.Empty(t, f.feed(deliver('E', grant)).Send)
}

// An answer counts for the attempt that it names, and while it is waited for.
func TestAnswersAboutOthers(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 2)
	f.grant(a)
	f.tell('B', reptask.Decline, a)
	require.Equal(t, reptask.Bound, f.Roles[0].Bond, "B was not asked")
	f.bereave()
	f.ask(a, 'E')
	earlier, later := attempt('B', 1, 1), attempt('B', 1, 3)
	f.tell('E', reptask.Decline, earlier)
	assert.Equal(t, reptask.Asking, f.Roles[0].Bond)
	f.feed(deliver('E', reptask.Message{Kind: reptask.Grant, Attempt: earlier, Spec: two}))
	assert.Equal(t, reptask.Asking, f.Roles[0].Bond)
	f.cluster("CD")
	f.feed(deliver('E', reptask.Message{Kind: reptask.Grant, Attempt: later, Spec: two}))
	assert.Equal(t, later, f.Roles[0].Attempt())
}

// Adopt says whether the job has moved, and its next owner remembers that.
func TestAdoptedJobHasMoved(t *testing.T) {
	f, a := newFeeder(), attempt('B', 1, 1)
	f.cluster("CD")
	f.feed(deliver('B', reptask.Message{
		Kind: reptask.Grant, Attempt: a, Spec: two, Moves: reptask.Moves{reptask.ByDLB: true},
	}))
	f.bereave()
	adopt := sent(f.ask(a, 'E'), 'E')
	require.Len(t, adopt, 1)
	assert.True(t, adopt[0].Moves[reptask.ByDLB])
	next := newFeeder()
	next.feed(deliver('C', adopt[0]))
	require.Len(t, next.Owned, 1)
	assert.True(t, next.Owned[0].Moves[reptask.ByDLB])
}

// An owner takes at most 64 candidates over.
func TestAdoptionLimits(t *testing.T) {
	m := reptask.Message{Kind: reptask.Adopt, Attempt: attempt('B', 1, 1), Spec: two}
	m.Candidates = slices.Repeat([]protocol.NodeID{name('D')}, 65)
	f := newFeeder()
	assert.Equal(t, []reptask.MessageKind{reptask.Decline}, kinds(sent(f.feed(deliver('C', m)), 'C')))
	m.Candidates = m.Candidates[:64]
	assert.Equal(t, []reptask.MessageKind{reptask.Grant}, kinds(sent(f.feed(deliver('C', m)), 'C')))
	assert.Len(t, f.Owned, 1)
}

// A job that a node owned and has forgotten had ended. It does not own it again, revoked or not.
func TestAdoptOfAForgottenJob(t *testing.T) {
	for _, revoked := range []bool{false, true} {
		f, a := newFeeder(), attempt('A', 1, 1)
		out := f.feed(deliver('C', reptask.Message{Kind: reptask.Adopt, Attempt: a, Revoked: revoked}))
		assert.Equal(t, []reptask.Message{{Kind: reptask.Settled, Attempt: a}}, sent(out, 'C'))
		assert.Empty(t, f.Owned)
	}
}

// An owner answers Settled to all but the representative of the latest attempt, and to that when
// the job has ended. A revocation recorded by an earlier attempt does not count.
func TestAdoptOfAnOwnedJob(t *testing.T) {
	f, first, second := newFeeder(), attempt('A', 1, 1), attempt('A', 1, 2)
	f.submit("C")
	f.feed(deliver('C', reptask.Message{Kind: reptask.GiveUp, Attempt: first, Reason: reptask.Lost}))
	f.tell('C', reptask.Gone, first)
	require.Equal(t, second, f.Owned[0].Attempt())
	settled := func(from byte, a reptask.Attempt, state reptask.JobState) {
		m := reptask.Message{Kind: reptask.Adopt, Attempt: a, Revoked: a == first || state > reptask.JobRevoking}
		assert.Equal(t, []reptask.Message{{Kind: reptask.Settled, Attempt: a}}, sent(f.feed(deliver(from, m)), from))
		assert.Equal(t, state, f.Owned[0].State)
	}
	settled('C', first, reptask.JobOpen)
	settled('D', second, reptask.JobOpen)
	f.tell('C', reptask.Result, second)
	settled('C', second, reptask.JobAccepted)
}

// A node that represents an earlier attempt at a job ends it when it is asked to own a later one.
// It owns no earlier one than it represents.
func TestAdoptAndRepresent(t *testing.T) {
	earlier, later := attempt('B', 1, 1), attempt('B', 1, 2)
	f := newFeeder()
	f.grant(earlier)
	adopt := reptask.Message{Kind: reptask.Adopt, Attempt: later, Spec: two}
	out := f.feed(deliver('E', adopt))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Cancel, Attempt: earlier}}, sent(out, 'C'))
	assert.Empty(t, f.Roles)
	assert.Len(t, f.Owned, 1)

	f = newFeeder()
	f.grant(later)
	adopt.Attempt = earlier
	out = f.feed(deliver('E', adopt))
	assert.Equal(t, []reptask.Message{{Kind: reptask.Settled, Attempt: earlier}}, sent(out, 'E'))
	assert.Len(t, f.Roles, 1)
	assert.Empty(t, f.Owned)
}
