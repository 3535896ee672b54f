package checker

import (
	"fmt"
	"slices"
)

// Confluent is implemented by workers that know of actions which may be taken at once, before anything
// else, without anything being lost (confluence reduction: Groote and van de Pol, 2000; Blom and van de
// Pol, 2002). An action a of a state s is one of them if
//
//   - no predicate of the model tells s from a(s), but for Quiescent, which must be false in s;
//   - whatever else happens in s, or later before a is taken, does not disable a, is not disabled by a,
//     and comes to the same state whether before a or after it. Instead, the two may be alike: either may
//     come first, and the other then has the same effect;
//   - there is no endless sequence of such actions;
//   - if the model has a LeadsTo: once a has enabled a class that is Fair, the class stays enabled until an action of
//     it is taken or the goal is met. Otherwise a fair run that takes a late, and sees the class disabled until then,
//     may have no fair counterpart that takes a early;
//   - if the model has a LeadsTo: the class of a is not Finite. Otherwise a run may end where a is all that is left, and one in which
//     a was taken early need not. The engine refuses such an action.
//
// Then s and a(s) are branching bisimilar, and a is enough to be explored in s. All shapes of properties keep
// their verdicts. That includes [LeadsTo], for which the engine looks at all classes that are enabled in
// s, not only at that of a; but if any class is Strong, a model with a LeadsTo is not reduced. The third condition
// is about what is called the ignoring problem elsewhere: since every cycle has a state that is expanded in full,
// nothing is put off for ever.
type Confluent interface {
	// Confluent adds the successor of s by one such action and reports true, or reports that it knows none.
	// Which one it is depends only on the meaning of the state.
	Confluent(state []uint32, out *Successors) bool
}

// Symmetric is implemented by workers of models with interchangeable parts. Two states that differ only
// in which part is which lie in one orbit. The predicates must be the same for all states of an orbit, and what can happen in
// one must lead to the same orbits as what can happen in another.
type Symmetric interface {
	// Canonical turns a state into the one that stands for its orbit, in place. All states of the orbit
	// become the same one.
	Canonical(state []uint32)
}

// Reserved is implemented by models that could be reduced if they were a little different.
type Reserved interface {
	// Reserved names the reductions that cannot be, and says why: for [Report.Declined].
	Reserved() []string
}

// The names of the reductions in [Report.Reductions].
const (
	confluence = "confluence"
	symmetry   = "symmetry"
)

// reductions are those of a check. Nil functions leave nothing out.
type reductions struct {
	confluent Confluent
	symmetric Symmetric
	finite    []bool // by class: it is Finite, which no confluent action may be; nil if that does not matter
}

// reduce finds out which reductions the options and the model allow, and notes them for the report.
func (e *engine) reduce() {
	if !e.options.Reduce {
		return
	}
	m := e.pool.workers[0].model
	if e.options.Order.Samples() {
		e.declined = append(e.declined, "all: random walks leave nothing out that they could save")
		return
	}
	if r, ok := e.model.(Reserved); ok {
		e.declined = append(e.declined, r.Reserved()...)
	}
	leadsTo := slices.IndexFunc(e.properties, func(p Property) bool { return p.Shape == LeadsTo })
	strong := slices.IndexFunc(e.classes, func(c Class) bool { return c.Strong })
	if _, ok := m.(Confluent); ok {
		if leadsTo >= 0 && strong >= 0 {
			e.declined = append(e.declined, fmt.Sprintf("%s: it enables actions early, to which strong fairness to class %q, which property %q needs, is not indifferent",
				confluence, e.classes[strong].Name, e.properties[leadsTo].Name))
		} else {
			e.applied = append(e.applied, confluence)
		}
	}
	if _, ok := m.(Symmetric); ok {
		if leadsTo >= 0 {
			e.declined = append(e.declined, fmt.Sprintf("%s: fairness, which property %q needs, tells parts apart", symmetry, e.properties[leadsTo].Name))
		} else {
			e.applied = append(e.applied, symmetry)
		}
	}
	for _, w := range e.pool.workers {
		if slices.Contains(e.applied, confluence) {
			w.confluent = w.model.(Confluent)
			if leadsTo >= 0 {
				w.finite = e.finite()
			}
		}
		if slices.Contains(e.applied, symmetry) {
			w.symmetric = w.model.(Symmetric)
		}
	}
}

// finite tells of each class whether it is Finite.
func (e *engine) finite() []bool {
	all := make([]bool, len(e.classes))
	for i, c := range e.classes {
		all[i] = c.Finite
	}
	return all
}

// expand adds the successors of a state that are to be explored, and reports whether any were left out.
func (w *worker) expand(state []uint32, out *Successors) bool {
	reduced := w.confluent != nil && w.confluent.Confluent(state, out)
	switch {
	case !reduced:
		w.model.Expand(state, out)
	case w.finite != nil && w.finite[out.Class(out.Len()-1)]:
		panic(&ContractError{fmt.Sprintf("an action of class %d is confluent and Finite: a run may end before it, which LeadsTo is not indifferent to", out.Class(out.Len()-1))})
	}
	if w.symmetric != nil {
		for i := range out.Len() {
			w.symmetric.Canonical(out.At(i))
		}
	}
	return reduced
}

// canonical returns the state that stands for a state's orbit; the state itself if there is no symmetry.
func (w *worker) canonical(state []uint32) []uint32 {
	if w.symmetric == nil {
		return state
	}
	w.orbit = append(w.orbit[:0], state...)
	w.symmetric.Canonical(w.orbit)
	return w.orbit
}
