package model

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
)

// reducer is a worker of a system that names confluent deliveries.
//
// The claim of System.Confluent is tested where it is used. A delivery is taken alone only if, in
// this state, it commutes with every other action at its node and the monitor does not observe it.
// Actions at other nodes commute with it in any case: they change other slots and append to
// inboxes, on a FIFO network to channels of their own. So a core that breaks the claim is mostly
// expanded in full. Two parts of the claim are not tested: that it stays true until the message
// arrives, and that no predicate notices the delivery.
type reducer[S, M, C any] struct {
	*worker[S, M, C]
	rivals        []action    // enabled in the state that
	asked         []uint32    // Confluent was called with
	others        []action    // enabled at one node in another state
	first, second []uint32    // where an action and its rival lead to
	ends          [2][]uint32 // where both lead to, in either order
}

var _ checker.Confluent = (*reducer[int, int, int])(nil)

// orderly reports whether messages arrive exactly once and no timeout is premature. Otherwise a
// message may arrive again long after it was answered, and hardly any delivery is confluent.
func (b Budget) orderly() bool {
	return b.Drop+b.Duplicate+b.Spurious+b.Suspect+b.Late == 0 && !b.endless()
}

var _ checker.Reserved = (*compiled[int, int, int])(nil)

// Reserved reports that a system names confluent deliveries and its budget rules them out.
func (c *compiled[S, M, C]) Reserved() []string {
	if c.Confluent == nil || c.Info.Budget.orderly() {
		return nil
	}
	return []string{"confluence: under this budget (" + c.Info.Budget.String() +
		") messages may be dropped, duplicated or delayed, and hardly any delivery can be taken first"}
}

// Confluent implements [checker.Confluent]. A crash could hit the receiver before the message
// arrives, so the budget must have none left. A restart happens to a node that is down, which
// receives nothing.
func (k *reducer[S, M, C]) Confluent(state []uint32, out *checker.Successors) bool {
	k.load(state)
	if k.left.left(crash) {
		return false
	}
	k.rivals = k.enabled(k.rivals[:0])
	k.asked = append(k.asked[:0], state...)
	for i := range k.rivals {
		a := &k.rivals[i]
		if a.kind != actDeliver || k.optional(a.kind, k.name(a.node)) ||
			!k.System.Confluent(&k.state, k.envelopes.Value(a.envelope).Envelope) {
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

// Expand implements [checker.Worker]. Mostly Confluent has just been called with the same state.
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

// commutes reports whether a delivery is invisible to the monitor and commutes with every rival at
// its node.
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

// after writes into the buffer the state that an action leads to.
func (k *reducer[S, M, C]) after(buffer, state []uint32, a *action) []uint32 {
	k.load(state)
	buffer = append(buffer[:0], state...)
	k.take(a, buffer)
	return buffer
}

// then takes an action in a state that its rival leads to, if it is still enabled there. It puts
// the next state in front of the one from the call before.
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
