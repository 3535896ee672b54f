package flight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/protocol"
)

// counter is a core that adds up the commands that it gets and sends the sum.
type counter struct {
	wrongAt uint64 // from this sum on it sends another message
	panicAt uint64
	forgets bool // its state does not count the message 7
}

type (
	counterInput  = protocol.Input[uint64, uint64]
	counterOutput = protocol.Output[uint64]
)

func (c counter) Step(s uint64, in counterInput) (uint64, counterOutput) {
	if in.Kind != protocol.Command {
		return s, counterOutput{}
	}
	sum := s + in.Command
	if c.panicAt > 0 && sum >= c.panicAt {
		panic("too much")
	}
	sent := sum
	if c.wrongAt > 0 && sum >= c.wrongAt {
		sent++
	}
	if c.forgets && in.Command == 7 {
		sum = s
	}
	b := protocol.NodeID{Address: 1, Incarnation: 1}
	return sum, counterOutput{Send: []protocol.Envelope[uint64]{{To: b, Message: sent}}}
}

func (counter) AppendState(dst []byte, s uint64) []byte   { return protocol.AppendUint(dst, s) }
func (counter) DecodeState(src []byte) (uint64, error)    { return number(src) }
func (counter) AppendMessage(dst []byte, m uint64) []byte { return protocol.AppendUint(dst, m) }
func (counter) DecodeMessage(src []byte) (uint64, error)  { return number(src) }
func (counter) AppendCommand(dst []byte, c uint64) []byte { return protocol.AppendUint(dst, c) }
func (counter) DecodeCommand(src []byte) (uint64, error)  { return number(src) }
func (counter) StateText(s uint64) string                 { return fmt.Sprint("sum ", s) }
func (counter) MessageText(m uint64) string               { return fmt.Sprint("Sum ", m) }
func (counter) CommandText(c uint64) string               { return fmt.Sprint("add ", c) }
func (counter) TimerText(protocol.Timer) string           { return "no timer" }

func number(src []byte) (uint64, error) {
	r := protocol.NewReader(src)
	v := r.Uint(1<<64 - 1)
	return v, r.Close()
}

// build returns the steppers of a build that has this core.
func build(c counter) func(flight.CoreKind) (flight.Stepper, error) {
	return func(k flight.CoreKind) (flight.Stepper, error) {
		if k.Name != "counter" {
			return nil, flight.ErrCore
		}
		return flight.Steps(c), nil
	}
}

var (
	header = flight.Header{
		Grid: "grid", Life: "A-1", Build: "test", Wire: 3,
		Cores: []flight.CoreKind{{Kind: 1, Name: "counter", Config: []byte("{}")}},
	}
	main  = flight.CoreID{Kind: 1}
	other = flight.CoreID{Kind: 1, By: protocol.NodeID{Address: 2, Incarnation: 1}, Epoch: 4}
)

// life drives counters under a recorder, as a daemon does.
type life struct {
	*flight.Recorder
	core   counter
	at     time.Duration
	states map[flight.CoreID]uint64
	order  []flight.CoreID
}

func newLife(r *flight.Recorder) *life {
	l := &life{Recorder: r, states: map[flight.CoreID]uint64{}}
	l.begin(main)
	l.snapshot()
	return l
}

// begin makes a core, without a record of it.
func (l *life) begin(id flight.CoreID) {
	l.states[id] = 0
	l.order = append(l.order, id)
}

func (l *life) snapshot() {
	var states []flight.State
	for _, id := range l.order {
		states = append(states, flight.State{Core: id, Bytes: l.core.AppendState(nil, l.states[id])})
	}
	l.Snapshot(l.at, states)
}

func (l *life) add(id flight.CoreID, n uint64) {
	l.at += time.Millisecond
	in := counterInput{Kind: protocol.Command, Command: n}
	l.Input(id, l.at, 0, protocol.AppendInput(nil, l.core, in))
	state, out := l.core.Step(l.states[id], in)
	l.states[id] = state
	l.Output(id, protocol.Hash(protocol.AppendOutput(nil, l.core, out)))
}

func start(t *testing.T, dir string, h flight.Header) *life {
	t.Helper()
	r, err := flight.NewWith(dir, h, 1<<20, 1<<22, 1<<20, time.Hour)
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return newLife(r)
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.cfr"))
	require.NoError(t, err)
	return names
}

func content(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return b
}
