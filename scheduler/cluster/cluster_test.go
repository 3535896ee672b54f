package cluster_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// few are clusters of a few hosts, near each other and far from all others.
func few(sizes []int, seed uint64) *latency.Input {
	var group []int
	for g, n := range sizes {
		group = append(group, slices.Repeat([]int{g}, n)...)
	}
	return &latency.Input{Name: "few", Hosts: len(group), Group: group, Nanos: func(a, b int) int64 {
		hash := seed ^ uint64(min(a, b)*1_000+max(a, b))*0x9e3779b97f4a7c15
		switch near := int64(hash>>40) % 1_000; {
		case a == b:
			return 0
		case group[a] == group[b]:
			return 7_000 + near
		default:
			return 10_000_000*int64(1+group[a]+group[b]) + near
		}
	}}
}

// settings are defaults with a diameter.
func settings(size int, diameterNanos int64) cluster.Settings {
	s := cluster.Defaults(size)
	s.DiameterNanos = diameterNanos
	return s
}

// On a tree the first approximation is a largest set of its diameter with the host in it: as large
// as brute force over all pairs finds, and as large as any clique of predicted latencies.
func TestLargestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(1, 30).Draw(t, "hosts")
		in := latency.Tree(hosts, rapid.Uint64().Draw(t, "tree"))
		tree := latency.DTM(in, dtm.Walk, rapid.Uint64().Draw(t, "joins"))
		limit := rapid.Int64Range(1, 60_000_000).Draw(t, "diameter")
		host := rapid.IntRange(0, hosts-1).Draw(t, "host")
		var space []int
		for x := range hosts {
			if x == host || rapid.IntRange(0, 3).Draw(t, "known") > 0 {
				space = append(space, x)
			}
		}
		found := cluster.Largest(tree, hosts, limit, host, space)
		require.Contains(t, found, host)
		require.Subset(t, space, found)
		require.True(t, slices.IsSorted(found))
		for _, a := range found {
			for _, b := range found {
				require.LessOrEqual(t, tree.Halves(a, b), 2*limit)
			}
		}
		require.Equal(t, firstLargest(tree, limit, host, space), found)
		require.Equal(t, asNodes(tree, limit, host, space), found)
		ids := append([]int{host}, slices.DeleteFunc(slices.Clone(space), func(x int) bool { return x == host })...)
		near := func(a, b int) bool { return tree.Halves(ids[a], ids[b]) <= 2*limit }
		clique := refine.LargestClique(len(ids), near, len(ids))
		require.Len(t, found, len(clique), "no set of this diameter is larger in a tree")
	})
}

// asNodes is the decision of a node for the hosts of a space.
func asNodes(tree *latency.Anchors, limit int64, host int, space []int) (set []int) {
	var known []dtm.Label
	for _, x := range space {
		known = append(known, tree.Label(x))
	}
	for _, id := range dtm.Approximate(tree.Label(host), known, 2*limit) {
		set = append(set, int(id.Address))
	}
	return set
}

// firstLargest tries all pairs.
func firstLargest(tree *latency.Anchors, limit int64, host int, space []int) []int {
	var best []int
	for i, p := range space {
		for _, q := range space[i:] {
			far := tree.Halves(p, q)
			if far > 2*limit {
				continue
			}
			var set []int
			for _, x := range space {
				if tree.Halves(p, x) <= far && tree.Halves(q, x) <= far {
					set = append(set, x)
				}
			}
			if len(set) > len(best) && slices.Contains(set, host) {
				best = set
			}
		}
	}
	return best
}

// After aggregation a host knows, through each neighbour, the hosts nearest it among those beyond.
func TestAggregateAgainstTheWholeTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.IntRange(1, 25).Draw(t, "hosts")
		tree := latency.DTM(latency.Tree(hosts, rapid.Uint64().Draw(t, "tree")), dtm.Walk, 1)
		limit := rapid.IntRange(1, 30).Draw(t, "limit")
		a := cluster.Aggregate(tree, hosts, limit)
		if limit >= hosts {
			for host := range hosts {
				require.Len(t, a.Spaces[host], hosts, "everybody knows everybody")
			}
		}
		for host := range hosts {
			require.Contains(t, a.Spaces[host], host)
			for other := range hosts {
				if tree.Anchor(other) == host || tree.Anchor(host) == other {
					require.Contains(t, a.Spaces[host], nearestBeyond(tree, hosts, host, other))
				}
			}
		}
	})
}

// nearestBeyond is the host nearest one host among those on the side of a neighbour.
func nearestBeyond(tree *latency.Anchors, hosts, host, neighbour int) int {
	below := func(x, top int) bool {
		for ; x >= 0; x = tree.Anchor(x) {
			if x == top {
				return true
			}
		}
		return false
	}
	best := -1
	for x := range hosts {
		beyond := below(x, neighbour)
		if tree.Anchor(host) == neighbour {
			beyond = !below(x, host)
		}
		if beyond && (best < 0 || tree.Halves(host, x) < tree.Halves(host, best)) {
			best = x
		}
	}
	return best
}

// splitByPair counts the unfiltered clusters of several hosts by whether they have near and far
// pairs.
func splitByPair(in *latency.Input, f *cluster.Found) (s cluster.Split) {
	for _, members := range f.Unfiltered {
		near, far := false, false
		for _, a := range members {
			for _, b := range members {
				if a < b {
					within := in.Nanos(a, b) <= f.Settings.DiameterNanos
					near, far = near || within, far || !within
				}
			}
		}
		switch {
		case near && far:
			s.Mixed++
		case near:
			s.Within++
		case far:
			s.Beyond++
		}
	}
	return s
}

// Bounds hold for all latencies, settings and predictions.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 15), 1, 4).Draw(t, "sizes")
		in := few(sizes, rapid.Uint64().Draw(t, "latencies"))
		s := cluster.Settings{
			Size: rapid.IntRange(2, 12).Draw(t, "N"), Memberships: rapid.IntRange(1, 12).Draw(t, "M"),
			DiameterNanos: rapid.SampledFrom([]int64{7_500, 10_000, 20_000_000}).Draw(t, "diameter"),
			Criterion:     refine.Criterion(rapid.IntRange(0, 2).Draw(t, "criterion")),
			Aggregate:     rapid.IntRange(1, 24).Draw(t, "aggregate"),
		}
		f, err := cluster.Find(context.Background(), in, s, rapid.Uint64().Draw(t, "seed"), nil)
		require.NoError(t, err)
		memberships := make([]int, in.Hosts)
		for head, members := range f.Own {
			require.Contains(t, members, head)
			require.LessOrEqual(t, len(members), s.Size)
			require.Subset(t, f.Unfiltered[head], members)
			require.Subset(t, f.Candidates[head], f.Unfiltered[head])
			require.LessOrEqual(t, len(f.Candidates[head]), s.Size)
			for _, a := range members {
				memberships[a]++
				for _, b := range members {
					require.LessOrEqual(t, in.Nanos(a, b), s.DiameterNanos)
				}
			}
		}
		require.LessOrEqual(t, slices.Max(memberships), s.Memberships)
		for host, list := range f.Lists(true) {
			require.Contains(t, list, host)
			for _, members := range f.Own {
				require.False(t, slices.Contains(members, host) && len(members) > len(list), "it is in a larger one")
			}
		}
		q := f.Quality(in)
		require.Equal(t, splitByPair(in, f), q.Unfiltered)
		require.Zero(t, q.FarPairs)
		require.LessOrEqual(t, q.Own.MaxMembership, s.Memberships)
		require.LessOrEqual(t, q.Own.MaxAcquainted, q.AcquaintancesBound)
		require.LessOrEqual(t, q.Advertised.MaxAcquainted, q.Own.MaxAcquainted, "symmetry makes no host known to more")
		require.GreaterOrEqual(t, q.Advertised.MeanSize, q.Own.MeanSize)
	})
}

// With room for all, the clusters are the true ones.
func TestTrueClustersAreFound(t *testing.T) {
	in := few([]int{8, 5, 1}, 7)
	f, err := cluster.Find(context.Background(), in, settings(20, 10_000), 1, nil)
	require.NoError(t, err)
	q := f.Quality(in)
	assert.InDelta(t, (8*8+5*5+1)/14.0, q.Own.MeanSize, 1e-9)
	assert.Equal(t, map[int]int{8: 8, 5: 5, 1: 1}, q.Advertised.Sizes)
	assert.InDelta(t, 1, *q.Advertised.Rand, 1e-9)
	assert.InDelta(t, 1, *q.Advertised.Whole, 1e-9)
	assert.InDelta(t, 1, q.Advertised.Overlap, 1e-9)
	assert.Equal(t, 3, q.Advertised.Distinct)
	assert.Equal(t, 8, q.Own.MaxMembership)
	assert.Equal(t, 7, q.Own.MaxAcquainted)
	assert.Zero(t, q.Adopting)
	again, err := cluster.Find(context.Background(), in, settings(20, 10_000), 1, nil)
	require.NoError(t, err)
	assert.Equal(t, q, again.Quality(in))
}

// Equal seeds give equal clusters, another seed others.
func TestSeedsDecide(t *testing.T) {
	in := few([]int{30, 20}, 3)
	found := func(seed uint64) [][]int {
		f, err := cluster.Find(context.Background(), in, settings(8, 10_000), seed, nil)
		require.NoError(t, err)
		return f.Own
	}
	assert.Equal(t, found(1), found(1))
	assert.NotEqual(t, found(1), found(2))
}

// Refining again is like searching anew.
func TestAgain(t *testing.T) {
	in := few([]int{30, 20}, 3)
	s := settings(8, 10_000)
	first, err := cluster.Find(context.Background(), in, s, 1, nil)
	require.NoError(t, err)
	s.Memberships, s.Criterion = 3, refine.GlobalOrder
	anew, err := cluster.Find(context.Background(), in, s, 1, nil)
	require.NoError(t, err)
	assert.Equal(t, anew.Quality(in), first.Again(in, 3, refine.GlobalOrder).Quality(in))
	assert.Equal(t, 8, first.Settings.Memberships)
}

// Shares of at most 1, 2 and 3 are 1/4, 1/4, 1 and 0, 1/2, 1.
func TestApartByHand(t *testing.T) {
	a, b := &cluster.Shape{Sizes: map[int]int{1: 1, 3: 3}}, &cluster.Shape{Sizes: map[int]int{2: 5, 3: 5}}
	assert.InDelta(t, 0.25, cluster.Apart(a, b), 1e-12)
	assert.InDelta(t, 0.25, cluster.Apart(b, a), 1e-12)
	assert.Zero(t, cluster.Apart(a, a))
}

// Algorithm 3 by hand: host 0 has one place beside its own cluster, and three heads want it. The
// first come wins by one criterion; the greedy one prefers the head whose cluster can be larger.
func TestLimitByHand(t *testing.T) {
	candidates := [][]int{{0}, {0, 1}, {0, 2, 4}, {0, 3}, {4}}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		clusters, cost := cluster.Limit(candidates, 2, refine.Greedy, r)
		assert.Equal(t, [][]int{{0}, {1}, {0, 2, 4}, {3}, {4}}, clusters)
		assert.Equal(t, 4, cost.Solicitations)
		assert.Equal(t, 4, cost.Answers)
		clusters, cost = cluster.Limit(candidates, 1, refine.FirstCome, r)
		assert.Equal(t, [][]int{{0}, {1}, {2}, {3}, {4}}, clusters)
		assert.Zero(t, cost.Updates)
	}
}

// A host predicted to be near that is not is filtered out.
func TestFilterByHand(t *testing.T) {
	in := few([]int{3, 2}, 1)
	assert.Equal(t, [][]int{{0, 1, 2}, {1, 2}, {0, 2}, {3}, {3, 4}},
		cluster.Filter(in, [][]int{{0, 1, 2, 3}, {1, 2, 4}, {0, 2, 3, 4}, {0, 1, 3}, {3, 4}}, 10_000))
}

// The largest cluster is adopted; of equal ones the own one stays.
func TestAdoptByHand(t *testing.T) {
	assert.Equal(t, []int{0, 0, 0, 3, 3}, cluster.Adopt([][]int{{0, 1, 2}, {1, 2}, {2}, {3, 4}, {4}}))
	assert.Equal(t, []int{0, 1}, cluster.Adopt([][]int{{0, 1}, {0, 1}}))
}

func TestSettings(t *testing.T) {
	s, others, err := cluster.ParseSettings("64,memberships=8,sites=plane,diameter=10us,criterion=first-come,aggregate=64")
	require.NoError(t, err)
	assert.Equal(t, cluster.Settings{64, 8, 10_000, refine.FirstCome, 64}, s)
	assert.Equal(t, []string{"sites=plane"}, others)
	s, others, err = cluster.ParseSettings("64")
	require.NoError(t, err)
	assert.Equal(t, cluster.Defaults(64), s)
	assert.Empty(t, others)
	for text, want := range map[string]string{
		"x":                  `"x" is no size of clusters: want 2 to 4095`,
		"1":                  "clusters of 1 hosts: want 2 to 4095",
		"4096":               "clusters of 4096 hosts: want 2 to 4095",
		"8,memberships=0":    "memberships 0: want 1 to 4095",
		"8,memberships=x":    `clusters "8,memberships=x": strconv.Atoi`,
		"8,diameter=0s":      "diameter 0s: want more than 0 and at most 1s",
		"8,diameter=2s":      "diameter 2s: want more than 0 and at most 1s",
		"8,aggregate=0":      "aggregate 0: want 1 to 8190",
		"8,criterion=greedi": `criterion is "greedi"; did you mean "greedy"?`,
	} {
		_, _, err := cluster.ParseSettings(text)
		require.ErrorContains(t, err, want, text)
	}
}

// A search that is stopped ends before the next step.
func TestFindEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var steps []string
	_, err := cluster.Find(ctx, few([]int{4}, 1), settings(4, 10_000), 1, func(stage string) {
		steps = append(steps, stage)
		cancel()
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"predict latencies"}, steps)
	_, err = cluster.Find(context.Background(), few([]int{4}, 1), cluster.Settings{}, 1, nil)
	require.ErrorContains(t, err, "clusters of 0 hosts")
}
