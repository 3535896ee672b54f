package refine

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"pgregory.net/rapid"
)

// drawGraph draws a graph: sparse, dense, or of a few groups that are near each other, as networks
// are.
func drawGraph(t *rapid.T, most int) graph {
	g := newGraph(rapid.IntRange(1, most).Draw(t, "vertices"))
	density := rapid.IntRange(0, 8).Draw(t, "density")
	groups := rapid.IntRange(1, 4).Draw(t, "groups")
	for i := range g.rows {
		for j := range i {
			if near := i%groups == j%groups && density > 2; near != (rapid.IntRange(0, 9).Draw(t, "edge") < density) {
				g.join(i, j)
			}
		}
	}
	return g
}

// members returns the vertices of a set.
func (s set) members() []int {
	var all []int
	for v := range len(s) * wordBits {
		if s.has(v) {
			all = append(all, v)
		}
	}
	return all
}

func (g graph) requireClique(t require.TestingT, vertices []int) {
	for i, v := range vertices {
		for _, u := range vertices[:i] {
			require.True(t, g.rows[v].has(u) && g.rows[u].has(v), "%d and %d are not near each other", u, v)
		}
	}
}

// bruteForce tries all sets with vertex 0, and prefers larger ones, then the first in lexicographic
// order.
func bruteForce(g graph, limit int) []int {
	best := uint32(0)
	for s := uint32(1); s < 1<<len(g.rows); s += 2 {
		if n := bits.OnesCount32(s); n > limit || n < bits.OnesCount32(best) || !isClique(g, s) {
			continue
		}
		// If two sets have the same size, the set with the first differing vertex comes first.
		if differ := s ^ best; bits.OnesCount32(s) > bits.OnesCount32(best) || differ&-differ&s != 0 {
			best = s
		}
	}
	return set{uint64(best)}.members()
}

func isClique(g graph, s uint32) bool {
	for rest := s; rest != 0; rest &= rest - 1 {
		v := bits.TrailingZeros32(rest)
		if uint64(s&^(1<<v))&^g.rows[v][0] != 0 {
			return false
		}
	}
	return true
}

func TestCliqueAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 12)
		limit := rapid.IntRange(1, len(g.rows)+1).Draw(t, "limit")
		require.Equal(t, bruteForce(g, limit), g.cliqueOfFirst(limit).members())
	})
}

// Package topo lists all maximal cliques. The largest of those with vertex 0 has the size that we
// find, up to the limit.
func TestCliqueAgainstBronKerbosch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 36)
		u := simple.NewUndirectedGraph()
		for i := range g.rows {
			u.AddNode(simple.Node(i))
			for j := range i {
				if g.rows[i].has(j) {
					u.SetEdge(u.NewEdge(simple.Node(i), simple.Node(j)))
				}
			}
		}
		largest := 0
		for _, clique := range topo.BronKerbosch(u) {
			for _, v := range clique {
				if v.ID() == 0 {
					largest = max(largest, len(clique))
				}
			}
		}
		limit := rapid.IntRange(1, len(g.rows)).Draw(t, "limit")
		found := g.cliqueOfFirst(limit).members()
		require.Len(t, found, min(largest, limit))
		require.Contains(t, found, 0)
		g.requireClique(t, found)
	})
}

// Vertices without neighbours change nothing, in any position. So sets of several words are like
// others.
func TestCliqueInSeveralWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, 12)
		gap := rapid.IntRange(1, 150).Draw(t, "gap")
		wide := newGraph(len(g.rows) + gap)
		moved := func(v int) int {
			if v == 0 {
				return 0
			}
			return v + gap
		}
		for i := range g.rows {
			for j := range i {
				if g.rows[i].has(j) {
					wide.join(moved(i), moved(j))
				}
			}
		}
		var want []int
		for _, v := range g.cliqueOfFirst(64).members() {
			want = append(want, moved(v))
		}
		require.Equal(t, want, wide.cliqueOfFirst(64).members())
	})
}

// In practice all nodes are near or no two are; the search is spared then, for any number of nodes.
func TestCliqueEasyCases(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 200} {
		none, all := newGraph(n), newGraph(n)
		for i := range n {
			for j := range i {
				all.join(i, j)
				if j > 0 {
					none.join(i, j)
				}
			}
		}
		require.Equal(t, []int{0}, none.cliqueOfFirst(64).members(), "no vertex is near the head")
		got := all.cliqueOfFirst(64).members()
		require.Len(t, got, min(n, 64))
		require.Equal(t, len(got)-1, got[len(got)-1], "the first ones are taken")
	}
}

// The first of two largest cliques counts, although the bound of the second is loose: the path
// 3-5-6-4 takes three colours in the order of the vertices.
func TestCliqueKeepsTheFirstOfEqualOnes(t *testing.T) {
	g := newGraph(7)
	for v := 1; v < 7; v++ {
		g.join(0, v)
	}
	g.join(1, 2)
	g.join(3, 5)
	g.join(5, 6)
	g.join(6, 4)
	require.Equal(t, []int{0, 1, 2}, g.cliqueOfFirst(7).members())
}

// Where the colouring is exact, the first clique ends the search: one branch for each of its
// vertices.
func TestColoursSpareTheSearch(t *testing.T) {
	const parts = 20
	g := newGraph(1 + 3*parts)
	for i := 1; i < len(g.rows); i++ {
		g.join(0, i)
		for j := 1; j < i; j++ {
			if (i-1)/3 != (j-1)/3 {
				g.join(i, j)
			}
		}
	}
	s := search{graph: g, limit: len(g.rows), best: g.none(), now: g.none(), branches: 1000}
	near := g.none()
	near.assign(g.rows[0], g.rows[0])
	s.extend(1, near)
	require.Equal(t, 1+parts, s.size)
	require.Equal(t, 1000-parts, s.branches)
}

// A graph that is made to be hard does not keep a node busy: the search ends at its limit, with a
// clique.
func TestCliqueHasALimit(t *testing.T) {
	g := newGraph(1 + 3*60)
	for i := 1; i < len(g.rows); i++ {
		g.join(0, i)
		for j := 1; j < i; j++ {
			if (i-1)/3 != (j-1)/3 && (i*7+j*13)%11 != 0 {
				g.join(i, j)
			}
		}
	}
	s := search{graph: g, limit: 200, best: g.none(), now: g.none(), branches: 100}
	s.now.add(0)
	near := g.none()
	near.assign(g.rows[0], g.rows[0])
	s.extend(1, near)
	require.Zero(t, s.branches)
	require.Greater(t, s.size, 5)
	g.requireClique(t, s.best.members())
}
