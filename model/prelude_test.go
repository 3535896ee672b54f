package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

type toySystem = model.System[courier, note, order]

func machineOf(t *testing.T, sys *toySystem) traces.Machine {
	t.Helper()
	m, err := sys.Compile()
	require.NoError(t, err)
	return m.Machine()
}

// gifts is a prelude: A gives to B, then to C, and B to A.
func gifts() []model.PreludeCommand[order] {
	return []model.PreludeCommand[order]{
		{Node: 0, Command: give(1)},
		{Node: 0, Command: give(2)},
		{Node: 1, Command: give(0)},
	}
}

// The second order of a courier is not refused, as it would be with the first parcel still under
// way: each order is carried out before the next is given. Nothing of it is charged to the run that
// follows.
func TestPreludeComesToRest(t *testing.T) {
	budget := model.Budget{Drop: 1, Duplicate: 1, Spurious: 1, Crash: 1, Restart: 1, Suspect: 1}
	sys := threeCouriers().system(budget)
	without := machineOf(t, sys)
	sys.Prelude = gifts()
	m := machineOf(t, sys)
	state := m.State()
	assert.Equal(t, []traces.Variable{
		{Name: "A", Value: "A got 1, knows [1 1 1]"},
		{Name: "B", Value: "B got 1, knows [1 1 1]"},
		{Name: "C", Value: "C got 1, knows [1 1 1]"},
		{Name: "network", Value: ""},
	}, state[:4])
	assert.Equal(t, without.State()[4:], state[4:], "the monitor starts afresh and no fault is spent")
	assert.Equal(t, without.Enabled(), m.Enabled(), "every order of the run is still to come")
	for _, property := range []string{"NeverThanked", "Delivered", "Acquainted"} {
		holds, err := m.Check(property)
		require.NoError(t, err)
		assert.True(t, holds, property)
	}
	pick(t, m, "crash >A")
	m.Reset()
	assert.Equal(t, state, m.State(), "a machine goes back to the end of the prelude")
}

// Writes of the prelude stay on disk.
func TestPreludePersists(t *testing.T) {
	sys := twoCouriers().system(model.Budget{Crash: 1, Restart: 1})
	sys.Prelude = gifts()[:1]
	m := machineOf(t, sys)
	pick(t, m, "crash >B")
	pick(t, m, "restart >B")
	assert.Equal(t, "B.2 got 1, knows [1 2]", m.State()[1].Value)
}

// A lone courier's timer fires forever, and it sends nothing.
func TestPreludeThatNeverRests(t *testing.T) {
	sys := couriers([][]order{{give(0)}}).system(model.Budget{})
	sys.Due = func(_ *model.GlobalState[courier, note], _ int, t protocol.Timer) model.Due {
		if t.Kind == timerBeat {
			return model.Now
		}
		return model.Never
	}
	_ = machineOf(t, sys) // without a prelude it need not rest
	sys.Prelude = []model.PreludeCommand[order]{{Node: 0, Command: give(0)}}
	m, err := sys.Compile()
	require.NoError(t, err)
	const says = "model toy/couriers: the prelude does not end: a node still acts after 100000 steps"
	_, err = checker.Check(context.Background(), m.Model(), checker.Options{})
	assert.ErrorContains(t, err, says)
	assert.PanicsWithError(t, "checker: the model breaks its contract: "+says, func() { m.Machine() })
}

// echo sends every note that it receives twice.
type echo struct{ toy }

func (e echo) Step(s courier, in toyInput) (courier, toyOutput) {
	var out toyOutput
	if in.Kind == protocol.Start {
		s.Self.Incarnation = 1
		return s, out
	}
	for i := range 2 {
		s.send(&out, s.Self, noteKind(i))
	}
	return s, out
}

// A prelude that sends more and more ends while there is still memory.
func TestPreludeThatSendsForEver(t *testing.T) {
	sys := couriers([][]order{}).system(model.Budget{})
	sys.Core, sys.Prelude = echo{toy{n: 1}}, []model.PreludeCommand[order]{{Node: 0, Command: self()}}
	m, err := sys.Compile()
	require.NoError(t, err)
	_, err = checker.Check(context.Background(), m.Model(), checker.Options{})
	assert.ErrorContains(
		t,
		err,
		"checker: the model breaks its contract in its initial state: model toy/couriers: "+
			"the prelude does not end: more than 2048 messages are in flight",
	)
}

// An order to a courier that has ended cannot be carried out, and messages to such a courier
// vanish.
func TestPreludeAndTheEnded(t *testing.T) {
	sys := couriers([][]order{}, [][]order{}).system(model.Budget{})
	sys.Prelude = []model.PreludeCommand[order]{{Node: 1, Command: end()}, {Node: 0, Command: order{Kind: orderBeat}}}
	assert.Empty(t, machineOf(t, sys).State()[2].Value, "there is no receiver")

	sys.Prelude = append(sys.Prelude, model.PreludeCommand[order]{Node: 1, Command: self()})
	m, err := sys.Compile()
	require.NoError(t, err)
	_, err = checker.Check(context.Background(), m.Model(), checker.Options{})
	assert.ErrorContains(
		t,
		err,
		"checker: the model breaks its contract in its initial state: model toy/couriers: "+
			"the prelude gives a command to B, which has ended",
	)
}

// undecided owes a choice from its start on.
type undecided struct{ toy }

func (u undecided) Step(s courier, in toyInput) (courier, toyOutput) {
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
		return s, toyOutput{Choose: 2}
	case protocol.Chosen:
		s.Paint = uint8(in.Choice) + 1
	case protocol.Command:
		s.Got = s.Paint
	}
	return s, toyOutput{}
}

// A choice that is owed from the start is made before the first order is given, and remains to be
// made where there is none.
func TestPreludeMakesChoicesFirst(t *testing.T) {
	sys := couriers([][]order{}).system(model.Budget{})
	sys.Core = undecided{toy{n: 1}}
	assert.Len(t, machineOf(t, sys).Enabled(), 2)
	sys.Prelude = []model.PreludeCommand[order]{{Node: 0, Command: self()}}
	assert.Equal(t, "A got 1, knows [0]", machineOf(t, sys).State()[0].Value)
}

// A node that is given in the middle of its incarnation is not started again, and its timers are
// pending.
func TestGivenStates(t *testing.T) {
	sys := twoCouriers().system(model.Budget{Suspect: 1})
	a := newCourier(0)
	a.Self.Incarnation, a.Known, a.Got = 7, [toyNodes]uint16{7, 1}, 1
	a.To, a.Paint = protocol.NodeID{Address: 1, Incarnation: 1}, 2
	sys.Nodes[0].State, sys.Nodes[0].Timers = a, []protocol.Timer{
		a.timer(timerWatch),
		a.timer(timerResend),
		a.timer(timerWatch),
	}
	m := machineOf(t, sys)
	assert.Equal(t, "A.7 got 1, knows [7 1], has 2 for B", m.State()[0].Value)
	assert.Equal(t, "B got 0, knows [1 1]", m.State()[1].Value)
	var timers []string
	for _, a := range m.Enabled() {
		if a.Node == "A" && a.Kind != "command" {
			timers = append(timers, a.Text)
		}
	}
	assert.Equal(t, []string{"resend B", "watch B"}, timers, "in the order of the timers, and each once")
	assert.Equal(t, []string{"event gave up B 2"}, pick(t, m, "suspect >A watch B"))

	m.Reset()
	assert.Equal(t, []string{"send A->B give2"}, pick(t, m, "timeout >A resend B"))
}

// upMonitor counts the nodes that run.
type upMonitor struct {
	toyMonitor //lint:ignore U1000 it has the other methods
}

func (upMonitor) Initial() []byte         { return []byte{0} }
func (upMonitor) View(mon []byte) any     { return diary{got: mon[0]} }
func (upMonitor) Wants(event string) bool { return event == "up" }

func (upMonitor) Observe(mon []byte, _ int, _ courier, _ []protocol.Event) []byte {
	return []byte{mon[0] + 1}
}

// The messages and events of starting couriers are part of the run.
func TestWhatStartSendsAndAnnounces(t *testing.T) {
	script := twoCouriers()
	script.core.chatty = true
	sys := script.system(model.Budget{})
	sys.Monitor = upMonitor{}
	state := machineOf(t, sys).State()
	assert.Equal(t, "A->A here0; B->A here0; A->B here0; B->B here0", state[2].Value)
	assert.Equal(t, "02", state[3].Value)
}
