package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// ChangeKind is the subject of a round: γ, the command of the paper.
type ChangeKind uint8

// The kinds of changes. NoOp is decided, never proposed. In the paper a takeover is no round.
const (
	NoOp ChangeKind = iota
	Split
	Merge
	Takeover
)

// String names the change as the paper does.
func (c ChangeKind) String() string {
	return [...]string{"NO-OP", "SPLIT", "MERGE", "TAKEOVER"}[c&3]
}

// Message is one of the message types of this package: Join, Refuse, Propose, ProposeOK, Release,
// Commit, CommitOK, Update, Query, Answer. Messages are values; their slices are never changed.
type Message interface{ isMessage() }

// Join asks the owner of Coord to split its zone. It is forwarded greedily.
type Join struct {
	Joiner protocol.NodeID
	Coord  space.Point
	Hops   uint32
}

// Refuse asks a joiner to try again later. Occupied means that the owner has the same coordinate.
type Refuse struct {
	Occupied bool
}

// Propose asks for a promise to change nothing until the round is over.
type Propose struct {
	Round   uint32
	Kind    ChangeKind
	Subject protocol.NodeID // Split: the joiner; Merge: the proposer; Takeover: the failed node
	Version uint32          // of the receiver's zone, in the proposer's view
}

// ProposeOK answers a Propose. A NO carries the sender's own record, so that the proposer can
// correct its view.
type ProposeOK struct {
	Round uint32
	Yes   bool
	Epoch uint32 // with a YES: of the sender, before the round
	Self  Record // with a NO of a member: its record; else zero
}

// Release answers a YES for a round that is over: the promise is void.
type Release struct {
	Round uint32
}

// Commit carries the complete outcome of a round, so that no receiver computes anything from its
// own view.
type Commit struct {
	Round   uint32
	Kind    ChangeKind      // NoOp if the round was cancelled
	Changed []Record        // of the nodes whose zones changed
	Gone    protocol.NodeID // the node that lost its zone, if any
	View    []Record        // of the other nodes in the proposer's neighbourhood
}

// CommitOK acknowledges a Commit.
type CommitOK struct {
	Round      uint32
	Neighbours []Record // as in Update; only where a takeover is acknowledged
}

// Update is the periodic report of a node to its direct neighbours and to nodes across a hole. A
// bare one, without a zone, reports only that its sender is alive.
type Update struct {
	Self       Record   // bare: the identity alone
	Neighbours []Record // its direct neighbours, and the holes beside it
	Dead       []protocol.NodeID
}

// Query asks a joiner whether the split of Proposer took place. Only nodes that found Proposer
// failed send it.
type Query struct {
	Proposer protocol.NodeID
	Round    uint32
}

// Answer answers a Query with the joiner's records. The list is empty if it did not become a
// member.
type Answer struct {
	Proposer protocol.NodeID
	Round    uint32
	Records  []Record
}

func (Join) isMessage()      {}
func (Refuse) isMessage()    {}
func (Propose) isMessage()   {}
func (ProposeOK) isMessage() {}
func (Release) isMessage()   {}
func (Commit) isMessage()    {}
func (CommitOK) isMessage()  {}
func (Update) isMessage()    {}
func (Query) isMessage()     {}
func (Answer) isMessage()    {}
