package checker

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/plain"
	"github.com/canvass-grid/canvass/internal/blame"
)

// Spec describes a model whose states are Go values of type S, by functions. [Of] makes a [Model]
// of it. The functions must be pure and safe for concurrent use; they must not change the states
// that they are given. A check ends with a [ContractError] that names the function if one changes a
// state, or gives another result when it is called again: the former is looked for after every
// call, the latter in a sample of the states (see [Report.Audited]).
//
// A first model needs only Init, Next and Properties, if its states are plain values (see Encode).
type Spec[S any] struct {
	// Init lists the initial states.
	Init []S

	// Classes names the kinds of actions. If it is empty there is one kind, number 0, named "step".
	Classes []Class

	// Stutters says that a run may stop in any state where no action of a class is enabled that is
	// Fair or Strong, as in TLA+. It marks every class Optional that has no other mark. Without it
	// a run goes on as long as it can, and a LeadsTo may hold only because of that: see
	// [Outcome.Forced]. Set it unless something in reality makes every enabled action happen.
	Stutters bool

	// Next yields, for every action enabled in s, the class of the action and the state that it
	// leads to, in an order that depends on s alone.
	Next func(s S, yield func(class int, next S))

	// Encode appends the encoding of s to dst: equal bytes for states that mean the same, different
	// bytes for all others. Next and the properties must not depend on omitted parts. Two states that
	// differ and have the same encoding are compared by the results of the functions. If the functions
	// depend on an omitted part, the check ends with a [ContractError].
	//
	// Encode may be nil if S has nothing behind a pointer: if it consists of booleans, integers,
	// strings, arrays and structs alone. Then states mean the same if they are equal (==). An
	// Encode that packs a state into few bytes is faster.
	Encode func(dst []byte, s S) []byte

	// Decode is the inverse of Encode. Only checkpoints need it, and they need Encode too.
	Decode func(encoding []byte) (S, error)

	// Canonical returns the representative of all states that differ from s only in the names of
	// interchangeable parts: see [Symmetric]. Nil means that no parts are interchangeable. It is
	// called only with Options.Reduce.
	Canonical func(s S) S

	// Properties lists what to check.
	Properties []Predicate[S]

	// Quiescent reports whether a state is quiescent: nothing is in flight and no timer is pending.
	// Properties of shape Quiescent need it. Nil means that no state is.
	Quiescent func(s S) bool

	// QuiescentEnd reports whether a state without successors is a quiescent end, and not a
	// deadlock. Nil means that every state without successors is a deadlock.
	QuiescentEnd func(s S) bool

	_ struct{} // the fields are named, never positional
}

// Predicate is a property together with its functions.
type Predicate[S any] struct {
	Property
	Holds    func(s S) bool // see [Worker]
	Triggers func(s S) bool // LeadsTo, Reaches and AlmostSurely only
}

// ValueModel is the [Model] that [Of] makes. Its vectors are one word wide: the id of a value.
type ValueModel[S any] struct {
	spec       Spec[S] // that of a worker is guarded
	init       []S     // copies of the initial states, which no function has been given
	values     *Interner[S]
	properties []Property
	classes    []Class
	shared     bool          // functions can change what a state refers to
	own        bool          // Encode is that of the description
	careful    bool          // see Recheck
	equal      plain.Equal   // compares two values with all that they refer to
	followed   *atomic.Int64 // steps of mustBeAlike
	calls      *blame.Log    // of Initial
}

// Of makes a model of a description by functions. It panics if the description lacks a function.
func Of[S any](spec Spec[S]) *ValueModel[S] {
	if err := spec.check(); err != nil {
		panic(err)
	}
	t := reflect.TypeFor[S]()
	m := &ValueModel[S]{
		spec: spec, values: NewInterner[S](), classes: spec.marked(), shared: !plain.Fixed(t), own: spec.Encode != nil,
		equal: plain.Comparer(t), followed: &atomic.Int64{}, calls: &blame.Log{},
	}
	if !m.own {
		encode, err := encodePlain[S]()
		if err != nil {
			panic(err)
		}
		m.spec.Encode = encode
	}
	m.init, m.spec.Properties = slices.Clone(spec.Init), slices.Clone(spec.Properties)
	for i := range m.init {
		plain.Detach(&m.init[i])
	}
	for _, p := range spec.Properties {
		m.properties = append(m.properties, p.Property)
	}
	return m
}

// guarded returns the model for one goroutine: every function notes in the log that it is running.
// So no function can be called without a note.
func (m *ValueModel[S]) guarded(log *blame.Log) *ValueModel[S] {
	own, spec := *m, &m.spec
	own.spec = Spec[S]{
		Next:         blame.Do2(log, "Next", spec.Next),
		Encode:       blame.F2(log, "Encode", spec.Encode),
		Canonical:    blame.F1(log, "Canonical", spec.Canonical),
		Quiescent:    blame.F1(log, "Quiescent", spec.Quiescent),
		QuiescentEnd: blame.F1(log, "QuiescentEnd", spec.QuiescentEnd),
		Properties:   slices.Clone(spec.Properties),
	}
	for i := range own.spec.Properties {
		p := &own.spec.Properties[i]
		p.Holds = blame.F1(log, fmt.Sprintf("Holds of property %q", p.Name), p.Holds)
		p.Triggers = blame.F1(log, fmt.Sprintf("Triggers of property %q", p.Name), p.Triggers)
	}
	return &own
}

// marked returns the classes with the marks that Stutters implies.
func (s *Spec[S]) marked() []Class {
	classes := slices.Clone(s.Classes)
	if len(classes) == 0 {
		classes = []Class{{Name: "step"}}
	}
	for i := range classes {
		classes[i].Optional = classes[i].Optional || s.Stutters && isForced(classes[i])
	}
	return classes
}

// encodePlain is the encoding of states that have nothing behind a pointer.
func encodePlain[S any]() (func(dst []byte, s S) []byte, error) {
	encode, err := plain.Encoder(reflect.TypeFor[S]())
	if err != nil {
		return nil, fmt.Errorf("checker: Spec.Encode is missing, and states cannot be compared by ==: %w; "+
			"write Spec.Encode", err)
	}
	return func(dst []byte, s S) []byte { return encode(dst, reflect.ValueOf(&s).Elem()) }, nil
}

// check reports what is missing from a description.
func (s *Spec[S]) check() error {
	if s.Next == nil {
		return errors.New("checker: Spec.Next is missing; write the function that yields the successors of a state")
	}
	if s.Encode == nil && s.Decode != nil {
		return errors.New("checker: Spec.Decode is the inverse of Spec.Encode, which is missing; write both or neither")
	}
	for _, p := range s.Properties {
		switch {
		case p.Holds == nil:
			return fmt.Errorf("checker: property %q has no Holds; write the predicate", p.Name)
		case !p.Shape.Live() && p.Triggers != nil:
			return fmt.Errorf("checker: property %q (%v) has Triggers, which only LeadsTo, Reaches and AlmostSurely "+
				"have; write the condition into Holds", p.Name, p.Shape)
		case p.Shape.Live() && p.Triggers == nil:
			return fmt.Errorf("checker: property %q (%v) has no Triggers; "+
				"write the predicate of the states where an obligation begins", p.Name, p.Shape)
		case p.Shape == Quiescent && s.Quiescent == nil:
			return fmt.Errorf("checker: property %q (quiescent) needs Spec.Quiescent, which is missing", p.Name)
		}
	}
	return nil
}

// Value returns the state that a vector stands for, such as one of a [Path].
func (m *ValueModel[S]) Value(state []uint32) S { return m.values.Value(state[0]) }

// Text is the state that a vector stands for, in the format %+v of package fmt.
func (m *ValueModel[S]) Text(state []uint32) string { return fmt.Sprintf("%+v", m.Value(state)) }

// Width implements [Model].
func (m *ValueModel[S]) Width() int { return 1 }

// Properties implements [Model].
func (m *ValueModel[S]) Properties() []Property { return slices.Clone(m.properties) }

// Classes implements [Model].
func (m *ValueModel[S]) Classes() []Class { return slices.Clone(m.classes) }

// MemoryBytes implements [MemoryReporter]. It does not count what the values point to.
func (m *ValueModel[S]) MemoryBytes() uint64 { return m.values.MemoryBytes() }

// Snapshot implements [Snapshotter]. It needs Spec.Decode.
func (m *ValueModel[S]) Snapshot() ([]byte, error) {
	if m.spec.Decode == nil {
		return nil, errors.New("Spec.Decode is missing")
	}
	return m.values.Snapshot(nil), nil
}

// Restore implements [Snapshotter].
func (m *ValueModel[S]) Restore(snapshot []byte) error {
	rest, err := m.values.Restore(snapshot, m.decode)
	if err == nil && len(rest) > 0 {
		err = errors.New("bytes follow the last value of the snapshot")
	}
	return err
}

// decode is Spec.Decode, which must be the inverse of Spec.Encode.
func (m *ValueModel[S]) decode(encoding []byte) (S, error) {
	s, err := m.spec.Decode(encoding)
	if err == nil && !bytes.Equal(m.spec.Encode(nil, s), encoding) {
		err = fmt.Errorf("Spec.Decode is not the inverse of Spec.Encode: it makes %+v of %x, and Encode makes %x of that",
			s, encoding, m.spec.Encode(nil, s))
	}
	return s, err
}

// Initial implements [Model].
func (m *ValueModel[S]) Initial(add func(state []uint32)) {
	m.calls.Reset()
	var buf []byte
	g := m.guarded(m.calls)
	for _, s := range m.init {
		plain.Detach(&s)
		buf = g.spec.Encode(buf[:0], s)
		id, fresh := m.values.Intern(buf, s)
		if known := m.values.Value(id); !fresh && m.own && !m.equal(unsafe.Pointer(&s), unsafe.Pointer(&known)) {
			g.mustBeAlike(s, known)
		}
		add([]uint32{id})
	}
}

// Calling implements [Caller], for Initial.
func (m *ValueModel[S]) Calling() string { return m.calls.Running() }

// Recheck implements [Rechecker].
func (m *ValueModel[S]) Recheck() bool {
	if m.careful {
		return false
	}
	m.careful, m.values = true, NewInterner[S]()
	return true
}

// NewWorker implements [Model].
func (m *ValueModel[S]) NewWorker() Worker {
	w := &valueWorker[S]{careful: m.careful}
	w.model = m.guarded(&w.calls)
	w.yield = w.add
	if m.spec.Canonical != nil {
		return &symmetricWorker[S]{w}
	}
	return w
}

// symmetricWorker is a valueWorker of a model with interchangeable parts.
type symmetricWorker[S any] struct{ *valueWorker[S] }

// Canonical implements [Symmetric].
func (w *symmetricWorker[S]) Canonical(state []uint32) {
	given := w.given(state[0])
	s := w.model.spec.Canonical(given)
	w.mustKeep(state[0], given, "Canonical", "")
	state[0] = w.intern(s)
	w.compareAlike()
}

// valueWorker evaluates a ValueModel for one goroutine.
//
// A function could change the state that it is given. In the states of the sample, and everywhere
// after Recheck, the worker is careful: it compares a state with its encoding before and after each
// call, so it can name the culprit. Elsewhere that would take as long as the functions. So it
// compares after Next and after Triggers only. These come last: a change by any function is noticed
// by then, and a check that begins again finds out which it was.
type valueWorker[S any] struct {
	model   *ValueModel[S]
	calls   blame.Log
	called  string // the function that was called last, if it has another name in Worker
	careful bool
	buf     []byte
	out     *Successors // nil unless Next is being called
	yield   func(class int, next S)
	alike   []alike[S] // since the last compareAlike
	pair    [2]S       // being compared
	intact  uint32     // the state whose value was compared with its encoding last, plus 1
	met     int        // states that differ from one with the same encoding
}

// alike is a state that differs from a known one with the same encoding.
type alike[S any] struct{ value, known S }

// mostAlike is how many states that differ from one with the same encoding a worker compares with
// that in full. From then on it takes one of alikeShare.
const (
	mostAlike  = 4096
	alikeShare = 64
)

// Calling implements [Caller].
func (w *valueWorker[S]) Calling() string { return cmp.Or(w.calls.Running(), w.called) }

// Careful implements [Careful].
func (w *valueWorker[S]) Careful(on bool) { w.careful = on || w.model.careful }

// given returns the value of a state for a function. A careful worker gives a copy, so that the
// path to the state can be made if the function changes it.
func (w *valueWorker[S]) given(id uint32) S {
	w.calls.Reset()
	w.called = ""
	s := w.model.values.Value(id)
	if w.careful && w.model.shared {
		if w.intact != id+1 && !w.same(id, s) {
			w.changed(s)
		}
		w.intact = id + 1
		plain.Detach(&s)
	}
	return s
}

// changed ends the check because a state has changed since it was made.
func (w *valueWorker[S]) changed(s S) {
	panic(corrupted{&ContractError{fmt.Sprintf("a state has changed since Init listed it or Next yielded it, and now "+
		"is %+v: yield states that share no slices or maps, and do not append to a slice of another state "+
		"(slices.Clone, slices.Clip)", s)}})
}

// same reports whether a value still has the encoding of its state.
func (w *valueWorker[S]) same(id uint32, s S) bool {
	w.buf = w.model.spec.Encode(w.buf[:0], s)
	if bytes.Equal(w.buf, w.model.values.Bytes(id)) {
		return true
	}
	w.mustEncodeAgain(s, w.buf)
	return false
}

// mustEncodeAgain requires that a state has the same encoding again.
func (w *valueWorker[S]) mustEncodeAgain(s S, before []byte) {
	if !bytes.Equal(before, w.model.spec.Encode(nil, s)) {
		panic(&ContractError{fmt.Sprintf("Encode gives other bytes when called again with the same state, %+v; "+
			"it must depend on nothing but the state, and not range over maps", s)})
	}
}

// mustKeep requires, if the worker is careful, that a function has not changed the state that it
// was given.
func (w *valueWorker[S]) mustKeep(id uint32, s S, function, property string) {
	if !w.careful || !w.model.shared || w.same(id, s) {
		return
	}
	if property != "" {
		function += fmt.Sprintf(" of property %q", property)
	}
	panic(&ContractError{fmt.Sprintf("%s changes the state that it is given, which now is %+v; "+
		"copy slices and maps before you change them", function, s)})
}

// mustBeIntact requires, if the worker is not careful, that no function so far has changed a state.
func (w *valueWorker[S]) mustBeIntact(id uint32, s S) {
	if !w.careful && w.model.shared && !w.same(id, s) {
		w.changed(s)
	}
}

// intern gives a state its number. It keeps the state for compareAlike if another one has the same
// encoding.
func (w *valueWorker[S]) intern(s S) uint32 {
	w.buf = w.model.spec.Encode(w.buf[:0], s)
	id, fresh := w.model.values.Intern(w.buf, s)
	if fresh || !w.model.own {
		return id
	}
	w.pair[0], w.pair[1] = s, w.model.values.Value(id)
	if w.model.equal(unsafe.Pointer(&w.pair[0]), unsafe.Pointer(&w.pair[1])) {
		return id
	}
	if w.model.shared && !w.same(id, w.pair[1]) {
		w.changed(w.pair[1])
	}
	if w.met++; w.met <= mostAlike || hashfn.Bytes(w.buf)%alikeShare == 0 {
		w.alike = append(w.alike, alike[S]{s, w.pair[1]})
	}
	return id
}

// compareAlike requires that no function tells apart what has the same encoding.
func (w *valueWorker[S]) compareAlike() {
	for _, a := range w.alike {
		w.model.mustBeAlike(a.value, a.known)
	}
	w.alike = w.alike[:0]
}

// add takes a successor that Next yields.
func (w *valueWorker[S]) add(class int, next S) {
	switch {
	case w.out == nil:
		panic(&ContractError{"yield is called although Next has returned; call it before Next returns"})
	case uint(class) >= uint(len(w.model.classes)):
		panic(&ContractError{fmt.Sprintf("Next yields an action of class %d; the classes have numbers from 0 to %d",
			class, len(w.model.classes)-1)})
	}
	id := w.intern(next)
	w.out.Add(class)[0] = id
}

func (w *valueWorker[S]) Expand(state []uint32, out *Successors) {
	s := w.given(state[0])
	w.out, w.called = out, "Next"
	w.model.spec.Next(s, w.yield)
	w.out = nil
	w.mustKeep(state[0], s, "Next", "")
	w.mustBeIntact(state[0], s)
	w.compareAlike()
}

// Audit implements [Auditor]: Encode must be a function, too, and Next yields what it did before.
func (w *valueWorker[S]) Audit(state []uint32, successors *Successors) (predicates bool) {
	if !w.model.own {
		return false
	}
	encode, i := w.model.spec.Encode, 0
	var before []byte
	s := w.given(state[0])
	w.model.spec.Next(s, func(_ int, next S) {
		i++
		print := uint64(0)
		if w.model.shared {
			print = plain.Fingerprint(next)
		}
		before = encode(before[:0], next)
		w.mustEncodeAgain(next, before)
		if w.model.shared && plain.Fingerprint(next) != print {
			panic(&ContractError{"Encode changes the state that it is given; copy slices and maps before you change them"})
		}
	})
	if i != successors.Len() {
		panic(&ContractError{"Next yields other successors when called again with the same state; " +
			"it must depend on nothing but the state, and not range over maps"})
	}
	return false
}

func (w *valueWorker[S]) Holds(property int, state []uint32) bool {
	p, s := &w.model.spec.Properties[property], w.given(state[0])
	yes := p.Holds(s)
	w.mustKeep(state[0], s, "Holds", p.Name)
	return yes
}

func (w *valueWorker[S]) Triggers(property int, state []uint32) bool {
	p, s := &w.model.spec.Properties[property], w.given(state[0])
	yes := p.Triggers(s)
	w.mustKeep(state[0], s, "Triggers", p.Name)
	w.mustBeIntact(state[0], s)
	return yes
}

func (w *valueWorker[S]) Quiescent(state []uint32) bool {
	return w.is("Quiescent", w.model.spec.Quiescent, state[0])
}

func (w *valueWorker[S]) QuiescentEnd(state []uint32) bool {
	return w.is("QuiescentEnd", w.model.spec.QuiescentEnd, state[0])
}

// is calls a predicate that may be missing: then it is false.
func (w *valueWorker[S]) is(name string, predicate func(S) bool, id uint32) bool {
	if predicate == nil {
		return false
	}
	s := w.given(id)
	yes := predicate(s)
	w.mustKeep(id, s, name, "")
	return yes
}
