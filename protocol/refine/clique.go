package refine

// cliqueLimit bounds the branches of a search. No graph of measured latencies comes near it, but a
// graph that an adversary makes may; the largest clique found so far is then taken, which is as
// accurate if not as large.
const cliqueLimit = 1 << 20

// cliqueOfFirst returns the largest clique that contains vertex 0, of at most limit vertices. Of
// several it is the one that comes first in lexicographic order.
//
// In practice all nodes are near each other or none is (section 5.1.2), so those two cases are
// looked at first.
func (g graph) cliqueOfFirst(limit int) set {
	s := search{graph: g, limit: limit, best: g.none(), now: g.none(), branches: cliqueLimit}
	s.now.add(0)
	near := g.none()
	near.assign(g.rows[0], g.rows[0])
	switch {
	case near.first() < 0:
		return s.now
	case s.mutual(near):
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
// vertices and prunes only what cannot be larger than the best so far, so the first clique of the
// largest size that it finds is the first of all.
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

// extend tries to make the present clique, of that many vertices, larger by vertices that are near
// all of it.
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

// colours returns how many colours suffice to paint the vertices so that no two that are near each
// other have the same, as a greedy painter does it. A clique has no two vertices of a colour, so
// none in them is larger.
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
