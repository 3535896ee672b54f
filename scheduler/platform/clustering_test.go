package platform_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

func drawPlatform(t *rapid.T) *scheduler.Platform {
	p := &scheduler.Platform{Name: "drawn"}
	for i, n := range rapid.SliceOfN(rapid.IntRange(1, 40), 1, 5).Draw(t, "sizes") {
		c := scheduler.Cluster{
			Name: fmt.Sprint("c", i), Nodes: n,
			ProcessorsPerNode: rapid.IntRange(1, 4).Draw(t, "processors"),
			SpeedPermille:     rapid.IntRange(500, 2000).Draw(t, "speed"),
		}
		if n > 1 {
			c.DiameterNanos = rapid.Int64Range(1, 1_000_000).Draw(t, "diameter")
		}
		p.Clusters = append(p.Clusters, c)
	}
	return p
}

func TestPoolKeepsTheNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlatform(t)
		all := platform.Pool(p)
		require.Len(t, all.Clusters, 1)
		require.Equal(t, p.Nodes(), all.Largest())
		for _, c := range p.Clusters {
			require.LessOrEqual(t, all.Clusters[0].ProcessorsPerNode, c.ProcessorsPerNode)
			require.LessOrEqual(t, all.Clusters[0].SpeedPermille, c.SpeedPermille)
			require.GreaterOrEqual(t, all.Clusters[0].DiameterNanos, c.DiameterNanos)
		}
		require.Equal(t, all.Nodes() == 1, all.Clusters[0].DiameterNanos == 0)
	})
	assert.Empty(t, platform.Pool(&scheduler.Platform{}).Clusters)
}

// Each cluster is cut into groups of n and at most one smaller group, the last, and into no more
// groups than that takes.
func TestDisjointKeepsTheNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlatform(t)
		n := rapid.IntRange(2, 50).Draw(t, "n")
		cut, err := platform.Disjoint(p, n)
		require.NoError(t, err)
		names := map[string]bool{}
		groups := cut.Clusters
		for _, c := range p.Clusters {
			count := (c.Nodes + n - 1) / n
			for i, g := range groups[:count] {
				want := n
				if i == count-1 {
					want = c.Nodes - (count-1)*n
				}
				require.Equal(t, want, g.Nodes, "group %d of %d nodes", i, c.Nodes)
				require.Equal(t, c.ProcessorsPerNode, g.ProcessorsPerNode)
				require.Equal(t, c.SpeedPermille, g.SpeedPermille)
				require.Equal(t, g.Nodes == 1, g.DiameterNanos == 0)
				names[g.Name] = true
			}
			groups = groups[count:]
		}
		require.Empty(t, groups)
		require.Len(t, names, len(cut.Clusters))
		require.Equal(t, p.Nodes(), cut.Nodes())
	})
}

// The lists are compared with the definition, node by node.
func TestOverlapWraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlatform(t)
		n := rapid.IntRange(2, 50).Draw(t, "n")
		lists, err := platform.Overlap(p, n)
		require.NoError(t, err)
		require.Len(t, lists, p.Nodes())
		listed := make([]int, p.Nodes())
		first := 0
		for _, c := range p.Clusters {
			for i := range c.Nodes {
				list := lists[first+i]
				require.Len(t, list, min(n, c.Nodes))
				for k, member := range list {
					require.Equal(t, first+(i+k)%c.Nodes, member)
					listed[member]++
				}
			}
			for i := range c.Nodes {
				require.Equal(t, min(n, c.Nodes), listed[first+i])
			}
			first += c.Nodes
		}
	})
}

func TestOverlapByHand(t *testing.T) {
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 2}, {Nodes: 4}}}
	lists, err := platform.Overlap(p, 3)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0, 1}, {1, 0}, {2, 3, 4}, {3, 4, 5}, {4, 5, 2}, {5, 2, 3}}, lists)
	_ = append(lists[2], 99) // lists share memory: to append to one must change no other
	assert.Equal(t, []int{3, 4, 5}, lists[3])
}

func TestDisjointByHand(t *testing.T) {
	cut, err := platform.Disjoint(parse(t, "sharcnet"), 128)
	require.NoError(t, err)
	assert.Equal(t, "sharcnet disjoint-128", cut.Name)
	var sizes []int
	for _, c := range cut.Clusters {
		sizes = append(sizes, c.Nodes)
	}
	want := append(slices.Repeat([]int{128}, 14), 11, 96, 32, 32, 32, 32, 32, 32)
	assert.Equal(t, want, sizes)
	assert.Equal(t, "narwhal/2", cut.Clusters[14].Name)
}

// Half of a cluster of six advertises groups of two. The others advertise each other, or all.
func TestBadByHand(t *testing.T) {
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 2}, {Nodes: 7}}}
	split, err := platform.Bad(p, 2, 50, false)
	require.NoError(t, err)
	assert.Equal(t, [][]int{
		{0}, {1}, {2, 3}, {2, 3}, {4}, {5, 6, 7, 8}, {5, 6, 7, 8}, {5, 6, 7, 8}, {5, 6, 7, 8},
	}, split)
	nested, err := platform.Bad(p, 2, 50, true)
	require.NoError(t, err)
	whole := []int{2, 3, 4, 5, 6, 7, 8}
	assert.Equal(t, [][]int{{0}, {0, 1}, {2, 3}, {2, 3}, {4}, whole, whole, whole, whole}, nested)
	_ = append(nested[2], 99) // to append to one list must change no other
	assert.Equal(t, whole, nested[5])
	for _, percent := range []int{-1, 0, 100} {
		_, err := platform.Bad(p, 2, percent, true)
		require.ErrorContains(t, err, "want 1 to 99")
	}
}

func TestGroupsOfOneAreRefused(t *testing.T) {
	p := parse(t, "pool:8")
	for _, n := range []int{1, 0, -1} {
		var invalid *platform.InvalidError
		_, err := platform.Disjoint(p, n)
		require.ErrorAs(t, err, &invalid)
		_, err = platform.Overlap(p, n)
		require.ErrorAs(t, err, &invalid)
		_, err = platform.Bad(p, n, 50, false)
		require.ErrorAs(t, err, &invalid)
	}
	_, err := platform.Disjoint(p, 1)
	require.EqualError(t, err, "disjoint-1: groups of 1, want at least 2")
}
