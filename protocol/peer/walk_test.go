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
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

type (
	core    = protocol.Core[peer.State, peer.Message, peer.Command]
	process = drivetest.Process[peer.State, peer.Message, peer.Command]
)

// grid is a network of a few nodes that drops and duplicates nothing. Each step is checked to be
// pure, and each state, message and command to have a canonical encoding.
type grid struct {
	*drivetest.Network[peer.State, peer.Message, peer.Command]
	t    *rapid.T
	core *peer.Core
}

// newGrid returns a grid of nodes in a row.
func newGrid(t *rapid.T, nodes int, predicts bool) *grid {
	var row []space.Point
	for i := range nodes {
		row = append(row, space.Point{int32(4*i + 2)})
	}
	return newGridAt(t, []int32{int32(4 * nodes)}, row, predicts)
}

// newGridAt returns a grid of nodes at some points of a space. They have joined one after the
// other.
func newGridAt(t *rapid.T, sizes []int32, points []space.Point, predicts bool) *grid {
	s, err := space.New(0, sizes...)
	require.NoError(t, err)
	g := &grid{t: t, core: &peer.Core{Config: peer.DefaultConfig(s, len(points), len(points), 100)}}
	g.core.Config.Predicts = predicts
	require.NoError(t, g.core.Config.Validate())
	g.Network = drivetest.New(g.checked(), func(s peer.State) protocol.NodeID { return s.ID() })
	g.Ended = func(s peer.State) bool { return s.Gone() }
	g.Latency = func(_, _ protocol.Address) uint32 { return 10 }
	for i, at := range points {
		g.Start(g.Add(peer.New(protocol.Address(i), at)))
	}
	for _, p := range g.Nodes {
		kind := peer.CommandJoin
		if p.Address == 0 {
			kind = peer.CommandCreate
		}
		g.command(p, peer.Command{Kind: kind, Contact: g.Nodes[0].ID()})
		g.rest()
	}
	return g
}

// checked returns the core that checks its steps.
func (g *grid) checked() core {
	pure := drivetest.NewPure(g.t, core(g.core), func(peer.State) {})
	return drivetest.Observed[peer.State, peer.Message, peer.Command]{
		Core: pure,
		OnStep: func(s peer.State, out peer.Output) {
			require.Equal(g.t, s.ID(), s.Refine.ID)
			require.Equal(g.t, s.ID(), s.Tasks.Self)
			require.Equal(g.t, g.core.Config.Predicts, s.Tree != nil && s.Tree.ID == s.ID())
			requireCodec(g.t, g.core.AppendState, g.core.DecodeState, s)
			for _, e := range out.Send {
				requireCodec(g.t, g.core.AppendMessage, g.core.DecodeMessage, e.Message)
			}
		},
	}
}

func (g *grid) command(p *process, c peer.Command) {
	requireCodec(g.t, g.core.AppendCommand, g.core.DecodeCommand, c)
	g.Command(p, c)
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

// step lets any message arrive, or else a measurement end, or else a timer fire. It reports whether
// there was one.
func (g *grid) step() bool {
	if n := len(g.InFlight); n > 0 {
		g.Deliver(rapid.IntRange(0, n-1).Draw(g.t, "message"))
		return true
	}
	for _, p := range g.Nodes {
		if peers := p.Measuring(); len(peers) > 0 {
			g.Measure(p, peers[0])
			return true
		}
	}
	for _, p := range g.Nodes {
		due := func(t protocol.Timer) bool { return g.isDue(t) || g.hasNews(p, t) }
		if i := slices.IndexFunc(p.Pending(), due); i >= 0 {
			g.Fire(p, p.Pending()[i])
			return true
		}
	}
	return false
}

// isDue selects the timers that fire when nothing else happens: processes end, quiet times pass,
// requests are tried again, and a node that has left is missed.
func (g *grid) isDue(t protocol.Timer) bool {
	if !t.Peer.IsNobody() {
		s := g.At(t.Peer).State()
		return s.Gone()
	}
	of, t := peer.LayerOf(t)
	switch of {
	case peer.CanLayer:
		return t.Kind == can.RetryTimer
	case peer.RefineLayer:
		return t.Kind == refine.CollectTimer || t.Kind == refine.WaitTimer
	case peer.TreeLayer:
		return t.Kind == dtm.RetryTimer || t.Kind == dtm.AnswerTimer
	}
	return t.Kind == reptask.RunTimer
}

// rest lets everything happen until the network is quiescent.
func (g *grid) rest() {
	for range 10_000 {
		if !g.step() {
			return
		}
	}
	g.t.Fatal("the grid does not become quiescent")
}

// For any order of messages, a grid of three finds its cluster and runs a job in it, and one node
// leaves.
func TestAGridRunsJobsAndIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(t, 3, false)
		for _, p := range g.Nodes {
			g.command(p, peer.Command{Kind: peer.CommandNear, Near: g.others(p)})
		}
		g.rest()
		g.command(g.Nodes[0], peer.Command{
			Kind:      peer.CommandSubmit,
			Ticket:    1,
			Submitted: 1,
			Spec:      reptask.Spec{Size: 2, Requirement: space.Point{6}},
		})
		for range rapid.IntRange(0, 30).Draw(t, "steps before the leave") {
			g.step()
		}
		g.command(g.Nodes[2], peer.Command{Kind: peer.CommandLeave})
		g.rest()
		require.Equal(t, 1, g.Events["tasks:accept"], "%v", g.Events)
		require.Equal(t, 1, g.Events["can:left"], "%v", g.Events)
		s := g.Nodes[2].State()
		require.True(t, s.Gone())
		require.Equal(t, "[0,4) [4,12)", fmt.Sprint(g.zone(0), " ", g.zone(1)))
	})
}

// Nodes that are measured to be far from each other are in no cluster together.
func TestFarNodesShareNoCluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(t, 3, false)
		far := rapid.Uint32Range(101, 10_000).Draw(t, "latency")
		g.Latency = func(a, b protocol.Address) uint32 {
			if a+b == 1 { // A and B
				return 100
			}
			return far
		}
		for _, p := range g.Nodes {
			g.command(p, peer.Command{Kind: peer.CommandNear, Near: g.others(p)})
		}
		g.rest()
		a, b, c := g.Nodes[0].State(), g.Nodes[1].State(), g.Nodes[2].State()
		require.Len(t, a.Tasks.Cluster, 2)
		require.Len(t, b.Tasks.Cluster, 2)
		require.Equal(t, []reptask.Neighbour{{ID: c.ID()}}, c.Tasks.Cluster)
	})
}

// Three neighbours of each other that all want to leave find the fourth, which is to own the job.
func TestLeaversDoNotHandAJobRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGridAt(t, []int32{8, 8}, []space.Point{{1, 1}, {1, 6}, {6, 5}, {6, 7}}, false)
		for _, p := range g.Nodes[:3] {
			s := p.State()
			s.Leaving = true // it wants to leave and waits
			p.Resume(s, p.Pending())
		}
		g.command(g.Nodes[rapid.IntRange(0, 2).Draw(t, "entry")], peer.Command{
			Kind:      peer.CommandSubmit,
			Ticket:    1,
			Submitted: 1,
			Spec:      reptask.Spec{Size: 2, Requirement: space.Point{6, 5}},
		})
		g.rest()
		require.Zero(t, g.Events[peer.EventLost], "%v", g.Events)
		require.Equal(t, 1, g.Events[peer.EventOwned], "%v", g.Events)
	})
}

// For any map and order of messages, a job is represented if and only if a node can run it;
// otherwise its client is notified that no node can. A search is cut short at its limit.
func TestAJobFindsANodeThatCanRunIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.Permutation(slices.Collect(func(yield func(space.Point) bool) {
			for i := range int32(36) {
				if !yield(space.Point{i / 6, i % 6}) {
					return
				}
			}
		})).Draw(t, "points")
		nodes := drawn[:rapid.IntRange(1, 6).Draw(t, "nodes")]
		g := newGridAt(t, []int32{6, 6}, nodes, false)
		g.core.Config.SeekLimit = rapid.SampledFrom([]int{256, 256, 2}).Draw(t, "limit")
		needs := space.Point{rapid.Int32Range(0, 5).Draw(t, "x"), rapid.Int32Range(0, 5).Draw(t, "y")}
		g.command(g.Nodes[rapid.IntRange(0, len(nodes)-1).Draw(t, "entry")], peer.Command{
			Kind: peer.CommandSubmit, Ticket: 7, Submitted: 1, Spec: reptask.Spec{Size: 1, Requirement: needs},
		})
		g.rest()
		able := slices.ContainsFunc(nodes, func(at space.Point) bool { return at[0] >= needs[0] && at[1] >= needs[1] })
		accepted, unmatched := g.Events["tasks:accept"], g.Events[peer.EventUnmatched]
		require.Equal(t, 1, accepted+unmatched, "%v", g.Events)
		require.Equal(t, accepted, g.Events[peer.EventOwned])
		if g.core.Config.SeekLimit > 2 {
			require.Equal(t, able, accepted == 1, "%v at %v", needs, nodes)
		}
	})
}

// others returns the identities of all nodes but one.
func (g *grid) others(not *process) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, p := range g.Nodes {
		if p != not {
			ids = append(ids, p.ID())
		}
	}
	return ids
}

func (g *grid) zone(node int) string {
	z := g.Nodes[node].State().Can.Self.Zone
	return fmt.Sprintf("[%d,%d)", z.Low[0], z.High[0])
}
