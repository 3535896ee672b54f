package lease

import "github.com/canvass-grid/canvass/protocol"

// MessageKind is the type of a message.
type MessageKind uint8

// The messages. The comments list the other fields that are set.
const (
	Look     MessageKind = iota + 1 // to a witness: which generation is there? Nonce
	Found                           // to a witness: promise me this generation. Generation, Nonce
	Renew                           // to a witness: grant me this round. Generation, Founder, Round, Nonce, Member
	Ask                             // to a witness: is this incarnation over? Peer
	Promised                        // by a witness: no other founds the generation. Generation
	Granted                         // by a witness: the round is granted. Round, Peer: a member of the generation, or none
	Refused                         // by a witness, to Look, Found and Renew. Round (Renew), Reason, View
	Verdict                         // by a witness, to Ask. Peer: the incarnation asked for; Condemned: it is over
)

// Message is a message between a node and a witness. Exactly the fields named by Kind are set.
type Message struct {
	Kind       MessageKind
	Generation uint32
	Founder    protocol.NodeID // of Generation
	Round      uint32          // of the incarnation that sends Renew
	Nonce      uint32          // of the incarnation that sends
	Member     bool            // the sender is in the grid of Generation: others can enter through it
	Peer       protocol.NodeID
	Condemned  bool
	Reason     Reason
	View       View
}

// View is a witness's view of the generations.
type View struct {
	Generation uint32          // in which it grants
	Founder    protocol.NodeID // of Generation; none: CommandRegrid has closed the grid
	Promised   uint32          // the last generation that it promised
	Promisee   protocol.NodeID // to whom
	Vacant     bool            // no grant is pending here, and the witness would have it
	Contact    protocol.NodeID // a member of Generation with a grant, other than the receiver; or none
}

// Reason says why a witness does not grant.
type Reason uint8

// The reasons. The first three are final for an incarnation.
const (
	Condemned       Reason = iota + 1 // a node asked for the incarnation when it had no grant
	Superseded                        // a later incarnation at its address was granted
	Copied                            // another process with the same incarnation was granted
	OtherGeneration                   // the generation is not that of the witness
	Alone                             // no member through which to enter the generation is known
	Full                              // the witness knows too many addresses
	Looked                            // nothing was asked for
)

// isFinal reports whether an incarnation that a majority refuses for such reasons can never be
// granted.
func (r Reason) isFinal() bool { return r >= Condemned && r <= Copied }

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands of a driver. The comments list the other fields that are set.
const (
	CommandAsk     CommandKind = iota + 1 // is an incarnation over? The answer is EventDead or EventAlive. Node
	CommandRegrid                         // a witness refuses its present generation from now on
	CommandEntered                        // the node is in the grid: others can enter through it
)

// Command is a command of the driver. Exactly the fields named by Kind are set.
type Command struct {
	Kind CommandKind
	Node protocol.NodeID
}
