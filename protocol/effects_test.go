package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
)

var (
	self = protocol.NodeID{Address: 1, Incarnation: 1}
	peer = protocol.NodeID{Address: 2, Incarnation: 1}
)

func TestEffectsCollectTheOutput(t *testing.T) {
	var e protocol.Effects[string]
	e.Send(self, peer, "a")
	e.SendOrKeep(self, peer, "b")
	e.Event("done", peer, 3, "why")
	e.Ignore(peer, "late")
	require.Equal(t, protocol.Output[string]{
		Send: []protocol.Envelope[string]{{From: self, To: peer, Message: "a"}, {From: self, To: peer, Message: "b"}},
		Events: []protocol.Event{
			{Name: "done", Peer: peer, Number: 3, Detail: "why"}, {Name: "ignore", Peer: peer, Detail: "late"},
		},
	}, e.Out)
	require.False(t, e.Keeps())
}

// Messages from a node to itself stay in the step, oldest first, and are not without end.
func TestEffectsKeepMessagesToTheNodeItself(t *testing.T) {
	var e protocol.Effects[int]
	e.SendOrKeep(self, self, 1)
	e.SendOrKeep(self, self, 2)
	require.Equal(t, []int{1, 2}, []int{e.Next(), e.Next()})
	require.False(t, e.Keeps())
	require.Empty(t, e.Out)
	e.SendOrKeep(self, self, 3)
	require.PanicsWithValue(t, "protocol: a node sends messages to itself without end", func() {
		for e.Keeps() {
			e.SendOrKeep(self, self, e.Next())
		}
	})
}
