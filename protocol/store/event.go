package store

import "github.com/canvass-grid/canvass/protocol/can"

// The names of this core's own events; those of package can are passed on. The comments describe
// Peer, Number and Detail.
const (
	EventCalled    = "called"    // an operation begins; Number: its ID, Detail: its kind
	EventAnswered  = "answered"  // it was executed at Peer; Number: its ID, Detail: DetailOK or DetailMismatch
	EventValue     = "value"     // follows the answer to a get or to a failed compare-and-set; Number: the present value
	EventUnknown   = "unknown"   // it ends; Peer may have executed it or not; Number: its ID
	EventRejected  = "rejected"  // it ends, and was not and will not be executed; Number: its ID, Detail: why
	EventServed    = "served"    // the node executed an operation of a client at Peer; Number: its ID, Detail: its kind
	EventRefused   = "refused"   // the node does not own the key; Peer: the client's node, Number: the ID
	EventZone      = "zone"      // the node's zone changed; Number: its version
	EventGiven     = "given"     // Peer gets a part of the zone by the round Number; the node does not serve it any more
	EventReceived  = "received"  // the items of a part of the zone arrived from Peer, by its round Number
	EventDelivered = "delivered" // Peer has the items of the round Number
	EventLost      = "lost"      // the items of a part of the zone are lost with Peer, if it is known
	EventFinished  = "finished"  // the node has left and handed everything over: the process may end
	EventIgnore    = can.EventIgnore
)

// Details of an answer.
const (
	DetailOK       = "ok"
	DetailMismatch = "mismatch" // of a compare-and-set: the value was not the expected one
)

// Why an operation is rejected.
const (
	DetailNoMember = "the node is no member"
	DetailMany     = "too many operations are pending"
	DetailTwice    = "an operation of this ID is pending"
	DetailOutside  = "the key lies outside the space"
	DetailFull     = "the owner is full"
)

// eventNames lists them, and those of package can.
func eventNames(c *can.Core) []string {
	return append(c.EventNames(), EventCalled, EventAnswered, EventValue, EventUnknown, EventRejected, EventServed,
		EventRefused, EventZone, EventGiven, EventReceived, EventDelivered, EventLost, EventFinished)
}
