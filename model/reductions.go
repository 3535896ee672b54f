package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
)

// symmetric is a worker of a system with interchangeable nodes.
type symmetric[S, M, C any] struct {
	*orbiter[S, M, C]
	plain checker.Worker
}

// symmetricReducer is a worker of a system that also names confluent deliveries.
type symmetricReducer[S, M, C any] struct {
	symmetric[S, M, C]
	reducer *reducer[S, M, C]
}

var (
	_ checker.Symmetric = (*symmetric[int, int, int])(nil)
	_ checker.Symmetric = (*symmetricReducer[int, int, int])(nil)
	_ checker.Confluent = (*symmetricReducer[int, int, int])(nil)
)

// A check tests the symmetry in the states that it expands. In the first states it tries all moves,
// or mostMoves of them in turn, until there were firstAudits trials. Then it tries one move in one
// of seldomAudit states. The number of workers makes no difference.
const (
	firstAudits = 12 << 10
	seldomAudit = 1 << 8
	mostMoves   = 23 // all moves of four nodes, without the identity
)

// newSymmetric wraps a worker of a system with interchangeable nodes.
func newSymmetric[S, M, C any](k *worker[S, M, C], plain checker.Worker) symmetric[S, M, C] {
	return symmetric[S, M, C]{orbiter: newOrbiter(k), plain: plain}
}

// Confluent implements [checker.Confluent].
func (k *symmetricReducer[S, M, C]) Confluent(state []uint32, out *checker.Successors) bool {
	return k.reducer.Confluent(state, out)
}

// Expand implements [checker.Worker].
func (k *symmetric[S, M, C]) Expand(state []uint32, out *checker.Successors) {
	if k.asked {
		k.audits(state)
	}
	k.plain.Expand(state, out)
}

// audits tests the symmetry in a state, if it is the state's turn. After a failure it tests no
// more, because the checker expands states again to build the path to the failure.
func (k *symmetric[S, M, C]) audits(state []uint32) {
	o := k.orbits
	moves, tries := len(o.moves)-1, 0
	switch {
	case o.tried.Load() < firstAudits:
		tries = min(moves, mostMoves)
	case o.skipped.Add(1)%seldomAudit == 0:
		tries = min(moves, 1)
	}
	if tries == 0 {
		return
	}
	here := slices.Clone(state) // expanding states may overwrite it
	for range tries {
		if o.refuted.Load() {
			return
		}
		k.audit(here, 1+int(o.tried.Add(1)%uint64(moves)))
	}
}

// audit tests one move: it must lead to a state of the same orbit, with the same verdicts, whose
// successors are in the same orbits. Otherwise the states that were left out could matter, and the
// check ends without a verdict.
func (k *symmetric[S, M, C]) audit(state []uint32, m int) {
	other := make([]uint32, len(state))
	k.apply(state, m, other)
	if !slices.Equal(k.stands(state), k.stands(other)) {
		k.disagree(m, "its functions applied twice do not give what they give at once: "+
			"sorted lists must be sorted again, and all nodes be renamed at once")
	}
	if !slices.EqualFunc(k.following(state), k.following(other), slices.Equal) {
		k.disagree(m, "a state and its image have different successors: "+
			"the core or the system distinguishes the nodes, some part of a state names a node that is not renamed, "+
			"or a list that the core keeps sorted was not sorted again")
	}
	if predicate := k.differing(state, other); predicate != "" {
		k.disagree(m, fmt.Sprintf("%s differs between a state and its image", predicate))
	}
}

// disagree ends the check: the nodes that a move moves are not interchangeable.
func (k *symmetric[S, M, C]) disagree(m int, why string) {
	k.orbits.refuted.Store(true)
	var moved []string
	for node, to := range k.orbits.moves[m].to {
		if int(to) != node {
			moved = append(moved, k.name(node)+" is "+k.name(int(to)))
		}
	}
	k.broken(
		"System.Symmetry says that nodes are interchangeable, and they are not; if %s: %s; "+
			"correct Groups or the functions of the Symmetry",
		strings.Join(moved, ", "),
		why,
	)
}

// stands returns the canonical state of a state's orbit.
func (k *symmetric[S, M, C]) stands(state []uint32) []uint32 {
	canonical := slices.Clone(state)
	k.Canonical(canonical)
	return canonical
}

// following lists, in some canonical order, the kinds of actions of a state, each with the orbit
// that the action leads to.
func (k *symmetric[S, M, C]) following(state []uint32) [][]uint32 {
	next := checker.NewSuccessors(k.Width())
	k.worker.Expand(state, next)
	all := make([][]uint32, next.Len())
	for i := range all {
		kind := next.Class(i) / k.n
		all[i] = append(k.stands(next.At(i)), uint32(kind))
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// differing names a predicate that differs between two states, or returns "".
func (k *symmetric[S, M, C]) differing(state, other []uint32) string {
	if k.QuiescentEnd(state) != k.QuiescentEnd(other) {
		return "System.QuiescentEnd"
	}
	rest := k.Quiescent(state)
	for i, p := range k.System.Properties {
		if p.Shape == checker.Quiescent && !rest {
			continue
		}
		if k.Holds(i, state) != k.Holds(i, other) || p.Shape.Live() && k.Triggers(i, state) != k.Triggers(i, other) {
			return fmt.Sprintf("property %q", p.Name)
		}
	}
	return ""
}

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
// arrives, so the budget of crashes must be used up. A restart happens to a node that is down,
// which receives nothing.
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
