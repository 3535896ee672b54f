package refine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Each criterion turns down the suitor that its rule puts last, and no slot of another stage.
func TestLeastDesirable(t *testing.T) {
	slot := func(address int, stage refine.Stage, ceiling, sure uint32) refine.Slot {
		head := protocol.NodeID{Address: protocol.Address(address), Incarnation: 1}
		return refine.Slot{Head: head, Stage: stage, Ceiling: ceiling, Sure: sure}
	}
	slots := []refine.Slot{
		slot(1, refine.Committed, 0, 0), slot(2, refine.Suitor, 5, 1), slot(3, refine.Suitor, 4, 2),
		slot(4, refine.Suitor, 4, 1), slot(5, refine.Promised, 1, 1), slot(6, refine.Suitor, 6, 1),
	}
	require.Equal(t, 2, refine.FirstCome.LeastDesirable(slots, 2))
	require.Equal(t, 3, refine.Greedy.LeastDesirable(slots, 5))
	slots[2].Sure = 1
	last := 2
	if slots[3].Head.Hash() > slots[2].Head.Hash() {
		last = 3
	}
	require.Equal(t, last, refine.Greedy.LeastDesirable(slots, 5))
	suitors := slices.DeleteFunc(slices.Clone(slots), func(s refine.Slot) bool { return s.Stage != refine.Suitor })
	slices.SortFunc(suitors, func(a, b refine.Slot) int {
		if a.Head.Hash() < b.Head.Hash() {
			return -1
		}
		return 1
	})
	at := refine.GlobalOrder.LeastDesirable(slots, 1)
	require.Equal(t, suitors[len(suitors)-1].Head, slots[at].Head)
}

// The largest clique is near in all pairs, has the first node, and no node can be added.
func TestLargestClique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 12
		var edges [most][most]bool
		nodes := rapid.IntRange(1, most).Draw(t, "nodes")
		for i := range nodes {
			for j := range i {
				edges[i][j] = rapid.Bool().Draw(t, "near")
			}
		}
		near := func(a, b int) bool { return a == b || edges[max(a, b)][min(a, b)] }
		limit := rapid.IntRange(1, nodes).Draw(t, "limit")
		all := refine.LargestClique(nodes, near, limit)
		require.Zero(t, all[0])
		require.LessOrEqual(t, len(all), limit)
		require.True(t, slices.IsSorted(all))
		fits := func(v int) bool {
			return !slices.ContainsFunc(all, func(u int) bool { return !near(u, v) })
		}
		for v := range nodes {
			switch {
			case slices.Contains(all, v):
				require.True(t, fits(v))
			case len(all) < limit:
				require.False(t, fits(v))
			}
		}
	})
}

// A node prefers the larger cluster, then its own, then that of the first head by hash.
func TestBetter(t *testing.T) {
	id := func(a int) protocol.NodeID { return protocol.NodeID{Address: protocol.Address(a), Incarnation: 1} }
	of := func(head, members int) refine.Cluster {
		return refine.Cluster{Head: id(head), Members: make([]protocol.NodeID, members)}
	}
	self := id(1)
	require.True(t, refine.Better(of(2, 3), of(1, 2), self))
	require.False(t, refine.Better(of(2, 2), of(1, 2), self))
	require.False(t, refine.Better(of(2, 2), of(3, 3), self))
	first := id(2).Hash() < id(3).Hash()
	require.Equal(t, first, refine.Better(of(2, 3), of(3, 3), self))
	require.Equal(t, !first, refine.Better(of(3, 3), of(2, 3), self))
}
