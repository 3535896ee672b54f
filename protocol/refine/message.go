package refine

import "github.com/canvass-grid/canvass/protocol"

// Message is one of the message types of this package. Each carries the round of the head that is a
// party to it. Messages are values; their slices are never changed.
type Message interface{ isMessage() }

// Solicitation asks a client to join the head's cluster.
type Solicitation struct {
	Round   uint32
	Ceiling uint32 // how large the cluster can still become
	Sure    uint32 // how many have accepted, the head included
}

// Update gives a client that has not answered the answers of others. Greedy clients sort by it.
type Update struct {
	Round   uint32
	Ceiling uint32
	Sure    uint32
}

// List names the unfiltered cluster: its members must measure each other.
type List struct {
	Round   uint32
	Members []protocol.NodeID
}

// Confirm names the job-ready cluster to its members. Resent, it is the head's sign of life.
type Confirm struct {
	Round   uint32
	Members []protocol.NodeID
}

// Dismiss notifies a client that it is not in the head's cluster: a denial by the head (HDENY).
type Dismiss struct {
	Round uint32
}

// Accept notifies a head that it can count on the client. Resent, it is the client's sign of life.
type Accept struct {
	Round uint32
}

// Deny notifies a head that the client is in as many clusters as it may be.
type Deny struct {
	Round uint32
}

// Defer notifies a head that the client may have a place later.
type Defer struct {
	Round uint32
}

// Report sends a head what the client measured.
type Report struct {
	Round    uint32
	Readings []Reading // sorted by Peer
}

// Leave notifies a head that the client holds no place in its cluster, of this or an earlier round.
type Leave struct {
	Round uint32
}

// Alive is the sign of life of a node that has nothing to resend.
type Alive struct{}

func (Solicitation) isMessage() {}
func (Update) isMessage()       {}
func (List) isMessage()         {}
func (Confirm) isMessage()      {}
func (Dismiss) isMessage()      {}
func (Accept) isMessage()       {}
func (Deny) isMessage()         {}
func (Defer) isMessage()        {}
func (Report) isMessage()       {}
func (Leave) isMessage()        {}
func (Alive) isMessage()        {}
