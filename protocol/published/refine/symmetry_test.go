package refine_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Appendix A in its own words, on vertices 0 to n-1. It describes no messages, so these tests need
// no network.

// vertices is a subset of V.
type vertices uint8

func (s vertices) has(x int) bool { return s>>x&1 == 1 }
func (s vertices) size() int      { return bits.OnesCount8(uint8(s)) }

// clustering is C: V -> P(V). C[x] is the cluster that x has.
type clustering []vertices

// clusterSize is the smallest N such that |C(x)| <= N for all x.
func (c clustering) clusterSize() (n int) {
	for _, cluster := range c {
		n = max(n, cluster.size())
	}
	return n
}

// memberships is |{y | x in C(y)}|.
func (c clustering) memberships(x int) (n int) {
	for _, cluster := range c {
		if cluster.has(x) {
			n++
		}
	}
	return n
}

// membership is the smallest M such that no vertex is in more than M clusters.
func (c clustering) membership() (m int) {
	for x := range c {
		m = max(m, c.memberships(x))
	}
	return m
}

// awareness is A(C, x), the union of all C(z) with x in C(z).
func (c clustering) awareness(x int) (all vertices) {
	for _, cluster := range c {
		if cluster.has(x) {
			all |= cluster
		}
	}
	return all
}

// sym is sym(C, x, y): C'(x) = C(y), and C'(i) = C(i) for all i != x.
func (c clustering) sym(x, y int) clustering {
	adopted := append(clustering(nil), c...)
	adopted[x] = c[y]
	return adopted
}

// isInjective reports whether no two vertices have the same cluster. The appendix calls every
// clustering an injective function.
func (c clustering) isInjective() bool {
	seen := map[vertices]bool{}
	for _, cluster := range c {
		if seen[cluster] {
			return false
		}
		seen[cluster] = true
	}
	return true
}

// Theorem A.3 says that symmetry preserves bounded membership. It does not. In both examples M is
// 2, x is in C(y), which is larger than C(x), and after x has adopted it a node is in three
// clusters. The first has M = N, as section 5.1.1 assumes. And by the definition of the appendix
// the result is no clustering any more, since two vertices have the same cluster.
func TestTheoremA3(t *testing.T) {
	const x, y, z = 0, 1, 2
	for name, example := range map[string]struct {
		before clustering
		in     int // three clusters afterwards
		n      int
	}{
		"M = N": {clustering{x: 1 << x, y: 1<<x | 1<<y, z: 1<<y | 1<<z}, y, 2},
		"M < N": {clustering{x: 1 << x, y: 1<<x | 1<<y | 1<<z, z: 1 << z}, z, 3},
	} {
		t.Run(name, func(t *testing.T) {
			c := example.before
			assert.Equal(t, 2, c.membership(), "M")
			assert.Equal(t, example.n, c.clusterSize(), "N")
			assert.True(t, c.isInjective())
			assert.True(t, isAdoption(c, x, y))

			adopted := c.sym(x, y)
			assert.Equal(t, 3, adopted.memberships(example.in), "one more than M")
			assert.False(t, adopted.isInjective())
			assert.Equal(t, example.n, adopted.clusterSize(), "Lemma A.1 holds")
			assert.Equal(t, c.awareness(example.in), adopted.awareness(example.in), "Lemma A.2 holds")
		})
	}
}

// isAdoption reports whether section 5.1.3 lets x adopt the cluster of y: x belongs to it, and it
// is larger than its own.
func isAdoption(c clustering, x, y int) bool { return c[y].has(x) && c[y].size() > c[x].size() }

// Of all clusterings of up to four vertices in which each vertex is in its own cluster, and of all
// adoptions: Lemmas A.1 and A.2 hold for each. The membership bound breaks from three vertices on.
// A weaker one holds: a vertex is in at most as many clusters as it is aware of vertices.
func TestWhichBoundsSurviveSymmetry(t *testing.T) {
	adoptions, broken := map[int]int{}, map[int]int{}
	for n := 1; n <= 4; n++ {
		everyAdoption(n, func(c, adopted clustering) {
			adoptions[n]++
			if adopted.membership() > c.membership() {
				broken[n]++
			}
			assert.LessOrEqual(t, adopted.clusterSize(), c.clusterSize(), "Lemma A.1: %v, %v", c, adopted)
			for v := range n {
				now := adopted.awareness(v)
				assert.Zero(t, now&^c.awareness(v), "Lemma A.2: %v, %v, vertex %d", c, adopted, v)
				assert.LessOrEqual(t, adopted.memberships(v), now.size(), "%v, vertex %d", adopted, v)
			}
		})
	}
	assert.Equal(t, map[int]int{2: 2, 3: 96, 4: 12_288}, adoptions)
	assert.Equal(t, map[int]int{3: 24, 4: 3_972}, broken)
}

// everyAdoption calls yield with each clustering of n vertices and each result of one adoption.
func everyAdoption(n int, yield func(c, adopted clustering)) {
	everyClustering(n, func(c clustering) {
		for x := range n {
			for y := range n {
				if isAdoption(c, x, y) {
					yield(c, c.sym(x, y))
				}
			}
		}
	})
}

// everyClustering calls yield with each clustering of n vertices in which every vertex is in its
// own cluster.
func everyClustering(n int, yield func(clustering)) {
	c := make(clustering, n)
	var choose func(x int)
	choose = func(x int) {
		if x == n {
			yield(c)
			return
		}
		for others := range vertices(1 << n) {
			if others.has(x) {
				c[x] = others
				choose(x + 1)
			}
		}
	}
	choose(0)
}
