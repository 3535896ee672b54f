package dtm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// pure returns the core of a configuration that checks its steps.
func pure(t require.TestingT, cfg *dtm.Config) *drivetest.Pure[dtm.State, dtm.Message, dtm.Command] {
	return drivetest.NewPure(t, core(&dtm.Core{Config: *cfg}), wipe)
}

// wipe overwrites the lists that a step changes in place.
func wipe(s dtm.State) {
	drivetest.Wipe(s.Branches)
	drivetest.Wipe(s.Links)
	drivetest.Wipe(s.Search.Answers)
	drivetest.Wipe(s.Search.Awaits)
	drivetest.Wipe(s.Search.Latencies)
}

// Step is a function, and it keeps and changes nothing that it is given. Its states and messages
// survive encoding and decoding. All this on random walks, crashes included.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		var checked *drivetest.Pure[dtm.State, dtm.Message, dtm.Command]
		k.run(func(w *network) {
			checked = pure(t, w.cfg)
			w.Core = checked
		})
		checked.RequireUnchanged()
	})
}

// No input makes a node panic, in any state, and the new state can be encoded.
func TestNoInputPanics(t *testing.T) {
	phases, types := map[dtm.Phase]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		var states []dtm.State // of any node at any time
		w := k.run(func(w *network) {
			w.Core = drivetest.Observed[dtm.State, dtm.Message, dtm.Command]{
				Core:   w.Core,
				OnStep: func(s dtm.State, _ dtm.Output) { states = append(states, s) },
			}
		})
		known := rapid.Custom(func(t *rapid.T) protocol.NodeID {
			p := w.Nodes[evenly(t, len(w.Nodes), "node")]
			return protocol.NodeID{Address: p.Address, Incarnation: uint16(rapid.IntRange(0, 2).Draw(t, "life"))}
		})
		g := generator{t, rapid.OneOf(known, known, known, strangers)}
		s := states[evenly(t, len(states), "victim")]
		for range rapid.IntRange(1, 40).Draw(t, "inputs") {
			in := g.input()
			phases[s.Phase]++
			types[fmt.Sprintf("%T", in.Message)]++
			s, _ = pure(t, w.cfg).Step(s, in)
			require.LessOrEqual(t, len(s.Branches), w.cfg.ChildLimit)
			require.LessOrEqual(t, len(s.Candidates(40, 4)), 3)
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.Len(t, phases, 4, "a node has four phases")
	require.Len(t, types, 17, "sixteen types of message, and none")
}

// Hosts that lie about the tree, as if it had a cycle, lead to states that can be encoded, too. An
// anchor attaches to its child, and an anchor lists its grandchild as a child and leaves.
func TestLiesLeadToCanonicalStates(t *testing.T) {
	cfg := dtm.DefaultConfig(4)
	b, c, anchor := node(0), node(1), node(2)
	member := dtm.State{
		ID: b, Phase: dtm.Member, Segment: dtm.Segment{Anchor: anchor}, Above: dtm.Label{{Host: anchor}},
		Siblings: []dtm.Child{{Host: b}}, Heard: 1, Version: 1,
	}
	for _, lies := range [][]dtm.Input{
		{deliver(anchor, dtm.Attach{Version: 1})},
		{
			deliver(c, dtm.Attach{Version: 1}),
			deliver(anchor, dtm.Position{
				Version: 2, Label: dtm.Label{{Host: anchor}}, Children: []dtm.Child{{Host: b}, {Host: c}},
			}),
			deliver(anchor, dtm.Left{}),
		},
	} {
		s := member
		for _, in := range lies {
			s, _ = pure(t, &cfg).Step(s, in)
		}
		require.NotEmpty(t, s.Branches)
	}
}

func node(address protocol.Address) protocol.NodeID {
	return protocol.NodeID{Address: address, Incarnation: 1}
}

func deliver(from protocol.NodeID, m dtm.Message) dtm.Input {
	return dtm.Input{Kind: protocol.Deliver, From: from, Message: m}
}
