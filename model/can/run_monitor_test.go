package can

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// member is the state of a node that awaits answers in its own round.
func member(a protocol.Address, waits ...protocol.Address) (protocol.NodeID, *can.State) {
	id := func(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }
	s := &can.State{Phase: can.Member, Self: can.Record{ID: id(a)}, Change: can.Change{Stage: can.Proposing}}
	for _, w := range waits {
		s.Change.Waiting = append(s.Change.Waiting, id(w))
	}
	return s.Self.ID, s
}

func TestRunMonitor(t *testing.T) {
	a, asksB := member(0, 1)
	b, asksC := member(1, 2)
	_, asksD := member(4, 5)
	event := func(name string, peer protocol.NodeID, round uint32, detail string) []protocol.Event {
		return []protocol.Event{{Name: name, Peer: peer, Number: round, Detail: detail}}
	}
	request := event(can.EventRequest, a, 1, "SPLIT")
	decide := func(command string) []protocol.Event { return event(can.EventDecide, a, 1, command) }
	type taken struct {
		state  *can.State
		events []protocol.Event
	}
	tests := map[string]struct {
		steps []taken
		want  string
	}{
		"one round": {
			[]taken{{asksB, request}, {asksB, decide("SPLIT")}, {asksC, event(can.EventExecute, a, 1, "SPLIT")}},
			"",
		},
		"cancelled, executed": {
			[]taken{{asksB, request}, {asksB, decide("NO-OP")}, {asksC, event(can.EventExecute, a, 1, "SPLIT")}},
			"CancelledStays",
		},
		"executed, cancelled": {
			[]taken{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, decide("NO-OP")}},
			"CancelledStays",
		},
		"two commands": {
			[]taken{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, decide("SPLIT")}},
			"OneCommand",
		},
		"another round": {
			[]taken{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, event(can.EventDecide, a, 2, "SPLIT")}},
			"",
		},
		"conflict": {
			[]taken{{asksB, request}, {asksC, request}, {asksC, decide("SPLIT")}, {asksB, decide("SPLIT")}},
			"NoConflict",
		},
		"conflict, one cancelled": {
			[]taken{{asksB, request}, {asksC, request}, {asksC, decide("SPLIT")}, {asksB, decide("NO-OP")}},
			"",
		},
		"far apart": {
			[]taken{{asksB, request}, {asksD, request}, {asksD, decide("SPLIT")}, {asksB, decide("SPLIT")}},
			"",
		},
		"one after the other": {
			[]taken{{asksB, request}, {asksB, decide("SPLIT")}, {asksC, request}, {asksC, decide("SPLIT")}},
			"",
		},
		"conflict with who crashed": {
			[]taken{{asksC, request}, {asksB, request}, {asksC, event("crash", b, 0, "")}, {asksB, decide("SPLIT")}},
			"",
		},
	}
	for name, test := range tests {
		m := NewRunMonitor()
		for _, s := range test.steps {
			m.Observe(s.state, s.events)
		}
		assert.Equal(t, test.want, m.Broken(), name)
	}
}

// The monitor tells any number of nodes apart, and the incarnations of each.
func TestRunMonitorOfManyNodes(t *testing.T) {
	requests := []protocol.Event{{Name: can.EventRequest}}
	decides := []protocol.Event{{Name: can.EventDecide, Number: 1, Detail: "SPLIT"}}
	broken := func(asked protocol.NodeID) string {
		m := NewRunMonitor()
		for a := range protocol.Address(100) {
			_, s := member(a)
			m.Observe(s, requests)
			require.Empty(t, m.Untrue(ViewOf(*s)))
		}
		_, first := member(100)
		first.Change.Waiting = []protocol.NodeID{asked}
		_, second := member(99)
		m.Observe(first, requests)
		m.Observe(second, decides)
		m.Observe(first, decides)
		return m.Broken()
	}
	assert.Equal(t, "NoConflict", broken(protocol.NodeID{Address: 99, Incarnation: 1}))
	assert.Empty(t, broken(protocol.NodeID{Address: 99, Incarnation: 2}), "another incarnation")
	assert.Empty(t, broken(protocol.NodeID{Address: 99 - 32, Incarnation: 1}), "another node")
}

// A node that has joined owns a zone, until it crashes.
func TestRunMonitorRemembersReports(t *testing.T) {
	id, s := member(40)
	s.Phase = can.Joining
	m := NewRunMonitor()
	m.Place(id)
	assert.NotEmpty(t, m.Untrue(ViewOf(*s)))
	m.Observe(&can.State{}, []protocol.Event{{Name: "crash", Peer: id}})
	assert.Empty(t, m.Untrue(ViewOf(*s)))
}
