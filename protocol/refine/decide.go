package refine

import "github.com/canvass-grid/canvass/protocol"

// LeastDesirable returns which of a client's suitors it turns down when there are too many: an
// index of its slots, given the index of the suitor that came last. Slots of other stages do not
// count.
func (c Criterion) LeastDesirable(slots []Slot, last int) int {
	n := node{cfg: &Config{Criterion: c}, State: State{Slots: slots}}
	return n.asClient().leastDesirable(last)
}

// LargestClique returns the largest set of nodes, as a head finds it: the head is node 0, all pairs
// of the set are near each other, and it has at most limit nodes. The first of several in
// lexicographic order counts. The result is ascending. A search that is too long ends with the
// largest set that it has found.
func LargestClique(nodes int, near func(a, b int) bool, limit int) []int {
	g := newGraph(nodes)
	for i := range nodes {
		for j := range i {
			if near(i, j) {
				g.join(i, j)
			}
		}
	}
	kept := g.cliqueOfFirst(limit)
	var clique []int
	for v := range nodes {
		if kept.has(v) {
			clique = append(clique, v)
		}
	}
	return clique
}

// Better reports whether a node advertises a cluster of another head rather than the cluster that
// it would advertise otherwise, which may be its own.
func Better(c, than Cluster, self protocol.NodeID) bool { return better(c, than, self) }
