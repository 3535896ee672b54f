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

// symmetricReducer is one of a system that names confluent deliveries besides.
type symmetricReducer[S, M, C any] struct {
	symmetric[S, M, C]
	reducer *reducer[S, M, C]
}

var (
	_ checker.Symmetric = (*symmetric[int, int, int])(nil)
	_ checker.Symmetric = (*symmetricReducer[int, int, int])(nil)
	_ checker.Confluent = (*symmetricReducer[int, int, int])(nil)
)

// What is declared of nodes is tried in the first states that a check expands, until there were so
// many trials, with all moves if there are no more than mostMoves, else with so many of them in
// turn; and then in one of so many states, with one move. How many workers a check has makes no
// difference to that.
const (
	firstAudits = 12 << 10
	seldomAudit = 1 << 8
	mostMoves   = 23 // besides that of no node: all of four nodes
)

// newSymmetric makes a worker one that knows which nodes are interchangeable.
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

// audits tries in a state, if it is its turn, what is declared of nodes. Once that has turned out
// to be false it is not tried any more: the path to the state is made by expanding states again.
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
	here := slices.Clone(state) // which may lie where expanding it writes
	for range tries {
		if o.refuted.Load() {
			return
		}
		k.audit(here, 1+int(o.tried.Add(1)%uint64(moves)))
	}
}

// audit tries one of the moves: that it makes another state of the orbit, with the same verdicts,
// that leads to the same orbits. If not, what was left out would be missing, and there is no
// verdict.
func (k *symmetric[S, M, C]) audit(state []uint32, m int) {
	other := make([]uint32, len(state))
	k.apply(state, m, other)
	if !slices.Equal(k.stands(state), k.stands(other)) {
		k.disagree(m, "what its functions make of a state twice over is not what they make of it at once: "+
			"lists that are kept in order must be put in order again, and all nodes be renamed at once")
	}
	if !slices.EqualFunc(k.following(state), k.following(other), slices.Equal) {
		k.disagree(m, "a state and what becomes of it lead to different ones: "+
			"the core, or the system, tells the nodes apart, some part of a state names a node that is not renamed, "+
			"or a list that the core keeps in order was not put in order again")
	}
	if predicate := k.differing(state, other); predicate != "" {
		k.disagree(m, fmt.Sprintf("%s has another answer for a state than for what becomes of it", predicate))
	}
}

// disagree ends the check: what is declared of the nodes that a move moves is not so.
func (k *symmetric[S, M, C]) disagree(m int, why string) {
	k.orbits.refuted.Store(true)
	var moved []string
	for node, to := range k.orbits.moves[m].to {
		if int(to) != node {
			moved = append(moved, k.name(node)+" is "+k.name(int(to)))
		}
	}
	k.broken(
		"nodes are declared interchangeable (System.Symmetry) and are not; if %s: %s; mend Groups or the functions of the Symmetry",
		strings.Join(moved, ", "),
		why,
	)
}

// stands is the state that stands for the orbit of a state.
func (k *symmetric[S, M, C]) stands(state []uint32) []uint32 {
	canonical := slices.Clone(state)
	k.Canonical(canonical)
	return canonical
}

// following lists, in some order, what can happen in a state: the kinds of actions, each with the
// orbit that it leads to.
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

// differing names a predicate that tells two states apart, if there is one.
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
