package peer_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// grid is a few nodes, what is on its way, and what their drivers wait for. It loses and repeats
// nothing.
type grid struct {
	*rapid.T
	core   *peer.Core
	states []peer.State
	timers [][]protocol.Timer
	wire   []peer.Envelope
	probes []protocol.NodeID // who measures, and whom, in turn
	seen   map[string]int    // events
}

func newGrid(t *rapid.T, nodes int) *grid {
	var row []space.Point
	for i := range nodes {
		row = append(row, space.Point{int32(4*i + 2)})
	}
	return newMap(t, []int32{int32(4 * nodes)}, row)
}

// newMap returns a grid of nodes at some points of a space.
func newMap(t *rapid.T, sizes []int32, points []space.Point) *grid {
	s, err := space.New(false, sizes...)
	require.NoError(t, err)
	g := &grid{
		T:    t,
		core: &peer.Core{Config: peer.DefaultConfig(s, len(points), len(points), 100)},
		seen: map[string]int{},
	}
	require.NoError(t, g.core.Config.Validate())
	for i, at := range points {
		g.states = append(g.states, peer.New(protocol.Address(i), at))
		g.timers = append(g.timers, nil)
		g.feed(i, peer.Input{Kind: protocol.Start})
	}
	return g
}

// feed takes a step, and holds it to the contract: equal inputs give equal outputs, and nothing
// given is changed.
func (g *grid) feed(node int, in peer.Input) {
	before := g.core.AppendState(nil, g.states[node])
	state, out := g.core.Step(g.states[node], in)
	again, repeated := g.core.Step(g.states[node], in)
	require.Equal(g, state, again)
	require.Equal(g, out, repeated)
	require.Equal(g, before, g.core.AppendState(nil, g.states[node]), "a step changes nothing that it is given")
	require.Equal(g, state.ID(), state.Refine.ID)
	require.Equal(g, state.ID(), state.Tasks.Self)
	g.states[node] = state
	g.obey(node, in, out)
	requireCodec(g, g.core.AppendState, g.core.DecodeState, state)
}

func (g *grid) obey(node int, in peer.Input, out peer.Output) {
	gone := append(slices.Clone(out.Cancel), in.Timer)
	g.timers[node] = slices.DeleteFunc(g.timers[node], func(t protocol.Timer) bool { return slices.Contains(gone, t) })
	for _, set := range out.Set {
		if !slices.Contains(g.timers[node], set.Timer) {
			g.timers[node] = append(g.timers[node], set.Timer)
		}
	}
	for _, e := range out.Send {
		requireCodec(g, g.core.AppendMessage, g.core.DecodeMessage, e.Message)
		g.wire = append(g.wire, e)
	}
	for _, id := range out.Measure {
		g.probes = append(g.probes, g.states[node].ID(), id)
	}
	for _, e := range out.Events {
		g.seen[e.Name]++
	}
}

func (g *grid) order(node int, o peer.Command) {
	requireCodec(g, g.core.AppendCommand, g.core.DecodeCommand, o)
	g.feed(node, peer.Input{Kind: protocol.Command, Command: o})
}

func requireCodec[T any](t require.TestingT, encode func([]byte, T) []byte, decode func([]byte) (T, error), v T) {
	b := encode(nil, v)
	back, err := decode(b)
	require.NoError(t, err, "%+v", v)
	require.Equal(t, b, encode(nil, back))
	for _, wrong := range [][]byte{b[:len(b)-1], append(bytes.Clone(b), 0)} {
		_, err = decode(wrong)
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}

// step lets the first thing happen that can, or any: a message, the end of a measurement, or else a
// timer.
func (g *grid) step() bool {
	if n := len(g.wire); n > 0 {
		i := rapid.IntRange(0, n-1).Draw(g.T, "message")
		e := g.wire[i]
		g.wire = slices.Delete(g.wire, i, i+1)
		if s := &g.states[e.To.Address]; s.ID() == e.To && !s.Gone() {
			g.feed(int(e.To.Address), peer.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
		return true
	}
	if len(g.probes) > 0 {
		from, to := g.probes[0], g.probes[1]
		g.probes = g.probes[2:]
		g.feed(int(from.Address), peer.Input{Kind: protocol.Measured, From: to, Measure: 10})
		return true
	}
	for node := range g.timers {
		for _, t := range g.timers[node] {
			if g.guess(t) {
				g.feed(node, peer.Input{Kind: protocol.Timeout, Timer: t})
				return true
			}
		}
	}
	return false
}

// guess tells timers that fire whenever nothing else happens: processes end, quiet times pass,
// requests are tried again, and who has left is missed.
func (g *grid) guess(t protocol.Timer) bool {
	if !t.Peer.IsNobody() {
		return g.states[t.Peer.Address].Gone()
	}
	of, t := peer.LayerOf(t)
	switch of {
	case peer.CanLayer:
		return t.Kind == can.RetryTimer
	case peer.RefineLayer:
		return t.Kind == refine.CollectTimer || t.Kind == refine.WaitTimer
	}
	return t.Kind == reptask.RunTimer
}

func (g *grid) rest() {
	for range 10_000 {
		if !g.step() {
			return
		}
	}
	g.Fatal("it does not come to rest")
}

// Whatever the order of messages, a grid of three finds its cluster, runs a job in it, and is left
// by a node.
func TestAGridRunsJobsAndIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(t, 3)
		for i := range g.states {
			g.order(i, peer.Command{Kind: peer.CommandCreate + peer.CommandKind(min(i, 1)), Contact: g.states[0].ID()})
			g.rest()
		}
		for i, s := range g.states {
			g.order(i, peer.Command{Kind: peer.CommandNear, Near: others(g.states, s.ID())})
		}
		g.rest()
		g.order(
			0,
			peer.Command{
				Kind:      peer.CommandSubmit,
				Ticket:    1,
				Submitted: 1,
				Spec:      reptask.Spec{Size: 2, Requirement: space.Point{6}},
			},
		)
		for range rapid.IntRange(0, 30).Draw(t, "steps before the leave") {
			g.step()
		}
		g.order(2, peer.Command{Kind: peer.CommandLeave})
		g.rest()
		require.Equal(t, 1, g.seen["tasks:accept"], "%v", g.seen)
		require.Equal(t, 1, g.seen["can:left"], "%v", g.seen)
		require.True(t, g.states[2].Gone())
		require.Equal(t, "[0,4) [4,12)", fmt.Sprint(zone(g, 0), " ", zone(g, 1)))
	})
}

// Three neighbours of each other that all want to leave find the fourth, which is to own the job.
func TestLeaversDoNotHandAJobRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newMap(t, []int32{8, 8}, []space.Point{{1, 1}, {1, 6}, {6, 5}, {6, 7}})
		for i := range g.states {
			g.order(i, peer.Command{Kind: peer.CommandCreate + peer.CommandKind(min(i, 1)), Contact: g.states[0].ID()})
			g.rest()
		}
		for i := range 3 {
			g.states[i].Leaving = true // wanted, and put off
		}
		g.order(
			rapid.IntRange(0, 2).Draw(t, "entry"),
			peer.Command{
				Kind:      peer.CommandSubmit,
				Ticket:    1,
				Submitted: 1,
				Spec:      reptask.Spec{Size: 2, Requirement: space.Point{6, 5}},
			},
		)
		g.rest()
		require.Zero(t, g.seen[peer.EventLost], "%v", g.seen)
		require.Equal(t, 1, g.seen[peer.EventOwned], "%v", g.seen)
	})
}

func others(all []peer.State, not protocol.NodeID) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, s := range all {
		if s.ID() != not {
			ids = append(ids, s.ID())
		}
	}
	return ids
}

func zone(g *grid, node int) string {
	z := g.states[node].Can.Self.Zone
	return fmt.Sprintf("[%d,%d)", z.Low[0], z.High[0])
}
