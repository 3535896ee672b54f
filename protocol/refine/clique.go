package refine

// cliqueLimit bounds the branches of a search. Graphs of measured latencies stay far below it. An
// adversary may construct a graph that does not. The search then returns the largest clique found
// so far, which is as accurate but may be smaller.
const cliqueLimit = 1 << 20

// cliqueOfFirst returns the largest clique that contains vertex 0, of at most limit vertices. Among
// equals the first in lexicographic order wins.
//
// In practice all pairs of nodes are near or no pair is (section 5.1.2), so these two cases need no
// search.
func (g graph) cliqueOfFirst(limit int) set {
	s := search{graph: g, limit: limit, best: g.none(), now: g.none(), branches: cliqueLimit}
	s.now.add(0)
	near := g.none()
	near.assign(g.rows[0], g.rows[0])
	if s.mutual(near) {
		for v := near.first(); v >= 0 && s.now.size() < limit; v = near.first() {
			s.now.add(v)
			near.drop(v)
		}
		return s.now
	}
	s.extend(1, near)
	return s.best
}

// search is a branch and bound search for the largest clique. It branches in the order of the
// vertices and prunes only cliques that cannot be larger than the best so far. So of the largest
// cliques it finds the first one first.
type search struct {
	graph
	limit    int
	best     set
	size     int // of best
	now      set
	branches int
}

// mutual reports whether all of the vertices are near each other.
func (s *search) mutual(all set) bool {
	rest := s.none()
	for v := range s.rows {
		if all.has(v) {
			rest.assign(all, all)
			rest.remove(s.rows[v])
			if rest.size() != 1 {
				return false
			}
		}
	}
	return true
}

// extend tries to add vertices that are near all vertices of the present clique, which has the
// given size.
func (s *search) extend(size int, near set) {
	if size > s.size {
		s.best.assign(s.now, s.now)
		s.size = size
	}
	for v := near.first(); v >= 0 && s.size < s.limit && s.branches > 0; v = near.first() {
		if size+s.colours(near) <= s.size {
			return
		}
		s.branches--
		next := s.none()
		next.assign(near, s.rows[v])
		s.now.add(v)
		s.extend(size+1, next)
		s.now.drop(v)
		near.drop(v)
	}
}

// colours returns the number of colours of a greedy colouring, in which vertices that are near each
// other have different colours. No clique is larger, since each of its vertices has its own colour.
func (s *search) colours(all set) int {
	left, free := s.none(), s.none()
	left.assign(all, all)
	colours := 0
	for left.first() >= 0 {
		colours++
		free.assign(left, left)
		for v := free.first(); v >= 0; v = free.first() {
			left.drop(v)
			free.drop(v)
			free.remove(s.rows[v])
		}
	}
	return colours
}
