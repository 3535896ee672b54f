package rpc

import (
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// Target is which daemon is asked, and for how long.
type Target struct {
	to       protocol.NodeID
	life     bool               // only this life of the node can answer
	alive    bool               // the question is given up when the latest life there is dead
	ring     []protocol.Address // custodians of a job; the one that is asked is to
	patience time.Duration      // 0: as long as the answer is wanted
	wanted   func() bool        // nil: always
}

// Daemon is the daemon at the address of a node, which may be the one that asks: its latest life,
// since what daemons ask each other about is on their disks.
func Daemon(id protocol.NodeID) Target { return Target{to: id} }

// Living is the same daemon until it is known to be dead: then the error is [ErrOver]. A life that
// is named has had a lease.
func Living(id protocol.NodeID) Target { return Target{to: id, alive: true} }

// Only is one life of a daemon. When it is certainly over, the error is [ErrOver].
func Only(life protocol.NodeID) Target { return Target{to: life, life: true} }

// Primary is the custodian that decides about a job, whichever that is.
func Primary(custodians []protocol.Address) Target {
	return Target{to: protocol.NodeID{Address: custodians[0]}, ring: custodians}
}

// Within gives the question up after a time, with [ErrGivenUp]. 0 waits as long as it is wanted.
func (t Target) Within(patience time.Duration) Target {
	t.patience = patience
	return t
}

// While drops the question once its answer is no longer wanted.
func (t Target) While(wanted func() bool) Target {
	t.wanted = wanted
	return t
}
