package model

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// reducer is a worker of a system that names confluent deliveries.
//
// What System.Confluent says is not taken on trust where it is used: a delivery is taken alone only if it
// commutes, in this very state, with every other action at its node, and the monitor does not notice it. (Actions
// at other nodes commute with it in any case: they touch other slots, and add to inboxes.) So a core that is
// not what its model takes it for is mostly expanded in full. What is taken on trust is that it goes on like that
// until the message arrives, and that no predicate notices.
type reducer[S, M, C any] struct {
	*worker[S, M, C]
	rivals              []action // what is enabled in
	asked               []uint32 // this state
	from, first, second []uint32 // vectors under way
}

var _ checker.Confluent = (*reducer[int, int, int])(nil)

// orderly reports whether messages arrive exactly once and timers fire only when nothing that they wait for is on its
// way. Otherwise a message may turn up again long after it was answered, and hardly any arrival is confluent.
func (b Budget) orderly() bool { return b.Drop+b.Duplicate+b.Spurious+b.Suspect == 0 }

// Confluent implements [checker.Confluent]. A crash that may still come could hit the receiver before the message,
// so none must be left. Restarts happen at places where nobody is.
func (k *reducer[S, M, C]) Confluent(state []uint32, out *checker.Successors) bool {
	if packed(state[k.budgetAt()]).left(crash) {
		return false
	}
	k.load(state)
	k.rivals = k.enabled(k.rivals[:0])
	k.asked = append(k.asked[:0], state...)
	for _, a := range k.rivals {
		if a.kind != actDeliver || !k.System.Confluent(&k.world, k.envelopes.Value(a.envelope).Envelope) {
			continue
		}
		if k.commutes(state, a) {
			k.load(state)
			k.take(a, out.Add(int(a.kind)*k.n+a.node))
			return true
		}
		k.load(state)
	}
	return false
}

// Expand implements [checker.Worker]. Mostly Confluent has just been asked about the same state.
func (k *reducer[S, M, C]) Expand(state []uint32, out *checker.Successors) {
	if !slices.Equal(k.asked, state) {
		k.worker.Expand(state, out)
		return
	}
	k.load(state)
	for _, a := range k.rivals {
		k.take(a, out.Add(int(a.kind)*k.n+a.node))
	}
}

// commutes reports whether a delivery is invisible to the monitor and may come before or after every rival.
func (k *reducer[S, M, C]) commutes(state []uint32, a action) bool {
	k.first = k.follow(k.first, state, a)
	if k.first[k.monitorAt()] != state[k.monitorAt()] {
		return false
	}
	for _, b := range k.rivals {
		if b.node != a.node || b == a {
			continue
		}
		k.second = k.follow(k.second, state, b)
		if !k.possible(k.first, b) || !k.possible(k.second, a) {
			return false
		}
		k.first = k.follow(k.first, k.first, b)
		k.second = k.follow(k.second, k.second, a)
		if !slices.Equal(k.first, k.second) {
			return false
		}
		k.first = k.follow(k.first, state, a)
	}
	return true
}

// follow writes the state that an action leads to into the buffer, which may be the state itself.
func (k *reducer[S, M, C]) follow(buffer, state []uint32, a action) []uint32 {
	k.from = append(k.from[:0], state...)
	buffer = append(buffer[:0], k.from...)
	k.load(k.from)
	k.take(a, buffer)
	return buffer
}

// possible reports whether what an action is about is there: its message, its timer, its choice, its order.
func (k *reducer[S, M, C]) possible(state []uint32, a action) bool {
	slot := k.slots.Value(state[a.node])
	switch a.kind {
	case actDeliver:
		return slot.live && slot.Choose == 0 && slices.Contains(k.inboxes.Value(state[k.inboxAt(a.node)]).envelopes, a.envelope)
	case actTimeout:
		return slot.live && slot.Choose == 0 && slices.Contains(slot.Timers, a.timer)
	case actCommand:
		return slot.live && slot.Choose == 0 && len(k.script(a.node, slot)) > 0
	}
	return false
}
