package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Message is one of the message types of this package: Map, Request, Reply, Give, GiveOK. Messages
// are values; their slices are never changed.
type Message interface{ isMessage() }

// Map is a message of the map's core, package can.
type Map struct{ can.Message }

// Request asks for an operation to be executed. An attempt is addressed to one node, which decides
// it once. A client makes another attempt only if this one was refused or its receiver has failed.
type Request struct {
	Operation Operation
	Attempt   uint32
	Tried     []protocol.NodeID // nodes that failed with an unanswered attempt, sorted
}

// Verdict is the decision on an attempt.
type Verdict uint8

// The verdicts.
const (
	Refused  Verdict = iota // not executed, and never will be: the key is not the node's
	Served                  // executed
	Mismatch                // executed: a compare-and-set that set nothing
	Full                    // not executed: the node accepts no more items
	Unknown                 // not executed; an earlier attempt may have been
)

// Reply answers a Request.
type Reply struct {
	ID      uint32
	Attempt uint32
	Verdict Verdict
	Value   uint32          // present value: of a Get, or with a Mismatch
	Hint    protocol.NodeID // with Refused: a node nearer to the key, if any
}

// Give hands the items of a part of a zone over to its new owner. Giver and Round identify the
// handover.
type Give struct {
	Round   uint32
	Items   []Item
	Leaving bool              // the giver has left: it executes no more requests,
	Decided []Decision        // and these are all that were executed
	Left    []protocol.NodeID // by it and by these former leavers
}

// GiveOK acknowledges a Give.
type GiveOK struct {
	Round uint32
}

func (Map) isMessage()     {}
func (Request) isMessage() {}
func (Reply) isMessage()   {}
func (Give) isMessage()    {}
func (GiveOK) isMessage()  {}

// Item is a register that does not hold 0.
type Item struct {
	Key   space.Point
	Value uint32
}

// Decision is a request that the node decided.
type Decision struct {
	Client  protocol.NodeID
	ID      uint32
	Attempt uint32
	Verdict Verdict
	Value   uint32
}
