package can_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

// pure returns the core of a configuration that checks its steps.
func pure(t require.TestingT, cfg *can.Config) *drivetest.Pure[can.State, can.Message, can.Command] {
	return drivetest.NewPure(t, core(&can.Core{Config: *cfg}), wipe)
}

// wipe overwrites the lists that a step changes in place.
func wipe(s can.State) {
	drivetest.Wipe(s.Known)
	drivetest.Wipe(s.Dead)
	drivetest.Wipe(s.Change.Waiting)
	drivetest.Wipe(s.Change.Later)
}

// Step is a function, and it keeps and changes nothing that it is given. Its states and messages
// survive encoding and decoding. All this on random walks, crashes and restarts included.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, true, 6)
		var checked *drivetest.Pure[can.State, can.Message, can.Command]
		_ = k.run(func(w *network) {
			checked = pure(t, w.cfg)
			w.Core = checked
		})
		checked.RequireUnchanged()
	})
}

// No input makes a node panic, in any state. The new state can be encoded.
func TestNoInputPanics(t *testing.T) {
	phases, types := map[can.Phase]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, true, 6)
		var net *network
		_ = k.run(func(w *network) { net = w })
		known := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			p := net.Nodes[rapid.IntRange(0, len(net.Nodes)-1).Draw(t, "node")]
			return protocol.NodeID{Address: p.Address, Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "life"))}
		})
		g := generator{t, net.cfg, rapid.OneOf(known, known, known, strangers)}
		p := net.Nodes[rapid.IntRange(0, len(net.Nodes)-1).Draw(t, "victim")]
		s := p.State()
		// Walks end with few nodes outside or on their way in, so these phases have a share of their own.
		if fresh := rapid.IntRange(0, 3).Draw(t, "fresh"); fresh > 1 {
			s, _ = can.Step(net.cfg, can.New(p.Address, p.State().Self.Coord), can.Input{Kind: protocol.Start})
			if fresh == 3 {
				join := can.Command{Kind: can.CommandJoin, Contact: known.Draw(t, "contact")}
				s, _ = can.Step(net.cfg, s, can.Input{Kind: protocol.Command, Command: join})
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			in := g.input()
			if in.Kind == protocol.Restart {
				continue // persisted bytes come from the node itself: see FuzzRestart
			}
			phases[s.Phase]++
			types[fmt.Sprintf("%T", in.Message)]++
			s, _ = pure(t, net.cfg).Step(s, in)
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	for phase := can.Outside; phase <= can.Departed; phase++ {
		if phase != can.Leaving { // a rare guest at the end of a walk
			require.NotZero(t, phases[phase], "no node was %v", phase)
		}
	}
	require.Len(t, types, 11, "ten types of message, and none")
}
