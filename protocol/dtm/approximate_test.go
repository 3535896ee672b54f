package dtm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// The first approximation is the set of the first pair that no other pair beats, and on a tree it
// is as large as any set of that diameter with the host in it.
func TestApproximateAgainstAllSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawTree(t, 9)
		var h hosts
		r := chance(t)
		for i := range k.at {
			h.add(i, dtm.Walk, k.far, r)
		}
		n := len(k.at)
		diameter := rapid.Int64Range(0, 40).Draw(t, "diameter")
		known := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 2*n).Draw(t, "known")
		var labels []dtm.Label
		for _, i := range known {
			labels = append(labels, h.label(i))
		}
		space := slices.Compact(slices.Sorted(slices.Values(append(known, 0))))
		far := func(a, b int) int64 {
			d, _ := dtm.Predict(h.label(a), h.label(b))
			return d
		}
		var first []protocol.NodeID
		for i, p := range space {
			for _, q := range space[i:] {
				var set []protocol.NodeID
				for _, x := range space {
					if far(p, x) <= far(p, q) && far(q, x) <= far(p, q) {
						set = append(set, id(x))
					}
				}
				if far(p, q) <= diameter && slices.Contains(set, id(0)) && len(set) > len(first) {
					first = set
				}
			}
		}
		got := dtm.Approximate(h.label(0), labels, diameter)
		require.Equal(t, first, got)
		require.Len(t, got, largest(space, func(a, b int) bool { return far(a, b) <= diameter }))
	})
}

// largest is the size of the largest set with host 0 in it in which all pairs are near, by trying
// all sets.
func largest(space []int, near func(a, b int) bool) int {
	best := 0
	for bits := range 1 << len(space) {
		var set []int
		for i, x := range space {
			if bits>>i&1 == 1 {
				set = append(set, x)
			}
		}
		all := slices.Contains(set, 0)
		for _, a := range set {
			for _, b := range set {
				all = all && near(a, b)
			}
		}
		if all {
			best = max(best, len(set))
		}
	}
	return best
}

// The nearest of several labels of one host counts, and labels of other trees do not count.
func TestApproximateOfOldLabels(t *testing.T) {
	root := dtm.Hop{Host: id(0)}
	near, far := dtm.Label{{Host: id(1), Length: 4}, root}, dtm.Label{{Host: id(1), Length: 9}, root}
	known := []dtm.Label{far, near, nil, {{Host: id(3)}}, {{Host: id(2), Length: 1}, root}}
	for _, diameter := range []int64{5, 9} {
		require.Equal(t, []protocol.NodeID{id(0), id(1), id(2)}, dtm.Approximate(dtm.Label{root}, known, diameter))
	}
	require.Equal(t, []protocol.NodeID{id(0), id(1)}, dtm.Approximate(dtm.Label{root}, known, 4))
	require.Equal(t, []protocol.NodeID{id(0), id(2)}, dtm.Approximate(dtm.Label{root}, known, 3))
}

// A subset has as many hosts as a cluster has room for. One host more or less in the set replaces
// at most one, and two hosts draw different subsets of one set.
func TestSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "hosts")
		size := rapid.IntRange(1, 12).Draw(t, "size")
		var set []protocol.NodeID
		for i := range n {
			set = append(set, id(i))
		}
		some := dtm.Subset(id(0), set, size)
		require.Len(t, some, min(n, size)-1)
		require.NotContains(t, some, id(0))
		require.Subset(t, set, some)
		require.True(t, slices.IsSortedFunc(some, protocol.NodeID.Compare))
		fewer := dtm.Subset(id(0), set[:n-1], size)
		lost := slices.DeleteFunc(slices.Clone(fewer), func(id protocol.NodeID) bool { return slices.Contains(some, id) })
		require.LessOrEqual(t, len(lost), 1)
	})
	var set []protocol.NodeID
	for i := range 100 {
		set = append(set, id(i))
	}
	one := dtm.Subset(id(0), set, 10)
	shared := slices.DeleteFunc(dtm.Subset(id(1), set, 10), func(id protocol.NodeID) bool {
		return !slices.Contains(one, id)
	})
	require.Less(t, len(shared), 5, "of nine each")
}
