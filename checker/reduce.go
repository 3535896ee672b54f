package checker

import (
	"fmt"
	"slices"
)

// Confluent is implemented by workers that know actions which may be taken at once, before anything
// else, without loss (confluence reduction: Groote and van de Pol, 2000; Blom and van de Pol,
// 2002). An action a of a state s is one of them if
//
//   - no predicate of the model distinguishes s from a(s), except for Quiescent, which must be
//     false in s;
//   - any other action in s, or later before a is taken, does not disable a, is not disabled by a,
//     and leads to the same state whether it comes before a or after it. Alternatively the two are
//     alike: either may come first, and the other then has the same effect;
//   - there is no endless sequence of such actions;
//   - if the model has a LeadsTo: once a has enabled a class that is Fair, the class stays enabled
//     until an action of it is taken or the goal is met. Otherwise a fair run that takes a late,
//     and in which the class is disabled until then, may have no fair counterpart that takes a
//     early;
//   - if the model has a LeadsTo: the class of a is neither Finite nor Optional. Otherwise a run
//     may end where only a is left, while a run that took a early need not. The engine refuses such
//     an action.
//
// Then s and a(s) are branching bisimilar, and it is enough to explore a in s. All shapes of
// properties keep their verdicts. That includes [LeadsTo], for which the engine considers all
// classes that are enabled in s, not only that of a. But if any class is Strong, a model with a
// LeadsTo is not reduced. The third condition solves the ignoring problem: since every cycle has a
// state that is expanded in full, no action is postponed forever.
type Confluent interface {
	// Confluent adds the successor of s by one such action and reports true, or reports false if there
	// is none. The choice depends only on the meaning of the state.
	Confluent(state []uint32, out *Successors) bool
}

// Symmetric is implemented by workers of models with interchangeable parts. Two states that differ
// only in the names of such parts lie in one orbit. The predicates must be the same for all states
// of an orbit, and the successors of all states of an orbit must lie in the same orbits.
type Symmetric interface {
	// Canonical replaces a state, in place, by the representative of its orbit. All states of the
	// orbit have the same one.
	Canonical(state []uint32)
}

// Reserved is implemented by models that know why they cannot be reduced.
type Reserved interface {
	// Reserved names the reductions that are not possible, each with the reason: for
	// [Report.Declined].
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
	idle      []bool // by class: Finite or Optional, which no confluent action may be; nil if irrelevant
}

// reduce determines which reductions the options and the model allow, and records them for the
// report.
func (e *engine) reduce() {
	if !e.options.Reduce {
		return
	}
	m := e.pool.workers[0].model
	if e.options.Order.Samples() {
		e.declined = append(e.declined, "all: random walks gain nothing from reductions")
		return
	}
	if r, ok := e.model.(Reserved); ok {
		e.declined = append(e.declined, r.Reserved()...)
	}
	leadsTo := slices.IndexFunc(e.properties, func(p Property) bool { return p.Shape == LeadsTo })
	strong := slices.IndexFunc(e.classes, func(c Class) bool { return c.Strong })
	if _, ok := m.(Confluent); ok {
		if leadsTo >= 0 && strong >= 0 {
			e.declined = append(e.declined, fmt.Sprintf("%s: it enables actions early, "+
				"and property %q depends on strong fairness to class %q",
				confluence, e.properties[leadsTo].Name, e.classes[strong].Name))
		} else {
			e.applied = append(e.applied, confluence)
		}
	}
	if _, ok := m.(Symmetric); ok {
		if leadsTo >= 0 {
			e.declined = append(e.declined, fmt.Sprintf("%s: property %q depends on fairness, "+
				"which distinguishes interchangeable parts", symmetry, e.properties[leadsTo].Name))
		} else {
			e.applied = append(e.applied, symmetry)
		}
	}
	for _, w := range e.pool.workers {
		if slices.Contains(e.applied, confluence) {
			w.confluent = w.model.(Confluent)
			if leadsTo >= 0 {
				w.idle = e.classesThat(mayBeLeft)
			}
		}
		if slices.Contains(e.applied, symmetry) {
			w.symmetric = w.model.(Symmetric)
		}
	}
}

func isFinite(c Class) bool { return c.Finite }

// mayBeLeft reports whether a run may end where actions of the class are enabled.
func mayBeLeft(c Class) bool { return c.Finite || c.Optional }

// expand adds the successors of a state to explore, and reports whether any were left out.
func (w *worker) expand(state []uint32, out *Successors) bool {
	w.call(callConfluent, 0)
	reduced := w.confluent != nil && w.confluent.Confluent(state, out)
	switch {
	case !reduced:
		w.call(callExpand, 0)
		w.model.Expand(state, out)
	case w.idle != nil && w.idle[out.Class(out.Len()-1)]:
		panic(&ContractError{fmt.Sprintf("an action of class %d is confluent, and Finite or Optional: "+
			"a run may end before it, and a LeadsTo depends on that", out.Class(out.Len()-1))})
	}
	if w.symmetric != nil {
		w.call(callCanonical, 0)
		for i := range out.Len() {
			w.symmetric.Canonical(out.At(i))
		}
	}
	return reduced
}

// canonical returns the representative of a state's orbit; the state itself if there is no
// symmetry.
func (w *worker) canonical(state []uint32) []uint32 {
	if w.symmetric == nil {
		return state
	}
	w.orbit = append(w.orbit[:0], state...)
	w.call(callCanonical, 0)
	w.symmetric.Canonical(w.orbit)
	return w.orbit
}

// unreduced are states that were found without the symmetry.
type unreduced struct {
	met map[string]struct{}
	all []origin
}

// origin is a state, and the index of the state that leads to it, or its own among initial states.
type origin struct {
	PathStep
	from int
}

// add adds a state, unless it is known or there are enough.
func (u *unreduced) add(o origin) {
	key := fmt.Sprint(o.State)
	if _, known := u.met[key]; known || len(u.all) == unreducedMost {
		return
	}
	if u.met == nil {
		u.met = map[string]struct{}{}
	}
	u.met[key] = struct{}{}
	o.State = slices.Clone(o.State)
	u.all = append(u.all, o)
}

// path is a run to a state.
func (u *unreduced) path(i int) *Path {
	p := &Path{Loop: -1, Trigger: -1}
	for ; ; i = u.all[i].from {
		p.Steps = append(p.Steps, u.all[i].PathStep)
		if u.all[i].Action < 0 {
			p.Initial = u.all[i].from
			slices.Reverse(p.Steps)
			return p
		}
	}
}
