package reptask_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A job has from one to MaxItems dependents, and from one to 64 candidates.
func TestPossibleJobs(t *testing.T) {
	for _, test := range []struct {
		size       uint32
		candidates int
		possible   bool
	}{
		{0, 1, false}, {protocol.MaxItems + 1, 1, false}, {2, 0, false}, {2, 65, false},
		{1, 1, true}, {protocol.MaxItems, 64, true},
	} {
		f := newFeeder()
		out := f.feed(command(reptask.Command{
			Kind: reptask.CommandSubmit, Spec: reptask.Spec{Size: test.size},
			Candidates: slices.Repeat([]protocol.NodeID{name('B')}, test.candidates),
		}))
		assert.Equal(t, test.possible, len(f.Owned) == 1, "%+v", test)
		assert.Equal(t, !test.possible, ignored(out) == "an impossible job", "%+v", test)
	}
}

// A node that leaves owns no new job. To leave again changes nothing.
func TestLeaverSubmits(t *testing.T) {
	f := newFeeder()
	leave := command(reptask.Command{Kind: reptask.CommandLeave})
	assert.Empty(t, ignored(f.feed(leave)))
	assert.Equal(t, "leaving", ignored(f.submit("B")))
	assert.Empty(t, f.Owned)
	assert.Equal(t, "leaving already", ignored(f.feed(leave)))
}

// Jobs make room when they have ended, the first one first. A job that is being cancelled has not.
func TestRoomForJobs(t *testing.T) {
	f := newFeeder()
	f.cfg.JobLimit = 2
	for number := range uint32(2) {
		f.submit("B")
		require.Equal(t, number+1, f.Owned[number].Job.Number, "they are in the order of their numbers")
		f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: number + 1}))
	}
	assert.Equal(t, "too many jobs", ignored(f.submit("B")))
	for i := range f.Owned {
		revoked := reptask.Message{Kind: reptask.GiveUp, Attempt: f.Owned[i].Attempt(), Reason: reptask.Refused}
		f.feed(deliver('B', revoked))
		require.Equal(t, reptask.JobCancelled, f.Owned[i].State)
	}
	f.submit("B")
	require.Len(t, f.Owned, 2)
	assert.Equal(t, uint32(2), f.Owned[0].Job.Number)
}

// A revocation is resent until it is answered.
func TestRevokeIsResent(t *testing.T) {
	f := newFeeder()
	f.submit("B")
	revoke := []reptask.Message{{Kind: reptask.Revoke, Attempt: attempt('A', 1, 1)}}
	assert.Equal(t, revoke, sent(f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: 1})), 'B'))
	assert.Equal(t, revoke, sent(f.fire(reptask.ResendTimer, 0), 'B'))
}

// Only the representative of an attempt reports how it ended, and only it can have forgotten it.
func TestReportsOfOthers(t *testing.T) {
	f, a := newFeeder(), attempt('A', 1, 1)
	f.submit("BC")
	lost := reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Lost}
	for _, m := range []reptask.Message{{Kind: reptask.Result, Attempt: a}, lost} {
		before := f.State
		out := f.feed(deliver('C', m))
		assert.Equal(t, before, f.State, m.Kind.String())
		assert.Equal(t, []reptask.Message{{Kind: reptask.Settled, Attempt: a}}, sent(out, 'C'))
	}
	f.feed(deliver('B', lost))
	require.True(t, f.Owned[0].Parting)
	f.tell('C', reptask.Gone, a)
	assert.True(t, f.Owned[0].Parting)
	f.tell('B', reptask.Gone, a)
	assert.Equal(t, uint32(2), f.Owned[0].Epoch)
}

// An attempt ends once, however often its representative says so. A job goes where it is to move to
// although its former representative, which has forgotten the attempt, refuses a late Grant.
func TestEndOfAMovedAttempt(t *testing.T) {
	f, a := newFeeder(), attempt('A', 1, 1)
	f.submit("B")
	move := reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Moved, Target: name('C')}
	assert.Equal(t, 1, announced(f.feed(deliver('B', move)), reptask.EventPart))
	assert.Zero(t, announced(f.feed(deliver('B', move)), reptask.EventPart))
	f.feed(deliver('B', reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Refused}))
	out := f.tell('B', reptask.Gone, a)
	grant := reptask.Message{
		Kind: reptask.Grant, Attempt: attempt('A', 1, 2), Spec: two, Moves: reptask.Moves{reptask.ByDLB: true},
	}
	assert.Equal(t, []reptask.Message{grant}, sent(out, 'C'))
}

// A job that is cancelled while its representative forgets an attempt that moves has ended when it
// has. The target is sent nothing.
func TestCancelledWhileItMoves(t *testing.T) {
	f, a := newFeeder(), attempt('A', 1, 1)
	f.submit("B")
	f.feed(deliver('B', reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Moved, Target: name('C')}))
	f.feed(command(reptask.Command{Kind: reptask.CommandCancel, Number: 1}))
	require.True(t, f.Owned[0].Parting)
	out := f.tell('B', reptask.Gone, a)
	assert.Equal(t, 1, announced(out, reptask.EventCancelled))
	assert.Empty(t, out.Send)
	assert.Equal(t, reptask.JobCancelled, f.Owned[0].State)
}

// The last candidate fails while a job is at the target of its move. If that refuses it, too, no
// candidate is left, and the job has failed.
func TestNoCandidateIsLeft(t *testing.T) {
	f, a := newFeeder(), attempt('A', 1, 1)
	f.submit("B")
	f.feed(deliver('B', reptask.Message{Kind: reptask.GiveUp, Attempt: a, Reason: reptask.Moved, Target: name('C')}))
	f.tell('B', reptask.Gone, a)
	f.fire(reptask.RegrantTimer, 'B')
	require.Empty(t, f.Owned[0].Candidates)
	refused := reptask.Message{Kind: reptask.GiveUp, Attempt: attempt('A', 1, 2), Reason: reptask.Refused}
	f.feed(deliver('C', refused))
	assert.Equal(t, reptask.JobFailed, f.Owned[0].State)
}

// Refusals count from the first again if a candidate fails, and only then.
func TestRefusalsAreKept(t *testing.T) {
	f := newFeeder()
	f.submit("BCD")
	f.feed(deliver('B', reptask.Message{Kind: reptask.GiveUp, Attempt: attempt('A', 1, 1), Reason: reptask.Refused}))
	require.Equal(t, uint32(1), f.Owned[0].Refusals)
	f.fire(reptask.RegrantTimer, 'E')
	assert.Equal(t, uint32(1), f.Owned[0].Refusals, "E is no candidate")
	f.fire(reptask.RegrantTimer, 'D')
	assert.Zero(t, f.Owned[0].Refusals)
}

// A node that leaves may depart when nothing is left: no task, no role, no job that is open.
func TestDrained(t *testing.T) {
	for what, test := range map[string]struct {
		state   reptask.State
		drained bool
	}{
		"it stays":             {reptask.State{}, false},
		"nothing":              {reptask.State{Leaving: true}, true},
		"a task":               {reptask.State{Leaving: true, Tasks: []reptask.Task{{}}}, false},
		"a role":               {reptask.State{Leaving: true, Roles: []reptask.Role{{}}}, false},
		"an open job":          {reptask.State{Leaving: true, Owned: []reptask.Owned{{}}}, false},
		"one being revoked":    {reptask.State{Leaving: true, Owned: []reptask.Owned{{State: reptask.JobRevoking}}}, false},
		"a job that has ended": {reptask.State{Leaving: true, Owned: []reptask.Owned{{State: reptask.JobAccepted}}}, true},
	} {
		assert.Equal(t, test.drained, test.state.Drained(), what)
	}
}
