package refine

import "math/bits"

const wordBits = 64

// set is a set of vertices, a bit each. All sets of a graph have as many words.
type set []uint64

func (s set) has(v int) bool { return s[v/wordBits]&(1<<(v%wordBits)) != 0 }
func (s set) add(v int)      { s[v/wordBits] |= 1 << (v % wordBits) }
func (s set) drop(v int)     { s[v/wordBits] &^= 1 << (v % wordBits) }

func (s set) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first returns the smallest vertex, or -1.
func (s set) first() int {
	for i, w := range s {
		if w != 0 {
			return i*wordBits + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// assign makes the set the intersection of two others.
func (s set) assign(a, b set) {
	for i := range s {
		s[i] = a[i] & b[i]
	}
}

// remove deletes all vertices of another set.
func (s set) remove(other set) {
	for i := range s {
		s[i] &^= other[i]
	}
}

// graph holds which vertices are near each other: row v holds the neighbours of v.
type graph struct {
	rows []set
}

func newGraph(vertices int) graph {
	g := graph{rows: make([]set, vertices)}
	for v := range g.rows {
		g.rows[v] = g.none()
	}
	return g
}

func (g graph) none() set { return make(set, (len(g.rows)+wordBits-1)/wordBits) }

func (g graph) join(a, b int) {
	g.rows[a].add(b)
	g.rows[b].add(a)
}
