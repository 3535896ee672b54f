package model

import "math/bits"

// nodeSet is a set of nodes, a bit each.
type nodeSet uint16

// set adds a node to the set or removes it.
func (s *nodeSet) set(node int, in bool) {
	bit := nodeSet(1) << node
	*s &^= bit
	if in {
		*s |= bit
	}
}

// each calls visit for the nodes in ascending order, until it returns false.
func (s nodeSet) each(visit func(node int) bool) {
	for ; s != 0; s &= s - 1 {
		if !visit(bits.TrailingZeros16(uint16(s))) {
			return
		}
	}
}
