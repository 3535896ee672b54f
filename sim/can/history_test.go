package can

import (
	"testing"

	"github.com/stretchr/testify/assert"

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

func TestHistoryReportsTheFirstViolation(t *testing.T) {
	a, asksB := member(0, 1)
	b, asksC := member(1, 2)
	_, asksD := member(4, 5)
	event := func(name string, peer protocol.NodeID, round uint32, detail string) []protocol.Event {
		return []protocol.Event{{Name: name, Peer: peer, Number: round, Detail: detail}}
	}
	request := event(can.EventRequest, a, 1, "SPLIT")
	decide := func(command string) []protocol.Event { return event(can.EventDecide, a, 1, command) }
	type step struct {
		state  *can.State
		events []protocol.Event
	}
	tests := map[string]struct {
		steps []step
		want  string
	}{
		"one round": {
			[]step{{asksB, request}, {asksB, decide("SPLIT")}, {asksC, event(can.EventExecute, a, 1, "SPLIT")}},
			"",
		},
		"cancelled, executed": {
			[]step{{asksB, request}, {asksB, decide("NO-OP")}, {asksC, event(can.EventExecute, a, 1, "SPLIT")}},
			"CancelledStays",
		},
		"executed, cancelled": {
			[]step{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, decide("NO-OP")}},
			"CancelledStays",
		},
		"two commands": {
			[]step{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, decide("SPLIT")}},
			"OneCommand",
		},
		"another round": {
			[]step{{asksC, event(can.EventExecute, a, 1, "MERGE")}, {asksB, event(can.EventDecide, a, 2, "SPLIT")}},
			"",
		},
		"conflict": {
			[]step{{asksB, request}, {asksC, request}, {asksC, decide("SPLIT")}, {asksB, decide("SPLIT")}},
			"NoConflict",
		},
		"conflict, one cancelled": {
			[]step{{asksB, request}, {asksC, request}, {asksC, decide("SPLIT")}, {asksB, decide("NO-OP")}},
			"",
		},
		"far apart": {
			[]step{{asksB, request}, {asksD, request}, {asksD, decide("SPLIT")}, {asksB, decide("SPLIT")}},
			"",
		},
		"one after the other": {
			[]step{{asksB, request}, {asksB, decide("SPLIT")}, {asksC, request}, {asksC, decide("SPLIT")}},
			"",
		},
		"conflict with who crashed": {
			[]step{{asksC, request}, {asksB, request}, {asksC, event("crash", b, 0, "")}, {asksB, decide("SPLIT")}},
			"",
		},
		"fenced": {[]step{{asksC, event(can.EventFenced, b, 0, "")}}, "Unfenced"},
	}
	for name, test := range tests {
		h := newHistory()
		for _, s := range test.steps {
			h.observe(int(s.state.Self.ID.Address), s.state, s.events)
		}
		assert.Equal(t, test.want, h.broken, name)
	}
}
