package dtm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// On any tree of whole lengths, the walk places each host such that all predictions are exact, for
// any beginning of the walks.
func TestWalkIsExactOnTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, grown := drawTree(t, 30), &hosts{}
		r := chance(t)
		for x := range k.at {
			grown.add(x, dtm.Walk, k.far, r)
			for y := range x {
				d, ok := dtm.Predict(grown.label(x), grown.label(y))
				if !ok || d != k.far(x, y) {
					t.Fatalf("%d to %d is %d, predicted %d", x, y, k.far(x, y), d)
				}
			}
		}
	})
}

// A leave changes no prediction among the others, in a tree that fits no latencies either, and
// hosts that join afterwards still find their places.
func TestLeaveKeepsPredictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, grown := drawTree(t, 20), &hosts{}
		noise := rapid.Int64Range(0, 1000).Draw(t, "noise")
		far := func(a, b int) int64 { return k.far(a, b) + noise*int64(min(a, b)%7) }
		manner, r := dtm.Both, chance(t)
		if noise == 0 {
			manner = dtm.Walk
		}
		for x := range k.at {
			grown.add(x, manner, far, r)
		}
		for len(grown.order) > 1 {
			before := map[[2]int]int64{}
			for _, a := range grown.order {
				for _, b := range grown.order {
					before[[2]int{a, b}], _ = dtm.Predict(grown.label(a), grown.label(b))
				}
			}
			gone := rapid.SampledFrom(grown.order).Draw(t, "leaves")
			grown.leave(gone)
			for _, a := range grown.order {
				for _, b := range grown.order {
					d, ok := dtm.Predict(grown.label(a), grown.label(b))
					if !ok || d != before[[2]int{a, b}] {
						t.Fatalf("%d left: %d to %d was %d, is %d", gone, a, b, before[[2]int{a, b}], d)
					}
				}
			}
			if noise == 0 && rapid.Bool().Draw(t, "comes back") {
				grown.add(gone, manner, far, r)
				for _, b := range grown.order {
					d, _ := dtm.Predict(grown.label(gone), grown.label(b))
					if d != far(gone, b) {
						t.Fatalf("%d came back: to %d is %d, predicted %d", gone, b, far(gone, b), d)
					}
				}
				grown.leave(gone)
			}
		}
	})
}

// Clusters at latencies that differ a thousandfold, whose sites form no tree: hosts of one cluster
// are predicted to be near each other, and hosts of two are not.
func TestFitOnClusters(t *testing.T) {
	sites := [][]int64{{0, 40, 90, 75}, {40, 0, 30, 110}, {90, 30, 0, 55}, {75, 110, 55, 0}}
	far := func(a, b int) int64 {
		if a%4 == b%4 {
			return 2 * (7_000 + int64((a*b+a+b)%1000))
		}
		return 2_000_000 * sites[a%4][b%4]
	}
	grown, r := &hosts{}, rand.New(rand.NewPCG(1, 2))
	const n = 80
	for x := range n {
		grown.add(x, dtm.Both, far, r)
	}
	wrong := 0
	for a := range n {
		for b := range a {
			d, ok := dtm.Predict(grown.label(a), grown.label(b))
			require.True(t, ok)
			if near := a%4 == b%4; near != (d < 40_000) {
				wrong++
			}
		}
	}
	assert.LessOrEqual(t, wrong, n*n/2/50)
	assert.Less(t, grown.measured, 57*n)
}

// Locate and Distance agree: a point on the way is as far from both ends as it should be, and has
// the normal form.
func TestLocateIsNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, grown := drawTree(t, 20), &hosts{}
		r := chance(t)
		for x := range k.at {
			grown.add(x, dtm.Walk, k.far, r)
		}
		a := grown.label(rapid.IntRange(0, len(k.at)-1).Draw(t, "a"))
		b := grown.label(rapid.IntRange(0, len(k.at)-1).Draw(t, "b"))
		way, _ := dtm.Predict(a, b)
		g := rapid.Int64Range(0, way).Draw(t, "distance")
		p := dtm.Locate(a, b, g)
		first, _ := dtm.Distance(p, dtm.Point{Label: a})
		second, _ := dtm.Distance(p, dtm.Point{Label: b})
		assert.Equal(t, []int64{g, way - g}, []int64{first, second})
		assert.True(t, len(p.Label) == 1 || p.At < p.Label[0].Length, "%+v", p)
		assert.Equal(t, p, dtm.Locate(b, a, way-g))
		assert.Equal(t, dtm.Locate(a, b, way), dtm.Locate(a, b, way+1), "beyond the end is the end")
	})
}

// The mean deviation that Best computes from predictions alone is that of the place in the tree.
func TestBestCountsWhatThePlacePredicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, grown := drawTree(t, 20), &hosts{}
		r := chance(t)
		for x := range k.at {
			grown.add(x, dtm.Walk, k.far, r)
		}
		var known dtm.Known
		for _, x := range grown.order {
			require.True(t, known.Add(dtm.Reading{
				Label: grown.label(x), Measured: rapid.Int64Range(0, 1<<31).Draw(t, "measured"),
			}))
		}
		place, mean := known.Best()
		assert.Equal(t, known.Mean(place), mean)
		near, _ := known.Nearest()
		d, _ := place.Predict(near.Label)
		assert.GreaterOrEqual(t, d, int64(0))
		assert.GreaterOrEqual(t, place.Length, int64(0))
	})
}

func TestDeviation(t *testing.T) {
	for _, test := range []struct{ predicted, measured, want int64 }{
		{5, 5, 0}, {0, 0, 0}, {1, 0, dtm.Unit}, {0, 8, dtm.Unit}, {3, 2, dtm.Unit / 2}, {1 << 52, 1, 1 << 30},
		{1<<52 + 1<<42, 1 << 42, 1 << 30}, {1<<43 + 1<<42, 1 << 43, dtm.Unit / 2}, {10, 9, dtm.Unit / 9},
	} {
		assert.Equal(t, test.want, dtm.Deviation(test.predicted, test.measured), "%+v", test)
	}
}

func TestReadingsThatAreRefused(t *testing.T) {
	root := dtm.Label{{Host: id(0)}}
	other := dtm.Label{{Host: id(1)}}
	var known dtm.Known
	assert.True(t, known.Add(dtm.Reading{Label: root, Measured: 10}))
	assert.False(t, known.Add(dtm.Reading{Label: root, Measured: 10}), "known")
	assert.False(t, known.Add(dtm.Reading{Label: other, Measured: 10}), "of another tree")
	assert.False(t, known.Add(dtm.Reading{Measured: 10}), "no label")
	assert.False(t, known.Add(dtm.Reading{Label: other, Measured: -1}), "negative")
	assert.Equal(t, 1, known.Len())
}

// A host without readings has no place: the join ends and does not ask again. A host that cannot be
// measured is not asked for twice.
func TestHostsThatCannotBeMeasured(t *testing.T) {
	j := dtm.NewJoin(dtm.Both)
	j.Drawn([]protocol.NodeID{id(1), id(2)})
	j.Measured(nil)
	assert.Equal(t, dtm.Want{}, j.Next())
	assert.Zero(t, j.Known().Len())

	j = dtm.NewJoin(dtm.Fit)
	j.Drawn([]protocol.NodeID{id(1)})
	j.Measured([]dtm.Reading{{Label: dtm.Label{{Host: id(1)}}, Measured: 4}})
	view := dtm.View{Label: dtm.Label{{Host: id(1)}}, Children: []dtm.Child{{Host: id(2), Length: 3}}}
	j.Looked(view)
	assert.Equal(t, []protocol.NodeID{id(2)}, j.Next().Measure)
	j.Measured(nil)
	assert.Equal(t, id(1), j.Next().Look)
	j.Looked(view)
	assert.Equal(t, 8, j.Next().Random, "the second simulated join")
	j.Drawn([]protocol.NodeID{id(1), id(2)})
	assert.Equal(t, id(1), j.Next().Look)
}

func TestAround(t *testing.T) {
	v := dtm.View{Label: dtm.Label{{Host: id(9), At: 50, Length: 100}, {Host: id(8)}}}
	for i, at := range []int64{10, 20, 30, 30, 95, 0} {
		v.Children = append(v.Children, dtm.Child{Host: id(i), At: at})
	}
	for i, at := range []int64{49, 50, 10, 51} {
		v.Siblings = append(v.Siblings, dtm.Child{Host: id(10 + i), At: at})
	}
	v.Siblings = append(v.Siblings, dtm.Child{Host: id(9), At: 50})
	assert.Equal(t, []protocol.NodeID{id(9), id(2), id(3), id(1), id(0), id(8), id(11), id(10)}, dtm.Around(v, 29))
	v.Label = v.Label[:1]
	assert.NotContains(t, dtm.Around(v, 29), id(11), "the root has no siblings")
}

func TestHeir(t *testing.T) {
	assert.Equal(t, -1, dtm.Heir(nil))
	all := []dtm.Child{{Host: id(3), At: 5}, {Host: id(2), At: 4}, {Host: id(1), At: 4}}
	assert.Equal(t, 2, dtm.Heir(all))
	slices.Reverse(all)
	assert.Equal(t, 0, dtm.Heir(all))
}
