package rpc

import (
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// Target is the daemon to ask, and for how long.
type Target struct {
	to       protocol.NodeID
	life     bool               // only this incarnation of the node can answer
	alive    bool               // the question is given up when the latest incarnation is dead
	ring     []protocol.Address // custodians of a job; the target is one of them
	patience time.Duration      // 0: as long as the answer is wanted
	wanted   func() bool        // nil: always
}

// Daemon is the daemon at the address of a node, possibly the caller itself: its latest
// incarnation, since the answers are on its disk.
func Daemon(id protocol.NodeID) Target { return Target{to: id} }

// Living is the same daemon until it counts as dead: then the error is [ErrOver]. An incarnation
// that is named must have had a lease.
func Living(id protocol.NodeID) Target { return Target{to: id, alive: true} }

// Only is one incarnation of a daemon. When it is certainly over, the error is [ErrOver].
func Only(life protocol.NodeID) Target { return Target{to: life, life: true} }

// Primary is the primary of a job's custodians.
func Primary(custodians []protocol.Address) Target {
	return Target{to: protocol.NodeID{Address: custodians[0]}, ring: custodians}
}

// Within gives the question up after a time, with [ErrGivenUp]. 0 sets no limit.
func (t Target) Within(patience time.Duration) Target {
	t.patience = patience
	return t
}

// While drops the question once its answer is no longer wanted.
func (t Target) While(wanted func() bool) Target {
	t.wanted = wanted
	return t
}
