package model

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

// The functions of a system get states and messages that are stored once and used everywhere. A
// function that changes them, or gives another answer the next time, would make verdicts wrong. In
// a sample of the states all of them are called again (Audit). At the end of a check everything
// that is stored is compared with its encoding. If something has changed, it is restored, and the
// functions are called again in all states, to find the culprit (Changed).

var (
	_ checker.Auditor      = (*worker[int, int, int])(nil)
	_ checker.Keeper       = (*compiled[int, int, int])(nil)
	_ checker.OrbitAuditor = (*symmetric[int, int, int])(nil)
)

// AuditsOrbits implements [checker.OrbitAuditor]: audits tests the symmetry.
func (k *symmetric[S, M, C]) AuditsOrbits() {}

// Audit implements [checker.Auditor].
func (k *worker[S, M, C]) Audit(state []uint32, _ *checker.Successors) (predicates bool) {
	return auditor[S, M, C]{k}.audit(state)
}

// auditor calls the functions of a system again in the present state of a worker.
type auditor[S, M, C any] struct{ *worker[S, M, C] }

// audit is [checker.Auditor.Audit].
func (k auditor[S, M, C]) audit(state []uint32) (predicates bool) {
	k.load(state)
	for name, call := range k.functions() {
		if first, second := call(), call(); first != second {
			k.broken("%v gives another answer when called again with the same state; "+
				"it must depend on its arguments only", name)
		}
	}
	if k.intact() {
		k.auditSteps()
		return true
	}
	changed := k.parts()
	for name, call := range k.functions() {
		k.restore()
		if call(); !k.intact() {
			k.restore()
			k.broken("%v changes what it is given; copy slices and maps before changing their elements",
				name)
		}
	}
	k.replace(changed) // by something else: Changed will find out by what
	return true
}

// parts copies the slots and messages of the present state, as they are now.
func (k auditor[S, M, C]) parts() (p parts[S, M]) {
	for _, place := range k.state.places {
		p.slots = append(p.slots, *k.slots.Value(place.slotID))
		for _, id := range k.inboxes.value(place.boxID).envelopes {
			p.envelopes = append(p.envelopes, *k.envelopes.Value(id))
		}
	}
	return p
}

// replace puts copies of the slots and messages of the present state back.
func (k auditor[S, M, C]) replace(p parts[S, M]) {
	for i, place := range k.state.places {
		*k.slots.Value(place.slotID) = p.slots[i]
		for _, id := range k.inboxes.value(place.boxID).envelopes {
			*k.envelopes.Value(id), p.envelopes = p.envelopes[0], p.envelopes[1:]
		}
	}
}

type parts[S, M any] struct {
	slots     []Slot[S]
	envelopes []envelope[M]
}

// function is a function of the system.
type function struct{ name, property string }

func (f function) String() string {
	if f.property == "" {
		return f.name
	}
	return fmt.Sprintf("%s of property %q", f.name, f.property)
}

// functions lists the calls of the system's functions that concern the present state. Each call
// returns a number that stands for the answer. View is not among them: it has no answer that could
// be compared, and describeSlot has called it with every state of a node.
func (k auditor[S, M, C]) functions() iter.Seq2[function, func() int] {
	w := &k.state
	is := func(predicate func(*GlobalState[S, M]) bool) func() int {
		return func() int {
			if predicate(w) {
				return 1
			}
			return 0
		}
	}
	return func(yield func(function, func() int) bool) {
		quiescent := k.Quiescent(k.vector)
		for i := range k.System.Properties {
			p := &k.System.Properties[i]
			if p.Shape == checker.Quiescent && !quiescent {
				continue
			}
			if !yield(function{"Holds", p.Name}, is(p.Holds)) ||
				p.Triggers != nil && !yield(function{"Triggers", p.Name}, is(p.Triggers)) {
				return
			}
		}
		if !yield(function{name: "QuiescentEnd"}, is(k.System.QuiescentEnd)) {
			return
		}
		for i, s := range w.Slots {
			if !k.ofSlot(i, s, yield) {
				return
			}
		}
	}
}

// ofSlot lists the functions that concern a node.
func (k auditor[S, M, C]) ofSlot(i int, s *Slot[S], yield func(function, func() int) bool) bool {
	w := &k.state
	if s.Up {
		id := func() int {
			id := k.Identity(s.State)
			return int(id.Address)<<16 | int(id.Incarnation)
		}
		stopped := func() int {
			if k.Stopped(s.State) {
				return 1
			}
			return 0
		}
		if !yield(function{name: "Identity"}, id) || !yield(function{name: "Stopped"}, stopped) {
			return false
		}
	}
	if !s.live || s.Choose > 0 {
		return true
	}
	for _, t := range s.Timers {
		if !yield(function{name: "Due"}, func() int { return int(k.Due(w, i, t)) }) {
			return false
		}
	}
	crashable := func() int {
		if k.Crashable(w, i) {
			return 1
		}
		return 0
	}
	if k.left.left(crash) && !yield(function{name: "Crashable"}, crashable) {
		return false
	}
	return k.ofMessages(i, yield)
}

// ofMessages lists the functions that concern the messages to a node.
func (k auditor[S, M, C]) ofMessages(i int, yield func(function, func() int) bool) bool {
	for _, id := range k.inboxes.value(k.state.places[i].boxID).envelopes {
		e := k.envelopes.Value(id)
		repeats := func() int {
			if k.Repeats(e.Message) {
				return 1
			}
			return 0
		}
		if !yield(function{name: "Repeats"}, repeats) {
			return false
		}
		confluent := func() int {
			if k.System.Confluent(&k.state, e.Envelope) {
				return 1
			}
			return 0
		}
		if k.System.Confluent != nil && k.Info.Budget.orderly() && !k.left.left(crash) &&
			!yield(function{name: "Confluent"}, confluent) {
			return false
		}
	}
	return true
}

// intact reports whether the slots and messages of the present state still have their encodings.
func (k *worker[S, M, C]) intact() bool {
	for i, p := range k.state.places {
		if !k.intactSlot(p.slotID, &k.encoded) {
			return false
		}
		for _, id := range k.inboxes.value(k.state.places[i].boxID).envelopes {
			if !k.intactEnvelope(id, &k.encoded) {
				return false
			}
		}
	}
	return true
}

// intactSlot reports whether a slot still has its encoding. It overwrites the buffer.
func (c *compiled[S, M, C]) intactSlot(id uint32, buffer *[]byte) bool {
	*buffer = c.encodeSlot((*buffer)[:0], c.slots.Value(id))
	return bytes.Equal(*buffer, c.slots.Bytes(id))
}

// intactEnvelope reports whether a message still has its encoding. It overwrites the buffer.
func (c *compiled[S, M, C]) intactEnvelope(id uint32, buffer *[]byte) bool {
	*buffer = c.appendEnvelope((*buffer)[:0], c.envelopes.Value(id).Envelope)
	return bytes.Equal(*buffer, c.envelopes.Bytes(id))
}

// restore makes the slots and messages of the present state again, from their encodings.
func (k *worker[S, M, C]) restore() {
	for _, p := range k.state.places {
		k.restoreSlot(p.slotID)
		for _, id := range k.inboxes.value(p.boxID).envelopes {
			k.restoreEnvelope(id)
		}
	}
}

func (c *compiled[S, M, C]) restoreSlot(id uint32) {
	s, err := c.decodeSlot(c.slots.Bytes(id))
	c.require(err)
	c.describeSlot(s, c.slots.Bytes(id))
	*c.slots.Value(id) = *s
}

func (c *compiled[S, M, C]) restoreEnvelope(id uint32) {
	e, err := c.decodeEnvelope(c.envelopes.Bytes(id))
	c.require(err)
	*c.envelopes.Value(id) = *e
}

// Changed implements [checker.Keeper].
func (c *compiled[S, M, C]) Changed(states iter.Seq[[]uint32], steady func() bool) (err error) {
	what := c.changed(steady)
	if what == "" {
		return nil
	}
	for id := range c.slots.Len() {
		c.restoreSlot(uint32(id))
	}
	for id := range c.envelopes.Len() {
		c.restoreEnvelope(uint32(id))
	}
	k := c.newWorker()
	k.cache.off = true
	defer func() { // a function that fails now has been called with values changed before
		problem := recover()
		if broken, ok := problem.(*checker.ContractError); ok {
			err = broken
		} else if problem != nil {
			err = c.contractError("%s has changed since it was made, and a function of the system fails now: %v", what, problem)
		}
	}()
	for state := range states {
		if !steady() {
			break
		}
		k.Audit(state, nil)
	}
	return c.contractError("%s has changed since it was made, although no predicate or rule of the system does that: "+
		"Step must not append to a slice of its state or its message (slices.Clone, slices.Clip), nor keep what it "+
		"has returned", what)
}

// changed describes something stored that no longer has its encoding, or returns "".
func (c *compiled[S, M, C]) changed(steady func() bool) string {
	var buffer []byte
	for id := range c.slots.Len() {
		if id%1024 == 0 && !steady() {
			return ""
		}
		if !c.intactSlot(uint32(id), &buffer) {
			var text strings.Builder
			if s := c.slots.Value(uint32(id)); s.Up {
				fmt.Fprintf(&text, " (now %s)", c.Core.StateText(s.State))
			}
			return "a state of a node" + text.String()
		}
	}
	for id := range c.envelopes.Len() {
		if id%1024 == 0 && !steady() {
			return ""
		}
		if !c.intactEnvelope(uint32(id), &buffer) {
			return fmt.Sprintf("a message (now %s)", c.Core.MessageText(c.envelopes.Value(uint32(id)).Message))
		}
	}
	return ""
}

// blame ends the check because a function has changed the state of a slot with this encoding. It
// calls each of them with a copy of that state.
func (c *compiled[S, M, C]) blame(key []byte, live bool) {
	for _, f := range []struct {
		name string
		call func(S)
	}{
		{"System.Identity", func(s S) { c.Identity(s) }},
		{"System.Stopped", func(s S) { c.Stopped(s) }},
		{"System.View", func(s S) {
			if live && c.View != nil {
				c.View(s)
			}
		}},
	} {
		s, err := c.decodeSlot(key)
		c.require(err)
		if f.call(s.State); !bytes.Equal(c.encodeSlot(nil, s), key) {
			c.brokenState(f.name)
		}
	}
	c.brokenState("System.Identity, System.Stopped or System.View")
}

var errViewChanges = errors.New("Monitor.View changes the bytes that it is given; copy them before you change them")

// viewOf calls Monitor.View, which must not change its argument.
func (c *compiled[S, M, C]) viewOf(mon []byte) any {
	if c.Monitor == nil {
		return nil
	}
	before := bytes.Clone(mon)
	view := c.Monitor.View(mon)
	if !bytes.Equal(before, mon) {
		copy(mon, before)
		c.require(errViewChanges)
	}
	return view
}

// auditSteps computes the steps of the present state again, each once.
func (k auditor[S, M, C]) auditSteps() {
	k.actions = k.enabled(k.actions[:0])
	for i := range k.actions {
		a := &k.actions[i]
		in := input{node: a.node}
		switch a.kind {
		case actDeliver, actRepeat, actLate, actDuplicate:
			in.kind, in.value = protocol.Deliver, a.envelope
		case actTimeout, actSpurious, actSuspect:
			in.kind, in.timer = protocol.Timeout, a.timer
		case actCommand:
			in.kind = protocol.Command
		case actChosen:
			in.kind, in.value = protocol.Chosen, a.value
		case actMeasured:
			in.kind, in.value, in.timer = protocol.Measured, a.value, a.timer
		default: // a restart is rare, and the others are no steps of the core
			continue
		}
		slot := k.state.places[a.node].slotID
		done := [2]uint32{slot, k.internInput(in)}
		if _, before := k.audited[done]; !before {
			k.audited[done] = struct{}{}
			if !k.sameAgain(slot, in, k.step(slot, in)) && k.changed(func() bool { return true }) == "" {
				k.fickle(in) // otherwise Changed will find out by what
			}
		}
	}
}
