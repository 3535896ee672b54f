package model

import "math/bits"

// nodeSet is a set of nodes, a bit each.
type nodeSet uint16

// set says whether a node is in the set.
func (s *nodeSet) set(node int, in bool) {
	bit := nodeSet(1) << node
	*s &^= bit
	if in {
		*s |= bit
	}
}

// each calls visit for the nodes in ascending order, until it says to stop.
func (s nodeSet) each(visit func(node int) bool) {
	for ; s != 0; s &= s - 1 {
		if !visit(bits.TrailingZeros16(uint16(s))) {
			return
		}
	}
}
