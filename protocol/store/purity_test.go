package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// pure returns the core of a configuration that checks its steps.
func pure(t require.TestingT, cfg *store.Config) *drivetest.Pure[store.State, store.Message, store.Command] {
	return drivetest.NewPure(t, core(&store.Core{Config: *cfg}), wipe)
}

// wipe overwrites the lists that a step changes in place.
func wipe(s store.State) {
	drivetest.Wipe(s.Items)
	drivetest.Wipe(s.Awaits)
	drivetest.Wipe(s.Gifts)
	drivetest.Wipe(s.Pending)
	drivetest.Wipe(s.Decided)
	drivetest.Wipe(s.Left)
}

// Step is pure in a run in which things happen in any order. At its end all operations have ended.
func TestStepIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newNetwork(newConfig(32))
		checked := pure(t, w.cfg)
		w.Core = checked
		w.found(space.Point{2}, space.Point{10}, space.Point{20})
		number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		for id := range uint32(rapid.IntRange(1, 40).Draw(t, "moves")) {
			p := w.Nodes[number(len(w.Nodes))]
			switch number(6) {
			case 0:
				op := store.Operation{
					ID:     id,
					Kind:   store.Kind(number(4)),
					Key:    space.Point{int32(number(32))},
					Value:  uint32(number(3)),
					Expect: uint32(number(3)),
				}
				w.Command(p, store.CommandOperation(op))
			case 1:
				if pending := p.Pending(); len(pending) > 0 {
					timer := pending[number(len(pending))]
					if timer.Kind != can.MissedTimer && timer.Kind != store.GoneTimer {
						w.Fire(p, timer)
					}
				}
			case 2:
				if len(w.Nodes) < 5 {
					w.join(w.add(space.Point{int32(number(32))}))
				} else if p != w.Nodes[0] {
					w.Command(p, store.CommandMap(can.Command{Kind: can.CommandLeave}))
				}
			default:
				if len(w.InFlight) > 0 {
					w.Deliver(number(len(w.InFlight)))
				}
			}
		}
		w.settle()
		require.NoError(t, w.Broken)
		checked.RequireUnchanged()
		for _, p := range w.Nodes {
			require.Empty(t, p.State().Pending, "%s", store.StateText(w.cfg, p.State()))
			require.Empty(t, p.State().Gifts)
			require.Empty(t, p.State().Awaits)
		}
	})
}

// A new incarnation keeps nothing of the last one but its address.
func TestRestartForgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		s := g.state()
		_, out := store.Step(g.cfg, store.New(s.ID().Address, s.CAN.Self.Coord), store.Input{Kind: protocol.Start})
		next, _ := store.Step(g.cfg, s, store.Input{Kind: protocol.Restart, Persisted: out.Persist})
		require.Equal(t, store.State{CAN: next.CAN}, next)
		require.Equal(t, uint16(2), next.ID().Incarnation)
	})
}
