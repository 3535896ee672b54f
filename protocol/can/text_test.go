package can_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// Values that differ have lines that differ. Close values are the hard ones: numbers are drawn from
// few, so that the parts of a line could be taken for each other.
func TestTextsTellValuesApart(t *testing.T) {
	few := func(t *rapid.T) generator {
		ids := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			return protocol.NodeID{
				Address:     protocol.Address(rapid.IntRange(0, 2).Draw(t, "a")),
				Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "i")),
			}
		})
		return generator{t, configs(t, 1, 2, 3), ids}
	}
	t.Run("states", rapid.MakeCheck(func(t *rapid.T) {
		g := few(t)
		requireApart(t, g, stateCodec, can.StateText)
	}))
	t.Run("messages", rapid.MakeCheck(func(t *rapid.T) {
		g := few(t)
		requireApart(t, g, messageCodec, can.MessageText)
	}))
	t.Run("commands", rapid.MakeCheck(func(t *rapid.T) {
		requireApart(t, few(t), codec[can.Command]{draw: sensibleCommand, encode: commandCodec.encode},
			func(_ *can.Config, o can.Command) string { return can.CommandText(o) })
	}))
	t.Run("timers", rapid.MakeCheck(func(t *rapid.T) {
		g := few(t)
		a, b := sensibleTimer(g), sensibleTimer(g)
		require.Equal(t, a == b, can.TimerText(a) == can.TimerText(b))
	}))
}

// sensibleCommand draws a command in which only a join has a contact.
func sensibleCommand(g generator) can.Command {
	o := g.command()
	if o.Kind != can.CommandJoin {
		o.Contact = protocol.NodeID{}
	}
	return o
}

// sensibleTimer draws a timer of this core: only a missed one has a peer.
func sensibleTimer(g generator) protocol.Timer {
	tm := protocol.Timer{Kind: protocol.TimerKind(rapid.Uint8Range(1, uint8(can.MissedTimer)).Draw(g.T, "timer"))}
	if tm.Kind == can.MissedTimer {
		tm.Peer = g.id()
	}
	return tm
}

// requireApart compares a value with another one, and with all that differ from it in a bit or two
// of a byte of their encodings.
func requireApart[T any](t *rapid.T, g generator, c codec[T], text func(*can.Config, T) string) {
	t.Helper()
	x := c.draw(g)
	line, encoded := text(g.cfg, x), c.encode(g.cfg, nil, x)
	require.False(t, strings.ContainsAny(line, "\n\r"))
	require.NotEmpty(t, line)
	differ := func(y T) {
		same := string(encoded) == string(c.encode(g.cfg, nil, y))
		require.Equal(t, same, line == text(g.cfg, y), "%s\n%s", line, text(g.cfg, y))
	}
	differ(c.draw(g))
	for i := range encoded {
		for mask := byte(1); mask < 4 && c.decode != nil; mask++ {
			b := bytes.Clone(encoded)
			b[i] ^= mask
			if y, err := c.decode(g.cfg, b); err == nil && meaningful(y) {
				differ(y)
			}
		}
	}
}

// meaningful reports whether a value has nothing in parts that mean nothing: a text leaves those
// out.
func meaningful(x any) bool {
	switch x := x.(type) {
	case can.ProposeOK:
		return !x.Self.ID.IsNobody() || reflect.ValueOf(x.Self).IsZero()
	case can.State:
		promise := !x.Promise.Proposer.IsNobody() || x.Promise == can.Promise{}
		return promise && (x.Change.Stage != can.Stable || reflect.ValueOf(x.Change).IsZero())
	}
	return true
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
