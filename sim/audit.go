package sim

import (
	"bytes"
	"fmt"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/model/cores"
	"github.com/canvass-grid/canvass/protocol"
)

// A function that changes its arguments, or gives another answer the next time, silently makes a
// run worthless. Package model tests its functions in every state of a sample. Here the sample is
// of calls: the first of a run, and later a fixed share, by their numbers. The sample does not
// change a run, and depends on the plan alone.
const (
	auditedFirst = 32
	auditedShare = 256
	encodedShare = 64 // of steps, to find fields that encodings forget
)

// The limits of endless functions.
const (
	deepestStep = 10_000  // steps within steps
	mostCalls   = 1 << 20 // calls in a row that are scheduled for one time
)

// audit is the state of these tests.
type audit[S, M, C any] struct {
	sim *Simulation[S, M, C]

	asked      uint64    // calls of Due, Span and Latency.Micros
	given      [2][]byte // of the step: its state and its input
	watched    int       // the node whose state must stay as it is until its next step, plus 1; 0: none
	state      []byte    // that state
	deep       int       // steps within steps
	calledAt   int64     // the time of the last scheduled call,
	callsInRow int       // and how many there were in a row at that time
}

// audited reports whether a call with that number is in the sample.
func (a *audit[S, M, C]) audited(number uint64) bool {
	return number <= auditedFirst || number%auditedShare == 0 || a.sim.cfg.careful
}

// place says for people where a run is.
func (a *audit[S, M, C]) place(node int) string {
	return fmt.Sprintf("at %s after %d.%06d s", NodeName(node), a.sim.now/million, a.sim.now%million)
}

// begin is called before each step.
func (a *audit[S, M, C]) begin(node int, in *protocol.Input[M, C]) {
	a.sim.stats.Steps++
	if a.deep++; a.deep > deepestStep {
		if in.Kind == protocol.Chosen {
			broken("Step of the core answers each choice by asking for another one, %d times in a row %s; "+
				"let Chosen end the choice", deepestStep, a.place(node))
		}
		broken("OnStep or the observer makes a step for each step that it is called after, %d deep %s; "+
			"use At for the next step", deepestStep, a.place(node))
	}
	if a.watched == node+1 {
		a.requireUnchanged("")
	}
	if a.audited(a.sim.stats.Steps) {
		a.given[0] = a.sim.cfg.Core.AppendState(a.given[0][:0], a.sim.states[node])
		a.given[1] = a.appendInput(a.given[1][:0], in)
	}
}

// appendInput encodes what a step could change of its input.
func (a *audit[S, M, C]) appendInput(dst []byte, in *protocol.Input[M, C]) []byte {
	switch in.Kind {
	case protocol.Deliver:
		return a.sim.cfg.Core.AppendMessage(dst, in.Message)
	case protocol.Command:
		return a.sim.cfg.Core.AppendCommand(dst, in.Command)
	}
	return append(dst, in.Persisted...)
}

// check requires that an output is possible. In the sample it also requires that a step is a
// function of its arguments and does not change them, that its results survive their encoding, and
// that the functions of the configuration leave the new state alone.
func (a *audit[S, M, C]) check(
	node int, in protocol.Input[M, C], after *S, out *protocol.Output[M],
) {
	if problem := cores.Impossible(out); problem != "" {
		broken("Step of the core: %s, after an input of kind %v %s", problem, in.Kind, a.place(node))
	}
	audited := a.audited(a.sim.stats.Steps)
	if audited {
		a.requireKept(node, &in)
		if !a.sim.cfg.Effects {
			a.requireSame(node, in, after, out)
		}
	}
	if audited || a.sim.stats.Steps%encodedShare == 0 {
		a.requireEncodable(after, out)
	}
	if audited {
		a.requireReadOnly(node, after)
	}
}

// requireKept requires that a step has left alone what it was given.
func (a *audit[S, M, C]) requireKept(node int, in *protocol.Input[M, C]) {
	what := ""
	switch {
	case !bytes.Equal(a.given[0], a.sim.cfg.Core.AppendState(nil, a.sim.states[node])):
		what = "state"
	case !bytes.Equal(a.given[1], a.appendInput(nil, in)):
		what = map[protocol.InputKind]string{
			protocol.Deliver: "message", protocol.Command: "command", protocol.Restart: "persisted content",
		}[in.Kind]
	default:
		return
	}
	broken("Step of the core changes the %s that it is given, with an input of kind %v %s; "+
		"copy slices and maps before you change them", what, in.Kind, a.place(node))
}

// requireSame requires that a step has the same results again.
func (a *audit[S, M, C]) requireSame(node int, in protocol.Input[M, C], after *S, out *protocol.Output[M]) {
	core := a.sim.cfg.Core
	known := cores.AppendOutput(core.AppendState(nil, *after), out, core.AppendMessage)
	state, other := core.Step(a.sim.states[node], in)
	if !bytes.Equal(known, cores.AppendOutput(core.AppendState(nil, state), &other, core.AppendMessage)) {
		broken("Step of the core gives another result when called again with the same state and input, of kind %v %s; "+
			"it must depend on nothing else and not range over maps. If it acts on something else on purpose, set "+
			"Config.Effects", in.Kind, a.place(node))
	}
}

// requireEncodable requires that the results of a step survive their encoding: a daemon sends and
// stores the bytes, not the values.
func (a *audit[S, M, C]) requireEncodable(after *S, out *protocol.Output[M]) {
	core := a.sim.cfg.Core
	states := blame.Codec[S]{Kind: "State", Encode: core.AppendState, Decode: core.DecodeState}
	messages := blame.Codec[M]{Kind: "Message", Encode: core.AppendMessage, Decode: core.DecodeMessage}
	err := states.RoundTrip(*after)
	for i := 0; err == nil && i < len(out.Send); i++ {
		err = messages.RoundTrip(out.Send[i].Message)
	}
	if err != nil {
		broken("%v", err)
	}
}

// requireReadOnly requires that Identity and Stopped are functions of a state and leave it alone.
func (a *audit[S, M, C]) requireReadOnly(node int, state *S) {
	known := a.sim.cfg.Core.AppendState(nil, *state)
	for _, f := range [...]struct {
		name string
		call func() any
	}{
		{"Identity", func() any { return a.sim.cfg.Identity(state) }},
		{"Stopped", func() any { return a.sim.cfg.Stopped(state) }},
	} {
		same := f.call() == f.call()
		switch {
		case !bytes.Equal(known, a.sim.cfg.Core.AppendState(nil, *state)):
			broken("%s changes the state that it is given, %s; copy slices and maps before you change them",
				f.name, a.place(node))
		case !same:
			broken("%s gives another answer when called again with the same state, %s; it must depend on nothing but the state",
				f.name, a.place(node))
		}
	}
	if id := a.sim.cfg.Identity(state); int(id.Address) != node {
		broken("Identity returns %v for a state %s; a node keeps the address that is its index", id, a.place(node))
	}
}

// unchanged asks Unchanged about a step.
func (a *audit[S, M, C]) unchanged(node int, after *S) bool {
	before := &a.sim.states[node]
	same := a.sim.cfg.Unchanged(before, after)
	if !a.audited(a.sim.stats.Steps) {
		return same
	}
	core := a.sim.cfg.Core
	now := core.AppendState(nil, *after)
	switch {
	case a.sim.cfg.Unchanged(before, after) != same:
		broken("Unchanged gives another answer when called again with the same states, %s", a.place(node))
	case !bytes.Equal(a.given[0], core.AppendState(nil, *before)):
		broken("Unchanged changes the states that it is given, %s", a.place(node))
	case same && !bytes.Equal(a.given[0], now):
		broken("Unchanged says that a step led back to the same state, but the encodings of the two states differ, %s; "+
			"the new state would be lost", a.place(node))
	}
	return same
}

// watch remembers the state of a node after a step of the sample. It must stay as it is until the
// next step of that node.
func (a *audit[S, M, C]) watch(node int) {
	if !a.audited(a.sim.stats.Steps) {
		return
	}
	a.requireUnchanged("")
	a.watched, a.state = node+1, a.sim.cfg.Core.AppendState(a.state[:0], a.sim.states[node])
}

// unwatch forgets the state of a node, which has another one now.
func (a *audit[S, M, C]) unwatch(node int) {
	if a.watched == node+1 {
		a.watched = 0
	}
}

// requireUnchanged requires that the watched state is as it was. If not, a function that was called
// since has changed it; by names the culprit, or is "".
func (a *audit[S, M, C]) requireUnchanged(by string) {
	if a.watched == 0 {
		return
	}
	node := a.watched - 1
	if !bytes.Equal(a.state, a.sim.cfg.Core.AppendState(nil, a.sim.states[node])) {
		if by == "" {
			broken("the state has changed since its last step %s, although no step did that: only read the result of State, "+
				"in OnStep, in oracles and in operations, and let Step not append to a slice that it has returned "+
				"(slices.Clone, slices.Clip)", a.place(node))
		}
		broken("%s changes a state %s; only read the result of State", by, a.place(node))
	}
	if by == "" {
		a.watched = 0
	}
}

// micros asks how long a message takes.
func (a *audit[S, M, C]) micros(from, to protocol.Address, c *Chance) int64 {
	a.asked++
	if !a.audited(a.asked) {
		return a.possible(a.sim.net.Latency.Micros(from, to, c), "Latency.Micros")
	}
	before := *c
	micros := a.sim.net.Latency.Micros(from, to, c)
	if again := a.sim.net.Latency.Micros(from, to, &before); again != micros || before != *c {
		broken("Latency.Micros gives another latency when called again with the same nodes and the same chance, from %v to "+
			"%v; it must depend on nothing else", from, to)
	}
	return a.possible(micros, "Latency.Micros")
}

// possible requires that a time is one.
func (a *audit[S, M, C]) possible(micros int64, function string) int64 {
	if micros < 0 || micros > maxPlanMicros {
		broken("%s returns %d microseconds; it must be from 0 to %d", function, micros, maxPlanMicros)
	}
	return micros
}

// span asks Span.
func (a *audit[S, M, C]) span(node int, t protocol.Timer) int64 {
	a.asked++
	span := a.sim.cfg.Span(node, t)
	if a.audited(a.asked) && a.sim.cfg.Span(node, t) != span {
		broken("Span gives another answer when called again for the same timer %s; "+
			"it must depend on nothing but the state of the run", a.place(node))
	}
	return a.possible(span, "Span")
}

// isDue asks Due.
func (a *audit[S, M, C]) isDue(node int, t protocol.Timer) bool {
	a.asked++
	due := a.sim.cfg.Due(node, t)
	if a.audited(a.asked) && a.sim.cfg.Due(node, t) != due {
		broken("Due gives another answer when called again for the same timer %s; "+
			"it must depend on nothing but the state of the run", a.place(node))
	}
	return due
}

// requireProgress requires that scheduled calls let time pass.
func (a *audit[S, M, C]) requireProgress() {
	if a.sim.now != a.calledAt {
		a.calledAt, a.callsInRow = a.sim.now, 0
	}
	if a.callsInRow++; a.callsInRow > mostCalls {
		broken("%d functions in a row were scheduled for one time, %d.%06d s: one of them schedules the next for the "+
			"present time, without end; let it be later", mostCalls, a.sim.now/million, a.sim.now%million)
	}
}
