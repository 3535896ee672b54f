package drivetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

type process = drivetest.Process[can.State, can.Message, can.Command]

// joined returns a network of two nodes, A and B, that have joined.
func joined(t *testing.T) *drivetest.Network[can.State, can.Message, can.Command] {
	t.Helper()
	net := newNetwork(2, 10)
	net.Command(net.Nodes[0], can.Command{Kind: can.CommandCreate})
	net.Command(net.Nodes[1], can.Command{Kind: can.CommandJoin, Contact: net.Nodes[0].ID()})
	net.Drain()
	require.Equal(t, 1, net.Events[can.EventJoined])
	return net
}

// A message reaches a node only if the addressed incarnation runs and has not ended.
func TestHand(t *testing.T) {
	net := joined(t)
	a, b := net.Nodes[0], net.Nodes[1]
	message := can.Envelope{From: b.ID(), To: a.ID(), Message: can.Refuse{}}
	arrives := func() bool {
		before := net.Events[can.EventIgnore] // a member ignores a Refuse
		net.Hand(message)
		return net.Events[can.EventIgnore] > before
	}
	assert.True(t, arrives())
	assert.True(t, arrives(), "a copy")

	net.Ended = func(can.State) bool { return true }
	assert.False(t, arrives())
	assert.False(t, net.Running(a.ID()))
	assert.Empty(t, net.Live())
	net.Lingers = true
	assert.True(t, arrives())
	net.Ended, net.Lingers = nil, false

	net.Crash(a)
	assert.False(t, arrives())
	net.Start(a)
	assert.False(t, arrives(), "it is addressed to the former incarnation")
	message.To = protocol.NodeID{Address: 9, Incarnation: 1}
	assert.False(t, arrives(), "there is no such address")
}

// A later incarnation starts from the disk, in the state that the process was made with.
func TestRestart(t *testing.T) {
	net := joined(t)
	b := net.Nodes[1]
	net.Crash(b)
	assert.Empty(t, b.Pending())
	net.Start(b)
	assert.Equal(t, protocol.NodeID{Address: 1, Incarnation: 2}, b.ID())
	assert.Equal(t, can.Outside, b.State().Phase)
	assert.True(t, net.Running(b.ID()))
}

// The first violation is kept, and ends Drain.
func TestViolated(t *testing.T) {
	net := newNetwork(2, 10)
	net.Command(net.Nodes[1], can.Command{Kind: can.CommandJoin, Contact: net.Nodes[0].ID()})
	net.Violated("the %s one", "first")
	net.Violated("the second one")
	require.EqualError(t, net.Broken, "the first one")
	net.Drain()
	assert.Len(t, net.InFlight, 1)
	assert.False(t, net.Settle(3, func() {}))
}

// Settle ends when a round changes nothing, or after the given number of rounds.
func TestSettle(t *testing.T) {
	net := joined(t)
	rounds := 0
	assert.True(t, net.Settle(9, func() { rounds++ }))
	assert.Equal(t, 1, rounds)

	rounds = 0
	assert.False(t, net.Settle(9, func() {
		rounds++
		net.Crash(net.Nodes[1])
		net.Start(net.Nodes[1]) // each start has another incarnation
	}))
	assert.Equal(t, 9, rounds)
}

// Messages that cause messages without end are a violation.
func TestDrainIsBounded(t *testing.T) {
	net := joined(t)
	another := can.Envelope{From: net.Nodes[1].ID(), To: net.Nodes[0].ID(), Message: can.Refuse{}}
	net.Core = drivetest.Observed[can.State, can.Message, can.Command]{
		Core:   net.Core,
		OnStep: func(can.State, can.Output) { net.InFlight = append(net.InFlight, another) },
	}
	net.Command(net.Nodes[0], can.Command{Kind: can.CommandCreate})
	net.Drain()
	assert.EqualError(t, net.Broken, "messages cause messages without end")
}

// An input that does not reach the core panics: the test would test nothing.
func TestInputsReachTheCore(t *testing.T) {
	net := joined(t)
	a, b := net.Nodes[0], net.Nodes[1]
	assert.Panics(t, func() { net.Fire(a, protocol.Timer{Kind: can.RetryTimer}) })
	assert.Panics(t, func() { net.Measure(a, b.ID()) })
	net.Crash(a)
	assert.Panics(t, func() { net.Command(a, can.Command{Kind: can.CommandLeave}) })
}

// FireAll fires each pending timer that may fire, except timers that another one cancels.
func TestFireAll(t *testing.T) {
	net := joined(t)
	a := net.Nodes[0]
	require.Len(t, a.Pending(), 2)
	var fired []string
	net.Log = func(e drivetest.Entry) {
		if e.Verb == "timeout" {
			fired = append(fired, e.Text)
		}
	}
	net.FireAll(a, func(t protocol.Timer) bool { return t.Kind == can.UpdateTimer }, nil)
	assert.Equal(t, []string{"A update"}, fired)

	fired = nil
	then := 0
	net.FireAll(a, func(protocol.Timer) bool { return true }, func() {
		net.Crash(a)
		then++
	})
	assert.Len(t, fired, 1, "a crash cancels the others")
	assert.Equal(t, 1, then)
}

// FireOne fires one of the timers that may fire, at any node, and none if there is none.
func TestFireOne(t *testing.T) {
	net := joined(t)
	var fired []string
	net.Log = func(e drivetest.Entry) {
		if e.Verb == "timeout" {
			fired = append(fired, e.Text)
		}
	}
	update := func(_ *process, t protocol.Timer) bool { return t.Kind == can.UpdateTimer }
	for pick := range 3 {
		net.FireOne(pick, update)
	}
	net.FireOne(0, func(*process, protocol.Timer) bool { return false })
	assert.Equal(t, []string{"A update", "B update", "A update"}, fired)
}

// Record shows each state and message.
func TestRecord(t *testing.T) {
	net := newNetwork(2, 10)
	var states, messages [][]byte
	net.Record(func(b []byte) { states = append(states, b) }, func(b []byte) { messages = append(messages, b) })
	net.Command(net.Nodes[1], can.Command{Kind: can.CommandJoin, Contact: net.Nodes[0].ID()})
	require.Len(t, states, 1)
	require.Len(t, messages, 1)
	assert.Equal(t, net.Core.AppendState(nil, net.Nodes[1].State()), states[0])
	assert.Equal(t, net.Core.AppendMessage(nil, net.InFlight[0].Message), messages[0])
}
