package dtm_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/dtm"
)

// The nearest hosts of some sets are the first ones of a full sort.
func TestNearestAgainstASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawTree(t, 20)
		var h hosts
		r := chance(t)
		for i := range k.at {
			h.add(i, dtm.Walk, k.far, r)
		}
		var sets [3][]dtm.Label
		var all []dtm.Label
		for i := range k.at {
			for set := range sets {
				if rapid.Bool().Draw(t, "in") {
					sets[set] = append(sets[set], h.label(i))
				}
			}
			if i > 0 && (slices.ContainsFunc(sets[:], func(s []dtm.Label) bool { return has(s, i) })) {
				all = append(all, h.label(i))
			}
		}
		slices.SortStableFunc(all, func(a, b dtm.Label) int {
			x, _ := dtm.Predict(h.label(0), a)
			y, _ := dtm.Predict(h.label(0), b)
			return cmp.Or(cmp.Compare(x, y), a[0].Host.Compare(b[0].Host))
		})
		limit := rapid.IntRange(1, 22).Draw(t, "limit")
		got := dtm.Nearest(h.label(0), limit, sets[:]...)
		require.Len(t, got, min(limit, len(all)))
		for i := range got {
			require.Equal(t, all[i], got[i])
		}
	})
}

func has(set []dtm.Label, host int) bool {
	return slices.ContainsFunc(set, func(l dtm.Label) bool { return l[0].Host == id(host) })
}

// A host with an old and a new label counts once. Labels of other trees do not count.
func TestNearestOfOneHostAndOfOtherTrees(t *testing.T) {
	root := dtm.Hop{Host: id(0)}
	self := dtm.Label{root}
	near := dtm.Label{{Host: id(1), Length: 4}, root}
	far := dtm.Label{{Host: id(1), Length: 9}, root}
	between := dtm.Label{{Host: id(2), Length: 6}, root}
	other := dtm.Label{{Host: id(3)}}
	want := []dtm.Label{near, between}
	require.Equal(t, want, dtm.Nearest(self, 3, []dtm.Label{far, between}, []dtm.Label{near, other, self}))
	require.Equal(t, want, dtm.Nearest(self, 3, []dtm.Label{near, between}, []dtm.Label{far, nil}))
	require.Equal(t, want[:1], dtm.Nearest(self, 1, []dtm.Label{far, between, near}))
	require.Empty(t, dtm.Nearest(self, 0, want))
	require.Empty(t, dtm.Nearest(nil, 2, want))
}
