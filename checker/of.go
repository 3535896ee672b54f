package checker

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/plain"
)

// Spec describes a model whose states are Go values of type S, by functions. [Of] makes a [Model]
// of it. The functions must be pure and safe for concurrent use; they must not change the states
// that they are given.
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
	// bytes for those that do not. Next and the properties must not depend on what it leaves out.
	// If the first states that a worker reaches twice show that they do, the check ends with a
	// [ContractError].
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
	spec       Spec[S]
	values     *Interner[S]
	properties []Property
	classes    []Class
}

// Of makes a model of a description by functions. It panics if the description lacks a function.
func Of[S any](spec Spec[S]) *ValueModel[S] {
	if err := spec.check(); err != nil {
		panic(err)
	}
	if spec.Encode == nil {
		encode, err := encodePlain[S]()
		if err != nil {
			panic(err)
		}
		spec.Encode = encode
	}
	m := &ValueModel[S]{spec: spec, values: NewInterner[S](), classes: spec.marked()}
	for _, p := range spec.Properties {
		m.properties = append(m.properties, p.Property)
	}
	return m
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
func (m *ValueModel[S]) Properties() []Property { return m.properties }

// Classes implements [Model].
func (m *ValueModel[S]) Classes() []Class { return m.classes }

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
	rest, err := m.values.Restore(snapshot, m.spec.Decode)
	if err == nil && len(rest) > 0 {
		err = errors.New("bytes follow the last value of the snapshot")
	}
	return err
}

// Initial implements [Model].
func (m *ValueModel[S]) Initial(add func(state []uint32)) {
	var buf []byte
	for _, s := range m.spec.Init {
		buf = m.spec.Encode(buf[:0], s)
		id, _ := m.values.Intern(buf, s)
		add([]uint32{id})
	}
}

// NewWorker implements [Model].
func (m *ValueModel[S]) NewWorker() Worker {
	w := &valueWorker[S]{model: m}
	w.yield = func(class int, next S) {
		w.buf = m.spec.Encode(w.buf[:0], next)
		id, fresh := m.values.Intern(w.buf, next)
		w.out.Add(class)[0] = id
		if w.expanded < tries && !fresh {
			w.duplicates = append(w.duplicates, duplicate[S]{id, next})
		}
	}
	if m.spec.Canonical != nil {
		return &symmetricWorker[S]{w}
	}
	return w
}

// symmetricWorker is a valueWorker of a model with interchangeable parts.
type symmetricWorker[S any] struct{ *valueWorker[S] }

// Canonical implements [Symmetric].
func (w *symmetricWorker[S]) Canonical(state []uint32) {
	s := w.model.spec.Canonical(w.model.Value(state))
	w.buf = w.model.spec.Encode(w.buf[:0], s)
	state[0], _ = w.model.values.Intern(w.buf, s)
	if w.canonicals++; w.canonicals > tries {
		return
	}
	w.buf = w.model.spec.Encode(w.buf[:0], w.model.spec.Canonical(s))
	if !bytes.Equal(w.buf, w.model.values.Bytes(state[0])) {
		panic(&ContractError{"Canonical changes a state that it has returned; " +
			"it must return one state for all states of an orbit"})
	}
}

// valueWorker evaluates a ValueModel for one goroutine.
type valueWorker[S any] struct {
	model      *ValueModel[S]
	buf        []byte
	out        *Successors
	yield      func(class int, next S)
	again      Successors     // of Expand
	duplicates []duplicate[S] // in the current Expand

	expanded, canonicals int // counted up to tries
}

// tries is how many expansions, and canonical states, of each worker are computed twice.
const tries = 4096

// duplicate is a state with the encoding of a state that is known.
type duplicate[S any] struct {
	id    uint32
	value S
}

func (w *valueWorker[S]) Expand(state []uint32, out *Successors) {
	before := out.Len()
	w.duplicates = w.duplicates[:0]
	w.next(state, out)
	w.checkEncoding()
	if w.expanded++; w.expanded > tries {
		return
	}
	w.again.width, w.again.most = 1, len(w.model.classes)
	w.again.Reset()
	w.next(state, &w.again)
	same := out.Len()-before == w.again.Len()
	for i := 0; same && i < w.again.Len(); i++ {
		same = out.Class(before+i) == w.again.Class(i) && out.At(before + i)[0] == w.again.At(i)[0]
	}
	if !same {
		panic(&ContractError{"Next yields other successors when called again with the same state; " +
			"it must depend on nothing but the state, and not range over maps"})
	}
}

// checkEncoding compares states that have the same encoding but are not the same value: the model
// must not distinguish them.
func (w *valueWorker[S]) checkEncoding() {
	for _, d := range w.duplicates {
		known := w.model.values.Value(d.id)
		if reflect.DeepEqual(d.value, known) {
			continue
		}
		if w.describe(d.value) != w.describe(known) {
			panic(&ContractError{fmt.Sprintf("Encode gives the same bytes for two states that differ in their "+
				"successors or in a property: %+v and %+v; encode what distinguishes them",
				known, d.value)})
		}
	}
}

// describe lists all that a check depends on in a state: what is true of it, and its successors,
// sorted.
func (w *valueWorker[S]) describe(s S) string {
	spec := &w.model.spec
	var truths []bool
	for _, p := range spec.Properties {
		truths = append(truths, p.Holds(s), p.Triggers != nil && p.Triggers(s))
	}
	truths = append(truths, spec.Quiescent != nil && spec.Quiescent(s),
		spec.QuiescentEnd != nil && spec.QuiescentEnd(s))
	var steps []string
	spec.Next(s, func(class int, next S) { steps = append(steps, fmt.Sprintf("%d %x", class, spec.Encode(nil, next))) })
	slices.Sort(steps)
	return fmt.Sprint(truths, steps)
}

// next calls Next and verifies that it does not change the state that it is given.
func (w *valueWorker[S]) next(state []uint32, out *Successors) {
	w.out = out
	value := w.model.Value(state)
	w.model.spec.Next(value, w.yield)
	w.buf = w.model.spec.Encode(w.buf[:0], value)
	if !bytes.Equal(w.buf, w.model.values.Bytes(state[0])) {
		panic(&ContractError{"Next changes the state that it is given; copy slices and maps before you change them"})
	}
}

func (w *valueWorker[S]) Holds(property int, state []uint32) bool {
	return w.model.spec.Properties[property].Holds(w.model.Value(state))
}

func (w *valueWorker[S]) Triggers(property int, state []uint32) bool {
	return w.model.spec.Properties[property].Triggers(w.model.Value(state))
}

func (w *valueWorker[S]) Quiescent(state []uint32) bool {
	return w.model.spec.Quiescent != nil && w.model.spec.Quiescent(w.model.Value(state))
}

func (w *valueWorker[S]) QuiescentEnd(state []uint32) bool {
	return w.model.spec.QuiescentEnd != nil && w.model.spec.QuiescentEnd(w.model.Value(state))
}
