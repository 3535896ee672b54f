package store

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/store"
)

// A node that has a leaver's decisions, directly or through another node, must not answer that a
// request's fate is unknown. Any other node may.
func TestSuccessorsKnow(t *testing.T) {
	id := func(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }
	state := func(a protocol.Address, phase cancore.Phase) *store.State {
		s := &store.State{}
		s.CAN.Self.ID, s.CAN.Phase = id(a), phase
		return s
	}
	const client, first, second, stranger = 1, 2, 3, 4
	said := func(by protocol.Address, attempt uint32, tried ...protocol.NodeID) bool {
		h := newSuccessors()
		given := protocol.Event{Name: store.EventGiven, Number: 7}
		received := protocol.Event{Name: store.EventReceived, Number: 7}
		h.step(state(first, cancore.Leaving), []protocol.Event{given})
		received.Peer = id(first)
		h.step(state(second, cancore.Member), []protocol.Event{received})
		asks := state(client, cancore.Member)
		asks.Pending = []store.Pending{{Operation: store.Operation{ID: 9}, Attempt: 2, Tried: tried}}
		h.step(asks, nil)
		decides := state(by, cancore.Member)
		decides.Decided = []store.Decision{{Client: id(client), ID: 9, Attempt: attempt, Verdict: store.Unknown}}
		return h.step(decides, nil)
	}
	assert.True(t, said(second, 2, id(first)), "it has the leaver's decisions")
	assert.False(t, said(stranger, 2, id(first)), "it was not handed over to that node")
	assert.False(t, said(second, 2, id(first), id(stranger)), "of another it cannot know")
	assert.False(t, said(second, 1, id(first)), "the client has gone on to another attempt")

	h := newSuccessors()
	h.step(state(first, cancore.Leaving), []protocol.Event{{Name: store.EventGiven, Number: 7}})
	h.step(state(second, cancore.Member), []protocol.Event{{Name: store.EventReceived, Peer: id(first), Number: 7}})
	h.step(state(second, cancore.Leaving), []protocol.Event{{Name: store.EventGiven, Number: 1}})
	own := state(client, cancore.Member)
	own.Pending = []store.Pending{
		{Operation: store.Operation{ID: 9}, Attempt: 1, Tried: []protocol.NodeID{id(first), id(second)}},
	}
	h.step(own, []protocol.Event{{Name: store.EventReceived, Peer: id(second), Number: 1}})
	own.Pending = nil
	assert.True(
		t,
		h.step(own, []protocol.Event{{Name: store.EventUnknown, Peer: id(client), Number: 9}}),
		"of its operations, too, and from the heir of an heir",
	)
}
