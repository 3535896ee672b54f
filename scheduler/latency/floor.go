package latency

import (
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
)

// Floor returns the errors of a good tree of the sites alone, weighted by the pairs of hosts: about
// the best that any tree of hosts can do. The tree is found by nearest-neighbour interchange from
// random trees, with the edges that minimise the squared relative errors. Pairs inside a cluster
// count as exact. A grid without sites has no floor: zero pairs.
func (g *Grid) Floor(restarts int) Errors {
	if g.Sites == nil || g.Sites.Hosts < 4 {
		return Errors{}
	}
	s := &siteTree{n: g.Sites.Hosts, far: make([][]float64, g.Sites.Hosts)}
	for a := range s.n {
		for b := range s.n {
			s.far[a] = append(s.far[a], float64(max(1, g.Sites.Nanos(a, b))))
		}
	}
	r := scheduler.Stream(uint64(s.n), "trees of sites")
	var best [][]float64
	least := -1.0
	for range restarts {
		s.random(r)
		if sum := s.climb(); least < 0 || sum < least {
			least, best = sum, s.paths()
		}
	}
	group := &Input{Hosts: g.Hosts, Group: g.Group, Nanos: func(a, b int) int64 {
		if g.Group[a] == g.Group[b] {
			return 0
		}
		return g.Nanos(a, b)
	}}
	return Compare(group, between{g.Group, best}, 0)
}

// between predicts by the sites of hosts.
type between struct {
	group []int
	paths [][]float64
}

// Nanos is the length of the way between two sites.
func (b between) Nanos(x, y int) float64 {
	if b.group[x] == b.group[y] {
		return 0
	}
	return b.paths[b.group[x]][b.group[y]]
}

// siteTree is a tree whose leaves are the sites 0 to n-1 and whose inner vertices have three edges.
// An edge is named by its lower vertex; the root is vertex n, which has leaf 0 and two more below.
type siteTree struct {
	n      int
	far    [][]float64
	parent []int
	length []float64
}

// random makes a tree by adding one leaf after the other on a random edge.
func (s *siteTree) random(r *rand.Rand) {
	s.parent = make([]int, 2*s.n-2)
	s.parent[s.n] = -1
	for leaf := range 3 {
		s.parent[leaf] = s.n
	}
	for leaf := 3; leaf < s.n; leaf++ {
		inner := s.n + leaf - 2
		edge := r.IntN(2*leaf - 3)
		if edge >= leaf {
			edge += s.n - leaf + 1 // the inner vertices, without the root
		}
		s.parent[inner] = s.parent[edge]
		s.parent[edge], s.parent[leaf] = inner, inner
	}
}

// climb exchanges subtrees across inner edges as long as that helps. It returns the sum of squared
// relative errors.
func (s *siteTree) climb() float64 {
	least := s.fit()
	for better := true; better; {
		better = false
		for v := s.n + 1; v < len(s.parent); v++ {
			for _, low := range s.below(v) {
				for _, high := range s.below(s.parent[v]) {
					if high == v || s.parent[low] != v || s.parent[high] != s.parent[v] {
						continue
					}
					s.parent[low], s.parent[high] = s.parent[high], s.parent[low]
					if sum := s.fit(); sum < least*(1-1e-9) {
						least, better = sum, true
						continue
					}
					s.parent[low], s.parent[high] = s.parent[high], s.parent[low]
				}
			}
		}
	}
	s.fit()
	return least
}

func (s *siteTree) below(v int) (all []int) {
	for u, p := range s.parent {
		if p == v {
			all = append(all, u)
		}
	}
	return all
}

// fit finds the lengths of the edges, none below zero, one after the other in rounds.
func (s *siteTree) fit() float64 {
	const rounds = 60
	type pair struct {
		edges    []int
		far, off float64
	}
	var pairs []pair
	on := make([][]int, len(s.parent))
	for a := range s.n {
		for b := range a {
			p := pair{edges: s.way(a, b), far: s.far[a][b], off: -s.far[a][b]}
			for _, e := range p.edges {
				on[e] = append(on[e], len(pairs))
			}
			pairs = append(pairs, p)
		}
	}
	s.length = make([]float64, len(s.parent))
	for range rounds {
		for e := range s.length {
			top, bottom := 0.0, 0.0
			for _, i := range on[e] {
				weight := 1 / float64(pairs[i].far*pairs[i].far)
				top += float64(weight * pairs[i].off)
				bottom += weight
			}
			if bottom == 0 {
				continue
			}
			next := max(0, s.length[e]-top/bottom)
			for _, i := range on[e] {
				pairs[i].off += next - s.length[e]
			}
			s.length[e] = next
		}
	}
	sum := 0.0
	for _, p := range pairs {
		relative := p.off / p.far
		sum += float64(relative * relative)
	}
	return sum
}

// way lists the edges between two leaves.
func (s *siteTree) way(a, b int) (edges []int) {
	for v := a; v >= 0; v = s.parent[v] {
		for u, tail := b, []int(nil); u >= 0; u = s.parent[u] {
			if u == v {
				return append(edges, tail...)
			}
			tail = append(tail, u)
		}
		edges = append(edges, v)
	}
	return edges
}

// paths are the lengths of the ways between the sites.
func (s *siteTree) paths() [][]float64 {
	all := make([][]float64, s.n)
	for a := range s.n {
		all[a] = make([]float64, s.n)
		for b := range s.n {
			for _, e := range s.way(a, b) {
				all[a][b] += s.length[e]
			}
		}
	}
	return all
}
