package reptask

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The jobs of the hand-made runs, from old to new, each of two dependents and with its own epoch.
func aJob(age uint64) reptask.Job { return reptask.Job{Submitted: age, Owner: id('A'), Number: 1} }

func try(age uint64, epoch uint32) reptask.Attempt {
	return reptask.Attempt{Job: aJob(age), By: id('A'), Epoch: epoch}
}

// watcher is a monitor whose nodes are views: it sees only views that a test passes to it.
var watcher = monitor[*View]{
	view: func(v *View) *View { return v }, sizes: func(reptask.Job) int { return 2 },
	candidates: func(reptask.Job) []protocol.NodeID { return ids("BC") },
}

// step is one step of a hand-made run: the events of a node, and its state afterwards.
type step struct {
	node  int
	event string
	epoch uint32
	tasks []Task
	owned []Owned

	peer  byte // that the event names; A if none
	roles []Role

	leaving bool

	cordoned bool
}

// play passes the step to the monitor.
func (s step) play(mon []byte) []byte {
	v := &View{
		ID: id(byte('A' + s.node)), Tasks: s.tasks, Owned: s.owned, Roles: s.roles, Leaving: s.leaving,
		Cordoned: s.cordoned,
	}
	e := protocol.Event{Name: s.event, Peer: id(max(s.peer, 'A')), Number: s.epoch}
	return watcher.Observe(mon, s.node, v, []protocol.Event{e})
}

func run(node int, event string, epoch uint32, tasks ...Task) step {
	return step{node: node, event: event, epoch: epoch, tasks: tasks}
}

func own(event string, number uint32, o Owned) step {
	return step{event: event, epoch: number, owned: []Owned{o}}
}

func in(state TaskState, a reptask.Attempt) Task { return Task{Attempt: a, State: state} }

// recall plays a run and returns what the monitor knows in the end.
func recall(steps ...step) *history {
	mon := watcher.Initial()
	for _, s := range steps {
		mon = s.play(mon)
	}
	return watcher.View(mon).(*history)
}

func TestMonitor(t *testing.T) {
	first, second := try(1, 1), try(2, 2)
	started := []step{run(1, eventStart, 1, in(Running, first)), run(2, eventStart, 1, in(Running, first))}
	ended := append(started, run(1, eventFinish, 1, in(Done, first)), run(2, eventFinish, 1, in(Done, first)))
	taken := append([]step{own(eventSubmit, 1, Owned{Attempt: first})}, ended...)
	accept := own(eventAccept, 1, Owned{Attempt: first, State: Accepted})
	overtaking := []Task{in(Queued, first), in(Running, second)}
	crash := step{event: eventCrash}
	adopt := step{node: 3, event: eventAdopt, epoch: 1, owned: []Owned{{Attempt: first, State: Accepted}}}
	again := step{node: 3, event: eventAccept, epoch: 1, owned: []Owned{{Attempt: first, State: Accepted}}}
	tests := []struct {
		name   string
		steps  []step
		broken uint32
	}{
		{"a run", append(taken, accept), 0},
		{"a third start", append(started, run(3, eventStart, 1, in(Running, first))), brokenMore},
		{"a second start on a node", []step{started[0], started[0]}, brokenMore},
		{"a start after a cancellation", []step{run(1, eventCancel, 1), started[0]}, brokenCancelled},
		{"a start elsewhere after a cancellation", []step{run(2, eventCancel, 1), started[0]}, 0},
		{"a start after a stop", []step{started[0], run(2, eventStop, 1), started[1]}, brokenCancelled},
		{"a start after a kill", []step{run(1, eventRequeue, 1, in(Queued, first)), started[0]}, brokenCancelled},
		{
			"a start after a kill and another vote",
			[]step{run(1, eventRequeue, 1, in(Queued, first)), run(1, eventReady, 1, in(Ready, first)), started[0]},
			0,
		},
		{"a start without a task", []step{run(1, eventStart, 1)}, brokenCancelled},
		{"a start after the result", append(taken, accept, run(3, eventStart, 1, in(Running, first))), brokenCancelled},
		{
			"a start after the next grant",
			[]step{own(eventGrant, 1, Owned{Attempt: first}), own(eventGrant, 2, Owned{Attempt: try(1, 2)}), started[0]},
			brokenCancelled,
		},
		{"a result twice", append(taken, accept, accept), brokenResult | brokenRun},
		{
			"a result twice, for the first owner has crashed",
			append(taken, own(eventGrant, 1, Owned{Attempt: first}), accept, crash, adopt, again),
			0,
		},
		{
			"a result twice, and the first owner lives",
			append(taken, own(eventGrant, 1, Owned{Attempt: first}), accept, adopt, again),
			brokenResult | brokenRun,
		},
		{
			"a result thrice",
			append(taken, own(eventGrant, 1, Owned{Attempt: first}), accept, crash, adopt, again, again),
			brokenResult | brokenRun,
		},
		{"a grant after the result", append(taken, accept, own(eventGrant, 2, Owned{Attempt: try(1, 2)})), brokenResult},
		{
			"a result too early",
			append(append([]step{own(eventSubmit, 1, Owned{Attempt: first})}, ended[:3]...), accept),
			brokenRun,
		},
		{
			"a result after a cancellation",
			append(taken, own(eventCancelled, 1, Owned{Attempt: first, State: Cancelled}), accept),
			brokenResult | brokenRun,
		},
		{"one newer job overtakes", []step{run(1, eventStart, 2, overtaking...)}, 0},
		{
			"two newer jobs overtake",
			[]step{run(1, eventStart, 2, overtaking...), run(1, eventStart, 3, in(Queued, first), in(Running, try(3, 3)))},
			brokenOvertaking,
		},
		{
			"two newer jobs overtake two placements",
			[]step{
				run(1, eventStart, 2, overtaking...),
				run(1, eventCancel, 1),
				run(1, eventStart, 3, in(Queued, try(1, 4)), in(Running, try(3, 3))),
			},
			0,
		},
		{
			"an older job starts",
			[]step{
				run(1, eventStart, 1, in(Running, first), in(Queued, second)),
				run(1, eventStart, 1, in(Running, try(1, 3)), in(Queued, second)),
			},
			brokenCancelled,
		},
		{"a job moves", []step{own(eventGrant, 1, Owned{Attempt: first}), run(1, eventMove, 1)}, 0},
		{
			"a job moves twice",
			[]step{
				own(eventGrant, 1, Owned{Attempt: first}),
				run(1, eventMove, 1),
				own(eventGrant, 2, Owned{Attempt: try(1, 2)}),
				run(1, eventMove, 2),
			},
			brokenMove,
		},
	}
	for _, test := range tests {
		h := recall(test.steps...)
		assert.Equal(t, test.broken, h.broken, test.name)
	}
}

// An attempt that was revoked is the last one, unless the node that was notified crashes before the
// owner does.
func TestRevoked(t *testing.T) {
	first, second := try(1, 1), try(1, 2)
	granted, again := own(eventGrant, 1, Owned{Attempt: first}), own(eventGrant, 2, Owned{Attempt: second})
	revoked := step{node: 1, event: eventRevoke, epoch: 1}
	part, crash := own(eventPart, 1, Owned{Attempt: first}), step{node: 1, event: eventCrash}
	for _, test := range []struct {
		name   string
		steps  []step
		broken uint32
	}{
		{"granted again", []step{granted, revoked, again}, brokenRevoked},
		{"not revoked", []step{granted, again}, 0},
		{
			"granted by an owner that revokes",
			[]step{granted, own(eventGrant, 2, Owned{Attempt: second, Revoking: true})},
			brokenRevoked,
		},
		{"an attempt of the past", []step{granted, again, revoked, own(eventGrant, 3, Owned{Attempt: try(1, 3)})}, 0},
		{"known to no owner", []step{granted, revoked, crash, again}, 0},
		{"known to the owner", []step{granted, revoked, part, crash, again}, brokenRevoked},
		{"another node crashes", []step{granted, revoked, {node: 2, event: eventCrash}, again}, brokenRevoked},
	} {
		assert.Equal(t, test.broken, recall(test.steps...).broken, test.name)
	}
}

// A node that leaves takes nothing more, but ends what it has begun.
func TestLeaver(t *testing.T) {
	for _, event := range []string{eventAdopt, eventRepresent, eventQueue, eventDecide} {
		taken := step{node: 1, event: event, epoch: 1, owned: []Owned{{Attempt: try(1, 1)}}}
		assert.Zero(t, recall(taken).broken, event)
		taken.leaving = true
		assert.Equal(t, uint32(brokenLeaving), recall(taken).broken, event)
	}
	assert.Zero(t, recall(step{node: 1, event: eventReady, epoch: 1, leaving: true}).broken)
}

// A node that is cordoned takes no task, and ends what it has begun.
func TestCordoned(t *testing.T) {
	assert.Equal(t, uint32(brokenCordon), recall(step{node: 1, event: eventQueue, epoch: 1, cordoned: true}).broken)
	for _, event := range []string{eventReady, eventRepresent, eventStart} {
		of := step{node: 1, event: event, epoch: 1, cordoned: true, owned: []Owned{{Attempt: try(1, 1)}}}
		assert.Zero(t, recall(of).broken&brokenCordon, event)
	}
}

// A job fails when B and C, its candidates, have refused it in a row, or were silent.
func TestAsked(t *testing.T) {
	first := try(1, 1)
	submit, failed := own(eventSubmit, 1, Owned{Attempt: first}), own(eventFailed, 1, Owned{Attempt: first, State: Failed})
	refuse := func(node int) step { return step{node: node, event: eventRefuse, epoch: 1} }
	vacant := func(node int, peer byte) step { return step{node: node, event: eventVacant, peer: peer} }
	represent := step{node: 1, event: eventRepresent, epoch: 1, roles: []Role{{Attempt: first}}}
	adopt := step{node: 3, event: eventAdopt, epoch: 1, owned: []Owned{{Attempt: first}}}
	other := step{node: 1, event: eventRefuse, epoch: 2}
	for _, test := range []struct {
		name   string
		steps  []step
		broken uint32
	}{
		{"both refuse", []step{refuse(1), refuse(2)}, 0},
		{"one refuses", []step{refuse(1)}, brokenAsked},
		{"one refuses twice", []step{refuse(1), refuse(1)}, brokenAsked},
		{"one refuses, and a node that is no candidate", []step{refuse(1), refuse(3)}, brokenAsked},
		{"one refuses another job", []step{other, refuse(2)}, brokenAsked},
		{"one is silent", []step{refuse(1), vacant(0, 'C')}, 0},
		{"one is silent to another node", []step{refuse(1), vacant(3, 'C')}, brokenAsked},
		{"one was silent to a former owner", []step{refuse(1), vacant(0, 'C'), adopt}, brokenAsked},
		{"not in a row", []step{refuse(1), represent, refuse(2)}, brokenAsked},
		{"in a row again", []step{refuse(1), represent, refuse(2), refuse(1)}, 0},
	} {
		steps := append([]step{submit}, test.steps...)
		assert.Equal(t, test.broken, recall(append(steps, failed)...).broken, test.name)
	}
}

func TestWitnesses(t *testing.T) {
	first := try(1, 1)
	half := run(1, eventStart, 1, in(Running, first))
	assert.Equal(
		t,
		uint32(seenRegrant|seenFewer),
		recall(own(eventGrant, 1, Owned{Attempt: first}), half, own(eventGrant, 2, Owned{Attempt: try(1, 2)})).seen,
	)
	assert.Equal(
		t,
		uint32(seenRegrant),
		recall(own(eventGrant, 1, Owned{Attempt: try(1, 2)})).seen,
		"refused in the same step",
	)
	assert.Zero(
		t,
		recall(half, own(eventCancelled, 1, Owned{Attempt: first, State: Cancelled})).seen,
		"a client may cancel in the middle of a start",
	)
	assert.Equal(t, uint32(seenStop), recall(half, run(1, eventStop, 1)).seen)
	assert.Equal(t, uint32(1<<2), recall(step{node: 2, event: eventCrash}).crashed)
}

// A job is lost if a crash leaves it neither owner nor representative, or if its owner crashes
// between two attempts.
func TestLost(t *testing.T) {
	first := try(1, 1)
	submit := own(eventSubmit, 1, Owned{Attempt: first})
	hold := func(event string, roles ...Role) func(mon []byte) []byte {
		return func(mon []byte) []byte {
			v := &View{ID: id('B'), Roles: roles}
			return watcher.Observe(mon, 1, v, []protocol.Event{{Name: event, Peer: id('A'), Number: 1}})
		}
	}
	play := func(s step) func(mon []byte) []byte { return s.play }
	held, forgotten := hold(eventRepresent, Role{Attempt: first}), hold(eventSettled)
	owner, other := play(step{event: eventCrash}), play(step{node: 1, event: eventCrash})
	adopt := play(step{node: 2, event: eventAdopt, epoch: 1, owned: []Owned{{Attempt: first}}})
	part := play(own(eventPart, 1, Owned{Attempt: first}))
	for _, test := range []struct {
		name  string
		steps []func([]byte) []byte
		lost  bool
	}{
		{"with its owner", []func([]byte) []byte{owner}, true},
		{"not with its owner alone", []func([]byte) []byte{held, owner}, false},
		{"not with its representative alone", []func([]byte) []byte{held, other}, false},
		{"with both", []func([]byte) []byte{held, owner, other}, true},
		{"not with both one after the other", []func([]byte) []byte{held, owner, adopt, other}, false},
		{"not when its representative forgets it unasked", []func([]byte) []byte{held, owner, forgotten}, false},
		{"between two attempts", []func([]byte) []byte{held, part, owner, forgotten}, true},
	} {
		mon := play(submit)(watcher.Initial())
		for _, step := range test.steps {
			mon = step(mon)
		}
		assert.Equal(t, test.lost, watcher.View(mon).(*history).jobs[0].lost, test.name)
	}
}

func TestHistoryCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint32Range(0, 3)
		var h history
		for range rapid.IntRange(0, 3).Draw(t, "attempts") {
			a := h.attempt(id(byte('A'+number.Draw(t, "owner"))), number.Draw(t, "epoch"))
			a.job, a.started, a.finished, a.killed = aJob(
				uint64(number.Draw(t, "age")),
			), number.Draw(
				t,
				"started",
			), number.Draw(
				t,
				"finished",
			), number.Draw(
				t,
				"killed",
			)
			a.cancelled = rapid.SampledFrom([]uint32{0, 1, ^uint32(0)}).Draw(t, "cancelled")
		}
		for range rapid.IntRange(0, 3).Draw(t, "jobs") {
			j := h.job(aJob(uint64(number.Draw(t, "job"))))
			j.by, j.owner, j.held, j.reporter = id('A'), number.Draw(t, "by"), number.Draw(t, "held"), number.Draw(t, "reporter")
			j.parting, j.lost = rapid.Bool().Draw(t, "parting"), rapid.Bool().Draw(t, "lost")
			j.revoked, j.revoker = rapid.Bool().Draw(t, "revoked"), number.Draw(t, "revoker")
			if rapid.Bool().Draw(t, "refused") {
				j.refused, j.gone = ids("B"), ids("CD")
			}
			j.granted, j.state = number.Draw(t, "granted"), JobState(number.Draw(t, "state"))
			j.moved, j.moving = number.Draw(t, "moved"), number.Draw(t, "moving")
		}
		if rapid.Bool().Draw(t, "overtaken") {
			h.waiting = []overtaken{{int(number.Draw(t, "node")), try(1, number.Draw(t, "epoch"))}}
		}
		h.crashed, h.seen, h.broken = number.Draw(t, "crashed"), number.Draw(t, "seen"), number.Draw(t, "broken")
		require.Equal(t, h, decodeHistory(h.encode()))
	})
}
