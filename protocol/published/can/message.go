package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// ChangeKind is the kind of γ.
type ChangeKind uint8

// The three commands. NoOp is decided, never proposed.
const (
	NoOp ChangeKind = iota
	Split
	Merge
)

// String names the command as the paper does.
func (c ChangeKind) String() string {
	switch c {
	case NoOp:
		return "NO-OP"
	case Split:
		return "SPLIT"
	case Merge:
		return "MERGE"
	}
	return "invalid"
}

// Gamma is γ. Only a Split has the other fields: the joiner, its coordinate, and the half-space
// that the proposer keeps of its zone.
type Gamma struct {
	Kind   ChangeKind
	Joiner protocol.NodeID
	Coord  space.Point
	Keep   space.HalfSpace
}

// Answer is a reply to a proposal, as the proposer stores it.
type Answer uint8

// The values of node_L[L].reply[R].
const (
	Undef Answer = iota
	Yes
	No
)

// String names the answer as the paper does.
func (a Answer) String() string {
	switch a {
	case Undef:
		return "UNDEF"
	case Yes:
		return "YES"
	case No:
		return "NO"
	}
	return "invalid"
}

// Message is one of Join, Refuse, Handover, Propose, ProposeOK, Commit, Update. Messages are
// values; their slices are never changed.
type Message interface{ isMessage() }

// Join asks the owner of Coord to split its zone. It is routed greedily.
type Join struct {
	Joiner protocol.NodeID
	Coord  space.Point
	Hops   uint32
}

// Refuse makes a joiner retry the entire join process at a later time.
type Refuse struct{}

// Handover makes a joiner a member: its own record, and the records that the splitting node has.
type Handover struct {
	Joined Record
	Nodes  []Record // the splitting node after the split and its neighbourhood, by identity
}

// Propose is Propose(i_L).
type Propose struct {
	Instance uint32
}

// ProposeOK is ProposeOK(r_R, i_L).
type ProposeOK struct {
	Yes      bool
	Instance uint32
}

// Commit is Commit(γ, i_L).
type Commit struct {
	Gamma    Gamma
	Instance uint32
}

// Update is the periodic news of a node to its direct neighbours: about itself and about them.
type Update struct {
	Self       Record
	Neighbours []Record
}

func (Join) isMessage()      {}
func (Refuse) isMessage()    {}
func (Handover) isMessage()  {}
func (Propose) isMessage()   {}
func (ProposeOK) isMessage() {}
func (Commit) isMessage()    {}
func (Update) isMessage()    {}

// CommandKind is the kind of a request of an application to its node.
type CommandKind uint8

// The commands of an application.
const (
	CommandCreate CommandKind = iota // become the first member of a new network
	CommandJoin                      // join the network that Contact is in
	CommandLeave                     // leave, having handed the zone over
)

// Command is a command of the application.
type Command struct {
	Kind    CommandKind
	Contact protocol.NodeID // CommandJoin
}
