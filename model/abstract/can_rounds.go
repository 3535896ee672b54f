package abstract

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// CANLife is the phase of an incarnation of a node of a content-addressable network.
type CANLife uint8

// The phases. A node that is Gone only acknowledges outcomes.
const (
	CANOutside CANLife = iota
	CANJoining
	CANMember
	CANLeaving
	CANGone
)

// CANStage is how far a round of a proposer is.
type CANStage uint8

// The stages. In CANGranting the outcome goes to the nodes whose zones grow, and afterwards to
// all others.
const (
	CANIdle CANStage = iota
	CANOpen
	CANGranting
	CANCommitting
)

// CANChange is the subject of a round. CANNoOp is the outcome of a cancelled round.
type CANChange uint8

// The changes.
const (
	CANNoOp CANChange = iota
	CANSplit
	CANMerge
	CANTakeover
)

// CANOutcome is the outcome of a round: the owners of the zones that change, with their new
// versions, and the other nodes of the neighbourhood.
type CANOutcome struct {
	Change        CANChange
	Gone          protocol.NodeID // who loses its zone
	Changed, View Records
}

// CANPromise binds a node to the round of another. The zero value is no promise.
type CANPromise struct {
	Proposer protocol.NodeID
	Round    uint32
	Change   CANChange
	Subject  protocol.NodeID
	Orphan   bool // the proposer failed: Subject is asked whether the round took effect
}

// CANNode is one incarnation of a node: the state of the machine is one of these for each, and the
// set of all messages that were ever sent.
type CANNode struct {
	ID             protocol.NodeID
	Life           CANLife
	Version, Epoch uint32  // of the own zone
	Known          Records // of others: any set
	Dead           Set

	Round   uint32 // its latest one
	Stage   CANStage
	Subject protocol.NodeID
	// Open: nodes that were asked, without an answer and with a YES. Later: nodes that have not
	// acknowledged the outcome, and nodes that it does not go to yet.
	Missing, Others Set
	Outcome         CANOutcome

	Promise CANPromise
}

// CANKind is the kind of a message.
type CANKind uint8

// The messages. The comments list the fields that are set.
const (
	CANJoin    CANKind = iota + 1 // or its refusal: anybody may send it at any time
	CANPropose                    // Round, Change, Subject, Version of the receiver's zone
	CANYes                        // Round, Epoch
	CANNo                         // Round, Records: that of the sender, or none
	CANRelease                    // Round
	CANCommit                     // Round, Outcome
	CANAck                        // Round, Records
	CANTold                       // Records: none, or that of the sender and others; Dead
	CANQuery                      // Proposer, Round
	CANAnswer                     // Proposer, Round, Records: none, or that of the sender and others
)

// CANMessage is a message.
type CANMessage struct {
	Kind           CANKind
	Round          uint32
	Change         CANChange
	Subject        protocol.NodeID
	Proposer       protocol.NodeID
	Version, Epoch uint32
	Outcome        CANOutcome
	Records        Records
	Dead           Set
}

// CANStep is a step of a node.
type CANStep = Step[CANNode, CANMessage]

// String describes a node in a line.
func (n CANNode) String() string {
	text := fmt.Sprintf("%v %s version %d epoch %d round %d %s", n.ID,
		[...]string{"outside", "joining", "member", "leaving", "gone"}[n.Life], n.Version, n.Epoch, n.Round,
		[...]string{"idle", "open", "granting", "committing"}[n.Stage])
	if n.Stage != CANIdle {
		text += fmt.Sprintf(" %v of %v, missing [%v], others [%v]", n.Outcome.Change, n.Subject, n.Missing, n.Others)
	}
	if p := n.Promise; p != (CANPromise{}) {
		text += fmt.Sprintf(", promised %v round %d %v", p.Proposer, p.Round, p.Change)
		if p.Orphan {
			text += " orphaned"
		}
	}
	return text
}

// String names a change.
func (c CANChange) String() string { return [...]string{"NO-OP", "SPLIT", "MERGE", "TAKEOVER"}[c&3] }

func (n *CANNode) idle() bool     { return n.Stage == CANIdle }
func (n *CANNode) promised() bool { return n.Promise != CANPromise{} }
func (n *CANNode) closing() bool  { return n.Stage >= CANGranting }

// shows reports whether messages may show the node's record: it owns a zone, and no change of its
// own is on its way.
func (n *CANNode) shows() bool {
	return n.Life == CANMember && !(n.closing() && n.Outcome.Change != CANNoOp)
}

// record is the node's own.
func (n *CANNode) record() Record { return Record{n.ID, n.Version, n.Epoch} }
