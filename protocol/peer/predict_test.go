package peer_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// hasNews selects the signs of life in the tree that carry anything.
func (g *grid) hasNews(p *process, t protocol.Timer) bool {
	of, t := peer.LayerOf(t)
	if of != peer.TreeLayer || t.Kind != dtm.KeepTimer {
		return false
	}
	s := p.State()
	_, out := dtm.Step(&g.core.Config.Tree, *s.Tree, dtm.Input{Kind: protocol.Timeout, Timer: t})
	return slices.ContainsFunc(out.Send, func(e dtm.Envelope) bool { return e.Message != dtm.Message(dtm.Beat{}) })
}

// requireClusters demands that candidates match the predictions of the trees, and that clusters are
// the nodes of the same side.
func (g *grid) requireClusters(stay []*process) {
	keep := peer.TimerOf(peer.RefineLayer, protocol.Timer{Kind: refine.KeepTimer})
	for _, p := range stay { // heads confirm clusters that have lost a member
		if slices.Contains(p.Pending(), keep) {
			g.Fire(p, keep)
		}
		g.rest()
	}
	for _, p := range stay {
		s := p.State()
		var candidates, side []protocol.NodeID
		for _, c := range s.Refine.Candidates {
			require.Equal(g.t, refine.Member, c.Status)
			candidates = append(candidates, c.ID)
		}
		require.ElementsMatch(g.t, peer.Predicted(&g.core.Config, &s), candidates)
		for _, other := range stay {
			if other.Address%2 == p.Address%2 {
				side = append(side, other.ID())
			}
		}
		var cluster []protocol.NodeID
		for _, c := range s.Tasks.Cluster {
			cluster = append(cluster, c.ID)
		}
		require.Equal(g.t, side, cluster)
	}
}

// For any order of messages, nodes at two places find the clusters of these places by predictions
// alone: one at once, or one after the other. A leaving node is in none of them.
func TestClustersAreFoundByPredictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(t, rapid.IntRange(2, 4).Draw(t, "nodes"), true)
		g.Latency = func(a, b protocol.Address) uint32 {
			if a%2 == b%2 {
				return 100
			}
			return 5_000
		}
		var before []protocol.NodeID
		atOnce := rapid.Bool().Draw(t, "at once")
		for _, p := range g.Nodes {
			g.command(p, peer.Command{Kind: peer.CommandTree, Near: before})
			if !atOnce || len(before) == 0 {
				g.rest()
			}
			before = append(before, p.ID())
		}
		for range 5 { // a node whose members have no place yet finds none
			g.rest()
			for _, p := range g.Nodes {
				if s := p.State(); s.Tree.Phase == dtm.Outside {
					g.command(p, peer.Command{Kind: peer.CommandTree, Near: []protocol.NodeID{before[0]}})
				}
			}
		}
		g.requireClusters(g.Nodes)
		if len(g.Nodes) == 2 {
			return
		}
		leaver := rapid.IntRange(1, len(g.Nodes)-1).Draw(t, "leaver")
		g.command(g.Nodes[leaver], peer.Command{Kind: peer.CommandLeave})
		g.rest()
		s := g.Nodes[leaver].State()
		require.True(t, s.Gone())
		require.Equal(t, dtm.Departed, s.Tree.Phase)
		g.requireClusters(slices.Delete(slices.Clone(g.Nodes), leaver, leaver+1))
	})
}

// The application cannot add nodes that are not predicted to be near.
func TestNearNodesArePredicted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGrid(t, 2, true)
		a := g.Nodes[0]
		near := peer.Command{Kind: peer.CommandNear, Near: g.others(a)}
		g.command(a, near)
		g.rest()
		s := a.State()
		require.Empty(t, s.Refine.Candidates)
		require.Equal(t, []reptask.Neighbour{{ID: a.ID()}}, s.Tasks.Cluster)
		g.command(a, peer.Command{Kind: peer.CommandTree})
		g.command(g.Nodes[1], peer.Command{Kind: peer.CommandTree, Near: []protocol.NodeID{a.ID()}})
		g.rest()
		g.command(a, near)
		s = a.State()
		require.Len(t, s.Refine.Candidates, 1)
	})
}
