package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// beacon is a core in which node 0 sends the same message to node 1 every 10 ticks, and node 1 sets
// a timer again with each. It counts them only while it is awake.
type beacon struct{ echo }

func (beacon) Step(s echoState, in echoInput) (echoState, echoOutput) {
	var out echoOutput
	tick := protocol.SetTimer{Timer: protocol.Timer{Kind: 1}, MinTicks: 10, MaxTicks: 10}
	switch {
	case in.Kind == protocol.Start:
		s.Self.Incarnation = 1
		if s.Self.Address == 0 {
			out.Set = []protocol.SetTimer{tick}
		}
	case in.Kind == protocol.Timeout && in.Timer.Kind == 1:
		out.Send = []protocol.Envelope[string]{{From: s.Self, To: node(1), Message: "here"}}
		out.Set = []protocol.SetTimer{tick}
	case in.Kind == protocol.Timeout:
		s.Got += "missed "
	case in.Kind == protocol.Command:
		s.Got = in.Command // "" is asleep
	case in.Kind == protocol.Deliver:
		if s.Got != "" {
			s.Got += "heard "
		}
		out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 2, Peer: in.From}, MinTicks: 25, MaxTicks: 25}}
	}
	return s, out
}

// The cache is cleared when the state changes, and a timer that messages kept from firing fires
// when they stop.
func TestCacheIsOfOneState(t *testing.T) {
	for _, remember := range []bool{false, true} {
		config := sim.Config[echoState, string, string]{
			Core: beacon{}, Nodes: []echoState{{}, {Self: protocol.NodeID{Address: 1}}}, Seed: 1, TickMicros: 1000,
			Identity: func(s *echoState) protocol.NodeID { return s.Self }, Network: sim.Network{Latency: sim.Constant(100)},
		}
		if remember {
			config.Unchanged = func(a, b *echoState) bool { return *a == *b }
		}
		c := sim.New(config)
		c.Start(0)
		c.Start(1)
		c.At(95_000, func() { c.Command(1, "awake ") })
		c.At(135_000, func() { c.Command(1, "") })
		c.At(155_000, func() { c.Crash(0) })
		c.RunUntil(150_000, nil)
		assert.Empty(t, c.State(1).Got)
		c.RunUntil(175_099, nil)
		assert.Empty(t, c.State(1).Got)
		c.RunUntil(175_100, nil)
		assert.Equal(t, "missed ", c.State(1).Got, "25 ticks after the last sign of life")
		assert.Equal(t, remember, c.Stats().Remembered > 10)

		d := sim.New(config)
		d.Start(0)
		d.Start(1)
		d.At(95_000, func() { d.Command(1, "awake ") })
		d.RunUntil(135_000, nil)
		assert.Equal(t, "awake heard heard heard heard ", d.State(1).Got)
	}
}
