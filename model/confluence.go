package model

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// reducer is a worker of a system that names confluent deliveries.
//
// What System.Confluent says is not taken on trust where it is used: a delivery is taken alone only
// if it commutes, in this very state, with every other action at its node, and the monitor does not
// notice it. (Actions at other nodes commute with it in any case: they touch other slots, and add
// to inboxes.) So a core that is not what its model takes it for is mostly expanded in full. What
// is taken on trust is that it goes on like that until the message arrives, and that no predicate
// notices.
type reducer[S, M, C any] struct {
	*worker[S, M, C]
	rivals        []action    // what is enabled in
	asked         []uint32    // this state
	others        []action    // what is enabled at one node in another
	first, second []uint32    // where an action and its rival lead to,
	ends          [2][]uint32 // and then both
}

var _ checker.Confluent = (*reducer[int, int, int])(nil)

// orderly reports whether messages arrive exactly once and timers fire only when nothing that they
// wait for is on its way. Otherwise a message may turn up again long after it was answered, and
// hardly any arrival is confluent.
func (b Budget) orderly() bool { return b.Drop+b.Duplicate+b.Spurious+b.Suspect == 0 && !b.Repeat }

var _ checker.Reserved = (*compiled[int, int, int])(nil)

// Reserved tells that a system names confluent deliveries, and that its budget leaves none.
func (c *compiled[S, M, C]) Reserved() []string {
	if c.Confluent == nil || c.Info.Budget.orderly() {
		return nil
	}
	return []string{"confluence: under this budget (" + c.Info.Budget.String() +
		") messages may come late, again or never, and hardly any delivery can be taken first"}
}

// Confluent implements [checker.Confluent]. A crash that may still come could hit the receiver
// before the message, so none must be left. Restarts happen at places where nobody is.
func (k *reducer[S, M, C]) Confluent(state []uint32, out *checker.Successors) bool {
	k.load(state)
	if k.left.left(crash) {
		return false
	}
	k.rivals = k.enabled(k.rivals[:0])
	k.asked = append(k.asked[:0], state...)
	for i := range k.rivals {
		a := &k.rivals[i]
		if a.kind != actDeliver || !k.System.Confluent(&k.state, k.envelopes.Value(a.envelope).Envelope) {
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
	for i := range k.rivals {
		a := &k.rivals[i]
		k.take(a, out.Add(int(a.kind)*k.n+a.node))
	}
}

// commutes reports whether a delivery is invisible to the monitor and may come before or after
// every rival at its node.
func (k *reducer[S, M, C]) commutes(state []uint32, a *action) bool {
	k.first = k.after(k.first, state, a)
	if k.Monitor != nil && k.first[k.monitorAt()] != state[k.monitorAt()] {
		return false
	}
	for i := range k.rivals {
		b := &k.rivals[i]
		if b.node != a.node || b == a {
			continue
		}
		k.second = k.after(k.second, state, b)
		if !k.then(k.first, b) || !k.then(k.second, a) || !slices.Equal(k.ends[0], k.ends[1]) {
			return false
		}
	}
	return true
}

// after writes the state that an action of a state leads to into the buffer.
func (k *reducer[S, M, C]) after(buffer, state []uint32, a *action) []uint32 {
	k.load(state)
	buffer = append(buffer[:0], state...)
	k.take(a, buffer)
	return buffer
}

// then takes an action in a state reached by its rival, if it is still enabled there, and keeps
// where it leads to in front of the end before.
func (k *reducer[S, M, C]) then(state []uint32, wanted *action) bool {
	k.load(state)
	k.others = k.others[:0]
	p := k.state.places[wanted.node]
	if p.acts() {
		k.others = k.ofNode(k.others, wanted.node)
	}
	if p.receives() {
		k.others = k.arrivals(k.others, actDeliver, wanted.node)
	}
	for i := range k.others {
		a := &k.others[i]
		if a.kind == wanted.kind && a.envelope == wanted.envelope && a.value == wanted.value && a.timer == wanted.timer {
			k.ends[0], k.ends[1] = k.after(k.ends[1], state, a), k.ends[0]
			return true
		}
	}
	return false
}
