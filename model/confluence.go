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
	rivals        []action
	first, second []uint32 // vectors under way
}

var _ checker.Confluent = (*reducer[int, int, int])(nil)

// Confluent implements [checker.Confluent]. Faults that may still come could hit the message, or its receiver
// before it: so none must be left, but restarts, which happen at places where nobody is.
func (k *reducer[S, M, C]) Confluent(state []uint32, out *checker.Successors) bool {
	if packed(state[k.budgetAt()])&^(maxBudget<<(4*restart)) != 0 {
		return false
	}
	k.load(state)
	k.rivals = k.enabled(k.rivals[:0])
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
	from := slices.Clone(state)
	buffer = append(buffer[:0], from...)
	k.load(from)
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
