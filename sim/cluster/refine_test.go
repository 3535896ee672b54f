package cluster_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim/cluster"
)

// groups are nodes in groups of a size: 8 µs apart inside, 50 ms otherwise.
func groups(nodes, size int) (candidates [][]int, micros func(a, b int) int64) {
	for i := range nodes {
		var near []int
		for k := range size {
			near = append(near, i/size*size+k)
		}
		candidates = append(candidates, near)
	}
	return candidates, func(a, b int) int64 {
		if a/size == b/size {
			return 8
		}
		return 50_000
	}
}

// Whole groups are found if there is room, and within bounds if there is not.
func TestRefine(t *testing.T) {
	candidates, micros := groups(24, 12)
	for _, c := range []struct{ m, n int }{{12, 12}, {4, 8}, {1, 2}} {
		r, err := cluster.Refine(context.Background(), refine.DefaultConfig(c.m, c.n, 200), candidates, micros, 1)
		require.NoError(t, err)
		memberships := make([]int, 24)
		for head, members := range r.Own {
			assert.Contains(t, members, head)
			assert.LessOrEqual(t, len(members), c.n)
			assert.True(t, slices.IsSorted(members))
			for _, m := range members {
				memberships[m]++
				assert.Equal(t, head/12, m/12)
			}
			assert.Contains(t, r.Own[r.Advertised[head]], head)
			assert.GreaterOrEqual(t, len(r.Own[r.Advertised[head]]), len(members))
			if c.m == 12 {
				assert.Len(t, members, 12)
			}
		}
		assert.LessOrEqual(t, slices.Max(memberships), c.m)
		again, err := cluster.Refine(context.Background(), refine.DefaultConfig(c.m, c.n, 200), candidates, micros, 1)
		require.NoError(t, err)
		assert.Equal(t, r, again)
	}
}

// A node without candidates is alone, and a node that is falsely predicted to be near is filtered
// out.
func TestRefineFiltersAndLeavesAlone(t *testing.T) {
	candidates, micros := groups(4, 2)
	candidates[0] = []int{0, 1, 2}
	candidates = append(candidates, []int{4})
	r, err := cluster.Refine(context.Background(), refine.DefaultConfig(4, 4, 200), candidates, micros, 1)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0, 1}, {0, 1}, {2, 3}, {2, 3}, {4}}, r.Own)
}

func TestRefineRefuses(t *testing.T) {
	candidates, micros := groups(2, 2)
	_, err := cluster.Refine(context.Background(), refine.Config{}, candidates, micros, 1)
	require.ErrorIs(t, err, refine.ErrConfig)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = cluster.Refine(ctx, refine.DefaultConfig(2, 2, 200), candidates, micros, 1)
	require.ErrorIs(t, err, context.Canceled)
}
