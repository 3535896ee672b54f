package refine

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
)

// clique is the filtering of section 5.1.2: the largest set of accepted nodes and the head that are
// near each other, the first in the order of identities among equals, and no more than N. The text
// cites exact solutions "for smaller graph sizes"; these are small enough to try every subset.
func (n *node) clique() []protocol.NodeID {
	others := remove(n.Head.answered(Accepted), n.Self)
	best := uint(0)
	for set := uint(1); set < 1<<len(others); set++ {
		size := bits.OnesCount(set)
		if size > bits.OnesCount(best) && size < n.cfg.Size && n.allNear(others, set) {
			best = set
		}
	}
	members := []protocol.NodeID{n.Self}
	for i, id := range others {
		if best&(1<<i) != 0 {
			members = insert(members, id)
		}
	}
	return members
}

func (n *node) allNear(others []protocol.NodeID, set uint) bool {
	for i, a := range others {
		if set&(1<<i) == 0 {
			continue
		}
		if !n.edge(n.Self, a) {
			return false
		}
		for j, b := range others[:i] {
			if set&(1<<j) != 0 && !n.edge(a, b) {
				return false
			}
		}
	}
	return true
}

// edge is the edge between two nodes: "only if the measured distance falls inside the cluster
// diameter". If a pair has two measurements, both must. Without a measurement, the text can be read
// both ways.
func (n *node) edge(a, b protocol.NodeID) bool {
	there, one := n.Head.between(a, b)
	back, other := n.Head.between(b, a)
	if !one && !other {
		return n.cfg.Readings.Lenient
	}
	return max(there, back) <= n.cfg.Diameter
}
