package can_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// Timers that differ have texts that differ.
func TestTextsTellTimersApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		a, b := sensibleTimer(g), sensibleTimer(g)
		require.Equal(t, a == b, can.TimerText(a) == can.TimerText(b))
	})
}

// sensibleTimer draws a timer of this core: only a missed one has a peer.
func sensibleTimer(g generator) protocol.Timer {
	tm := protocol.Timer{Kind: protocol.TimerKind(rapid.Uint8Range(1, uint8(can.MissedTimer)).Draw(g.T, "timer"))}
	if tm.Kind == can.MissedTimer {
		tm.Peer = g.id()
	}
	return tm
}

func TestNames(t *testing.T) {
	assert.Equal(t, "member", can.Member.String())
	assert.Equal(t, "GRANTING", can.Granting.String())
	assert.Equal(t, "NO-OP", can.NoOp.String())
	assert.Equal(t, "TAKEOVER", can.Takeover.String())
	assert.Equal(t, "?", can.TimerText(protocol.Timer{}))
	assert.Equal(t, "?", can.TimerText(protocol.Timer{Kind: can.MissedTimer + 1}))
	b2, c := protocol.NodeID{Address: 1, Incarnation: 2}, protocol.NodeID{Address: 2, Incarnation: 1}
	assert.Equal(t, "missed B.2", can.TimerText(protocol.Timer{Kind: can.MissedTimer, Peer: b2}))
	assert.Equal(t, "join via C", can.CommandText(can.Command{Kind: can.CommandJoin, Contact: c}))
}
