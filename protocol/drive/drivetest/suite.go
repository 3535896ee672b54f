package drivetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

// Core is a core as a suite takes it: it also lists the names of its events.
type Core[S, M, C any] interface {
	protocol.Core[S, M, C]
	EventNames() []string
}

// Suite tests that a core keeps the contract of package protocol: one test and three targets for
// fuzzing.
type Suite[S, M, C any] struct {
	// Draw returns generators of values.
	Draw func(*rapid.T) Draw[S, M, C]
	// Wipe overwrites the lists of a state that Step changes in place: see NewPure.
	Wipe func(S)
	// Messages and Commands are the numbers of kinds. The first word of a text is the kind. A core
	// whose nodes send nothing has no kind of message, and its codec of messages is not tried.
	Messages, Commands int

	// Cores are configurations in which decoders are fuzzed, and Seeds calls for each state and each
	// message of a run of such a core, encoded.
	Cores []Core[S, M, C]
	Seeds func(core Core[S, M, C], state, message func([]byte))
}

// Draw draws values that the decoders of a core accept. The values of one draw may contradict each
// other.
type Draw[S, M, C any] struct {
	Core    Core[S, M, C]
	State   func() S
	Message func() M
	Command func() C

	// Shown reports whether a text shows all of a value: it may leave out a part that means nothing.
	// With it, the suite also compares the texts of values whose encodings differ in one byte; without
	// it, only those of drawn values.
	Shown func(any) bool

	Begin func() S                            // a state for steps; nil: State
	Input func(before S) protocol.Input[M, C] // anything that may reach a node; nil: no steps are taken
}

// Test runs all checks but the targets for fuzzing: canonical encodings and texts of states,
// messages and commands; that each kind of message and command is drawn; that Step is pure, panics
// on no input, and outputs nothing that the contract forbids.
func (s Suite[S, M, C]) Test(t *testing.T) {
	t.Run("state", func(t *testing.T) {
		testCodec(t, 0, func(t *rapid.T) codec[S] { return stateCodec(s.Draw(t)) })
	})
	t.Run("message", func(t *testing.T) {
		if s.Messages == 0 {
			t.Skip("the nodes of this core send nothing")
		}
		testCodec(t, s.Messages, func(t *rapid.T) codec[M] { return messageCodec(s.Draw(t)) })
	})
	t.Run("command", func(t *testing.T) {
		testCodec(t, s.Commands, func(t *rapid.T) codec[C] { return commandCodec(s.Draw(t)) })
	})
	t.Run("step", rapid.MakeCheck(s.steps))
}

func stateCodec[S, M, C any](d Draw[S, M, C]) codec[S] {
	return codec[S]{d.State, d.Core.AppendState, d.Core.DecodeState, d.Core.StateText, d.Shown}
}

func messageCodec[S, M, C any](d Draw[S, M, C]) codec[M] {
	return codec[M]{d.Message, d.Core.AppendMessage, d.Core.DecodeMessage, d.Core.MessageText, d.Shown}
}

func commandCodec[S, M, C any](d Draw[S, M, C]) codec[C] {
	return codec[C]{d.Command, d.Core.AppendCommand, d.Core.DecodeCommand, d.Core.CommandText, d.Shown}
}

// steps takes steps with any input.
func (s Suite[S, M, C]) steps(t *rapid.T) {
	d := s.Draw(t)
	if d.Input == nil {
		return
	}
	if d.Begin == nil {
		d.Begin = d.State
	}
	pure := NewPure(t, protocol.Core[S, M, C](d.Core), s.Wipe)
	state := d.Begin()
	for range rapid.IntRange(1, 20).Draw(t, "inputs") {
		var out protocol.Output[M]
		state, out = pure.Step(state, d.Input(state))
		requireAllowed(t, d.Core, out)
	}
	pure.RequireUnchanged()
}

// requireAllowed demands that the contract allows an output and that people can read it.
func requireAllowed[S, M, C any](t require.TestingT, core Core[S, M, C], out protocol.Output[M]) {
	names := core.EventNames()
	require.Contains(t, names, protocol.EventIgnore)
	for _, e := range out.Events {
		require.Contains(t, names, e.Name, "EventNames lacks it")
	}
	for _, e := range out.Send {
		require.Equal(t, out.Send[0].From, e.From, "a step sends in the name of one node")
	}
	texts := map[string]protocol.Timer{}
	for _, set := range out.Set {
		require.LessOrEqual(t, set.MinTicks, set.MaxTicks, "a timer ends before it begins: %v", set)
		text := core.TimerText(set.Timer)
		require.NotEmpty(t, text, "%v", set)
		require.NotContains(t, texts, text, "two timers have one text: %v, %v", texts[text], set)
		texts[text] = set.Timer
	}
}

// FuzzState hands the decoder of states any bytes.
func (s Suite[S, M, C]) FuzzState(f *testing.F) {
	fuzz(s, f, stateCodec[S, M, C],
		func(core Core[S, M, C], add func([]byte)) { s.Seeds(core, add, func([]byte) {}) }, func(Core[S, M, C], S) {})
}

// FuzzMessage hands any bytes to the decoder of messages, and delivers each message that it accepts
// to nodes in states of a run.
func (s Suite[S, M, C]) FuzzMessage(f *testing.F) {
	met := map[Core[S, M, C]][]S{}
	for _, core := range s.Cores {
		s.Seeds(core, func(b []byte) {
			if state, err := core.DecodeState(b); err == nil && len(met[core]) < mostStates {
				met[core] = append(met[core], state)
			}
		}, func([]byte) {})
	}
	fuzz(s, f, messageCodec[S, M, C],
		func(core Core[S, M, C], add func([]byte)) { s.Seeds(core, func([]byte) {}, add) },
		func(core Core[S, M, C], m M) {
			for _, state := range met[core] {
				in := protocol.Input[M, C]{Kind: protocol.Deliver, From: stranger, Message: m}
				core.Step(state, in)
			}
		})
}

// mostStates bounds the states to which a message of the fuzzer is delivered. The first of a run
// are those of nodes on their way in.
const mostStates = 16

// stranger sends the messages of the fuzzer.
var stranger = protocol.NodeID{Address: 1, Incarnation: 1}

// FuzzCommand hands the decoder of commands any bytes.
func (s Suite[S, M, C]) FuzzCommand(f *testing.F) {
	fuzz(s, f, commandCodec[S, M, C],
		func(Core[S, M, C], func([]byte)) {}, func(Core[S, M, C], C) {})
}

// examples is how many drawn values the fuzzer begins with.
const examples = 20

// fuzz demands that the encoder writes exactly the bytes that a decoder has accepted.
func fuzz[S, M, C, T any](
	s Suite[S, M, C], f *testing.F, of func(Draw[S, M, C]) codec[T], seeds func(Core[S, M, C], func([]byte)),
	then func(Core[S, M, C], T),
) {
	f.Helper()
	for i, core := range s.Cores {
		seeds(core, func(b []byte) { f.Add(byte(i), b) })
	}
	drawn := rapid.Custom(func(t *rapid.T) []byte {
		c := of(s.Draw(t))
		return c.encode(nil, c.draw())
	})
	for seed := range examples {
		f.Add(byte(0), drawn.Example(seed))
	}
	f.Add(byte(0), []byte{})
	f.Fuzz(func(t *testing.T, which byte, b []byte) {
		core := s.Cores[int(which)%len(s.Cores)]
		c := of(Draw[S, M, C]{Core: core})
		if c.accepts(t, b) {
			value, err := c.decode(b)
			require.NoError(t, err)
			then(core, value)
		}
	})
}
