package load

import "github.com/canvass-grid/canvass/protocol"

// Grid is a simulation of nodes. Nodes are numbered from 0.
type Grid interface {
	Now() int64 // microseconds
	At(at int64, call func())
	Len() int

	Running(id protocol.NodeID) bool
	ID(node int) protocol.NodeID // of the node's present incarnation
	Staying(node int) bool       // the node is a member and does not want to leave
}

// None stands for a node where there is none.
const None = -1

// StayingFrom returns the first node that stays, from a node on, or [None].
func StayingFrom(g Grid, first int) int {
	for i := range g.Len() {
		if node := (first + i) % g.Len(); g.Staying(node) {
			return node
		}
	}
	return None
}
