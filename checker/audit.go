package checker

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/checker/internal/hashfn"
)

// The functions of a model come from strangers. Some that are wrong give wrong verdicts without an
// error: functions that change what they are given, that give another answer the next time, a
// Canonical that merges states which differ. So a search calls them once more in some of the states
// that it expands: in the first auditedFirst states that it finds, and in one of auditedShare of
// all others. Which ones depends on nothing but the number of the state, so they are the same with
// any number of workers, and after a resume. Such a state takes several times as long as another,
// so more of them would slow down checks of small models by the first number, and of large ones by
// the second.
const (
	auditedFirst = 256
	auditedShare = 256

	// In the first orbitsFirst states each successor and its representative are compared by where
	// they lead in one step, and one of the successors orbitSteps far. Later it is one successor of
	// each state that is audited, one step.
	orbitsFirst = 256
	orbitSteps  = 8

	// A Canonical that is wrong in few places hides from a sample of representatives. So as many
	// states are found once more without it.
	unreducedMost = 4096
)

// audited reports whether the functions of the model are tested in a state.
func audited(state uint64) bool {
	return state < auditedFirst || hashfn.Mix(state)%auditedShare == 0
}

// Auditor is implemented by workers that test more in a state than the engine can. It is called in
// the states of the sample (see [Report.Audited]), with their successors.
type Auditor interface {
	// Audit panics with a [ContractError] if a function of the model is wrong. It reports whether
	// it has tested the predicates, too, so that the engine need not.
	Audit(state []uint32, successors *Successors) (predicates bool)
}

// Careful is implemented by workers that can compare what a function was given before and after
// each call. It is switched on in the states of the sample, and while paths are made.
type Careful interface {
	Careful(on bool)
}

// careful makes a worker compare after each call what a function was given, if it can.
func (w *worker) careful(on bool) {
	if c, ok := w.model.(Careful); ok {
		c.Careful(on)
	}
}

// Rechecker is implemented by models that notice late that some function has changed a state. A
// check that ends because of that begins again, to find out which function it was.
type Rechecker interface {
	// Recheck makes the model forget all states. From then on its workers are careful in every
	// state. It reports false if they are already.
	Recheck() bool
}

// Keeper is implemented by models that hand out stored values, so that a function could change it.
type Keeper interface {
	// Changed returns an error that names the function which changed something, or nil if nothing has
	// changed. The states are the found ones. It is called when a check ends, while no worker runs. It
	// returns nil once it must not go on: a check keeps its deadline.
	Changed(states iter.Seq[[]uint32], steady func() bool) error
}

// changed asks a [Keeper] whether something has changed.
func (e *engine) changed() (err error) {
	k, ok := e.model.(Keeper)
	if !ok {
		return nil
	}
	e.pool.workers[0].call(callNone, 0)
	return k.Changed(e.search.visitedStates, func() bool { return !e.late.Load() })
}

// OrbitAuditor is implemented by workers that test their Canonical themselves, so that the engine
// need not.
type OrbitAuditor interface {
	Symmetric
	// AuditsOrbits does nothing.
	AuditsOrbits()
}

// audit tests the functions of the model in a state that was just expanded.
func (w *worker) audit(number uint64, state []uint32) {
	w.audited++
	w.kept = append(w.kept[:0], state...)
	w.careful(true)
	if !w.auditExpand(state) {
		w.auditPredicates(state)
	}
	w.careful(false)
	if _, itself := w.symmetric.(OrbitAuditor); w.symmetric != nil && !itself {
		w.auditOrbits(number)
	}
}

// auditExpand requires that a state has the same successors again. They are left in w.raw. It
// reports whether the model has tested its predicates.
func (w *worker) auditExpand(state []uint32) (predicates bool) {
	first := &w.out
	if w.confluent != nil || w.symmetric != nil {
		first = &w.again
		first.Reset()
		w.call(callExpand, 0)
		w.model.Expand(state, first)
	}
	if a, ok := w.model.(Auditor); ok {
		predicates = a.Audit(state, first)
	}
	w.raw.Reset()
	w.call(callExpand, 0)
	w.model.Expand(state, &w.raw)
	w.mustKeep(state)
	same := first.Len() == w.raw.Len()
	for i := 0; same && i < first.Len(); i++ {
		same = first.Class(i) == w.raw.Class(i) && slices.Equal(first.At(i), w.raw.At(i))
	}
	if !same {
		w.broken("yields other successors when called again with the same state; " +
			"it must depend on nothing but the state, and not range over maps")
	}
	return predicates
}

// auditPredicates requires that the predicates have the same values again.
func (w *worker) auditPredicates(state []uint32) {
	asked, quiescent := false, false
	for p, property := range w.properties[:len(w.properties)-1] {
		if property.Shape == Quiescent {
			if !asked {
				asked, quiescent = true, w.twice(callQuiescent, p, state)
			}
			if !quiescent {
				continue
			}
		}
		w.twice(callHolds, p, state)
		if property.Shape.Live() {
			w.twice(callTriggers, p, state)
		}
	}
}

// twice evaluates a predicate twice. It must give the same value, and leave the state alone.
func (w *worker) twice(c modelCall, property int, state []uint32) bool {
	yes := w.ask(c, property, state)
	if w.ask(c, property, state) != yes {
		w.broken("gives another answer when called again with the same state; " +
			"it must depend on nothing but the state")
	}
	w.mustKeep(state)
	return yes
}

// mustKeep requires that a function of the model has not changed the vector that it was given.
func (w *worker) mustKeep(state []uint32) {
	if !slices.Equal(state, w.kept) {
		w.broken("changes the vector of the state that it is given")
	}
}

// broken ends the check: the function that was called last breaks the contract of the model.
func (w *worker) broken(how string) { panic(&ContractError{w.calling() + " " + how}) }

// auditOrbits tests Canonical with the successors in w.raw, as the model yielded them.
func (w *worker) auditOrbits(number uint64) {
	all := make([][]uint32, w.raw.Len())
	for i := range all {
		all[i] = slices.Clone(w.raw.At(i))
	}
	for i, state := range all {
		steps := 0
		switch chosen := i == int(number%uint64(len(all))); {
		case number < orbitsFirst && chosen:
			steps = orbitSteps
		case number < orbitsFirst || chosen:
			steps = 1
		}
		w.auditOrbit(state, number, steps)
	}
}

// auditOrbit requires that a state and its representative are alike: that the representative
// represents itself, that every predicate is the same in both, and that their successors lie in the
// same orbits. Some of the successors are then compared with each other, and so on, for a number of
// steps: a difference that Canonical drops may matter later.
func (w *worker) auditOrbit(state []uint32, number uint64, steps int) {
	canonical := w.representative(state)
	if !slices.Equal(w.representative(state), canonical) {
		w.broken("gives another representative when called again with the same state; " +
			"it must depend on nothing but the state")
	}
	if !slices.Equal(w.representative(canonical), canonical) {
		w.broken("changes a state that it has returned; it must return one state for all states of an orbit")
	}
	if slices.Equal(state, canonical) {
		return
	}
	one, other := state, canonical
	for step := 0; ; step++ {
		differs := w.differing(one, other)
		var a, b []inOrbit
		if differs == "" && step < steps {
			a, b = w.orbits(one), w.orbits(other)
			if !slices.EqualFunc(a, b, func(a, b inOrbit) bool { return slices.Equal(a.orbit, b.orbit) }) {
				differs = "the successors are others"
			} else if len(a) == 0 && w.ask(callQuiescentEnd, 0, one) != w.ask(callQuiescentEnd, 0, other) {
				differs = "QuiescentEnd has another value"
			}
		}
		if differs != "" {
			if step > 0 {
				differs = english.Count(step, "step") + " later, " + differs
			}
			w.call(callCanonical, 0)
			w.broken(fmt.Sprintf("returns a state that is not equivalent to its argument: %s%s; it may only exchange "+
				"parts that every function treats alike", differs, bothTexts(w.whole, state, canonical)))
		}
		if len(a) == 0 {
			return
		}
		next := int(hashfn.Mix(number<<8|uint64(step)) % uint64(len(a)))
		one, other = a[next].state, b[next].state
	}
}

// representative is the representative of a state's orbit.
func (w *worker) representative(state []uint32) []uint32 {
	canonical := slices.Clone(state)
	w.call(callCanonical, 0)
	w.symmetric.Canonical(canonical)
	return canonical
}

// differing names a predicate that differs between two states, or returns "".
func (w *worker) differing(one, other []uint32) string {
	differ := func(c modelCall, p int) bool { return w.ask(c, p, one) != w.ask(c, p, other) }
	for p, property := range w.properties {
		switch {
		case property.Shape == DeadlockFree:
		case property.Shape == Quiescent && differ(callQuiescent, p):
			return "Quiescent has another value"
		case property.Shape == Quiescent && !w.ask(callQuiescent, p, one):
		case differ(callHolds, p):
			return fmt.Sprintf("Holds of property %q has another value", property.Name)
		case property.Shape.Live() && differ(callTriggers, p):
			return fmt.Sprintf("Triggers of property %q has another value", property.Name)
		}
	}
	return ""
}

// inOrbit is a state and the representative of its orbit.
type inOrbit struct{ state, orbit []uint32 }

// orbits lists, in some order, the orbits of a state's successors, with one successor in each.
func (w *worker) orbits(state []uint32) []inOrbit {
	w.again.Reset()
	w.call(callExpand, 0)
	w.model.Expand(state, &w.again)
	all := make([]inOrbit, w.again.Len())
	for i := range all {
		all[i].state = slices.Clone(w.again.At(i))
	}
	for i := range all {
		all[i].orbit = w.representative(all[i].state)
	}
	slices.SortStableFunc(all, func(a, b inOrbit) int { return slices.Compare(a.orbit, b.orbit) })
	return slices.CompactFunc(all, func(a, b inOrbit) bool { return slices.Equal(a.orbit, b.orbit) })
}

// modelCall is a function of a [Worker].
type modelCall uint8

const (
	callNone modelCall = iota
	callExpand
	callConfluent
	callCanonical
	callHolds
	callTriggers
	callQuiescent
	callQuiescentEnd
)

// call notes which function of the model is called next, for the error if it goes wrong.
func (w *worker) call(c modelCall, property int) { w.doing, w.about = c, property }

// ask calls a predicate.
func (w *worker) ask(c modelCall, property int, state []uint32) bool {
	w.call(c, property)
	switch c {
	case callHolds:
		return w.model.Holds(property, state)
	case callTriggers:
		return w.model.Triggers(property, state)
	case callQuiescent:
		return w.model.Quiescent(state)
	}
	return w.model.QuiescentEnd(state)
}

// Caller is implemented by workers, and by models for Initial, that can name the running function
// in their authors' terms: a function of a description, for example, and not a method of a
// [Worker].
type Caller interface {
	// Calling names the function that is running, or that has panicked. It returns "" if the name
	// in [Worker] will do.
	Calling() string
}

// calling names the function of the model that was called last.
func (w *worker) calling() string {
	of := any(w.model)
	if w.doing == callNone {
		of = w.whole
	}
	if c, ok := of.(Caller); ok {
		if name := c.Calling(); name != "" {
			return name
		}
	}
	switch w.doing {
	case callExpand:
		return "Expand"
	case callConfluent:
		return "Confluent"
	case callCanonical:
		return "Canonical"
	case callHolds:
		return fmt.Sprintf("Holds of property %q", w.properties[w.about].Name)
	case callTriggers:
		return fmt.Sprintf("Triggers of property %q", w.properties[w.about].Name)
	case callQuiescent:
		return "Quiescent"
	case callQuiescentEnd:
		return "QuiescentEnd"
	}
	return "Initial"
}

// Texter is implemented by models that can show their states.
type Texter interface {
	Text(state []uint32) string
}

// textOf is the text of a state for an error, or "" if the model has none.
func textOf(model Model, state []uint32) (text string) {
	m, ok := model.(Texter)
	if !ok {
		return ""
	}
	defer func() {
		if recover() != nil { // an error is being reported already
			text = ""
		}
	}()
	const most = 200
	if text = m.Text(state); len(text) > most {
		text = fmt.Sprintf("%.*s...", most, text)
	}
	return text
}

// bothTexts adds the texts of two states to an error, if the model has texts.
func bothTexts(m Model, one, other []uint32) string {
	a, b := textOf(m, one), textOf(m, other)
	if a == "" {
		return ""
	}
	return fmt.Sprintf(" (it is given %s and returns %s)", a, b)
}

// How far a difference is followed that an encoding leaves out, and how far those of all states
// together.
const (
	alikeSteps    = 1 << 14
	allAlikeSteps = 1 << 16
)

// mustBeAlike requires that no function tells two states apart that have the same encoding. The
// difference may matter only later. So as long as their successors differ, too, some of these are
// compared in turn.
func (m *ValueModel[S]) mustBeAlike(one, known S) {
	a, b, more := one, known, true
	for step := 0; more; step++ {
		textA, stepsA := m.describe(a)
		textB, stepsB := m.describe(b)
		if textA != textB {
			later := ""
			if step > 0 {
				later = ", " + english.Count(step, "step") + " later"
			}
			panic(&ContractError{fmt.Sprintf("Encode gives the same bytes for two states that differ in their "+
				"successors or in a property%s: %+v and %+v; encode what distinguishes them", later, known, one)})
		}
		more = false
		for i := range stepsA {
			k := (i + int(hashfn.Mix(uint64(step)+1)>>1)) % len(stepsA)
			if !m.equal(unsafe.Pointer(&stepsA[k].next), unsafe.Pointer(&stepsB[k].next)) {
				a, b, more = stepsA[k].next, stepsB[k].next, true
				break
			}
		}
		more = more && step < alikeSteps && m.followed.Add(1) < allAlikeSteps
	}
}

// encodedStep is a successor, and its class and encoding as text.
type encodedStep[S any] struct {
	text string
	next S
}

// describe lists all that a check depends on in a state: its true predicates, and its successors,
// sorted.
func (m *ValueModel[S]) describe(s S) (string, []encodedStep[S]) {
	spec := &m.spec
	quiescent := spec.Quiescent != nil && spec.Quiescent(s)
	truths := []bool{quiescent}
	for _, p := range spec.Properties {
		truths = append(truths, (p.Shape != Quiescent || quiescent) && p.Holds(s), p.Triggers != nil && p.Triggers(s))
	}
	var steps []encodedStep[S]
	spec.Next(s, func(class int, next S) {
		steps = append(steps, encodedStep[S]{fmt.Sprintf("%d %x ", class, spec.Encode(nil, next)), next})
	})
	slices.SortStableFunc(steps, func(a, b encodedStep[S]) int { return strings.Compare(a.text, b.text) })
	var text strings.Builder
	fmt.Fprint(&text, truths, len(steps) == 0 && spec.QuiescentEnd != nil && spec.QuiescentEnd(s))
	for _, step := range steps {
		text.WriteString(step.text)
	}
	return text.String(), steps
}
