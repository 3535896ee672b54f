package refine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// pure returns the core of a configuration that checks its steps.
func pure(t require.TestingT, cfg *refine.Config) *drivetest.Pure[refine.State, refine.Message, refine.Command] {
	return drivetest.NewPure(t, core(&refine.Core{Config: *cfg}), wipe)
}

// wipe overwrites the lists that a step changes in place.
func wipe(s refine.State) {
	drivetest.Wipe(s.Candidates)
	drivetest.Wipe(s.Slots)
}

// Step is a function, and it keeps and changes nothing that it is given. Its states and messages
// survive encoding and decoding. All this on random walks, crashes and restarts included.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		var checked *drivetest.Pure[refine.State, refine.Message, refine.Command]
		k.run(func(w *network) {
			checked = pure(t, w.cfg)
			w.Core = checked
		})
		checked.RequireUnchanged()
	})
}

// No input makes a node panic, in any state. Its bounds hold, and the new state can be encoded.
func TestNoInputPanics(t *testing.T) {
	heads, clients, types := map[refine.HeadState]int{}, map[refine.ClientState]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, 6)
		var states []refine.State // of any node at any time
		w := k.run(func(w *network) {
			w.Core = drivetest.Observed[refine.State, refine.Message, refine.Command]{
				Core:   w.Core,
				OnStep: func(s refine.State, _ refine.Output) { states = append(states, s) },
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
			heads[s.Head]++
			clients[s.Client()]++
			types[fmt.Sprintf("%T", in.Message)]++
			s, _ = pure(t, w.cfg).Step(s, in)
			require.LessOrEqual(t, len(s.Slots), max(0, w.cfg.MembershipBound-1))
			require.LessOrEqual(t, len(s.Candidates), w.cfg.CandidateLimit)
			for _, c := range clusters(&s) {
				require.LessOrEqual(t, len(c.Members), w.cfg.SizeBound)
			}
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.Len(t, heads, 5, "a head has five states")
	require.Len(t, clients, 4, "a client has four states")
	require.Len(t, types, 12, "eleven types of message, and none")
}
