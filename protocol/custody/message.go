package custody

import "github.com/canvass-grid/canvass/protocol"

// MessageKind is the type of a message.
type MessageKind uint8

// The messages. The comments list the other fields that are set. Hello and Prepare are addressed to
// any incarnation of a custodian: their receiver has the incarnation 0.
const (
	Hello   MessageKind = iota + 1 // the sender is in no view that works. Number: it promised
	Prepare                        // from a leader: promise to take part in no older view. Number: of the view
	Promise                        // to the leader: the sender's record. Number, View, Seq, Record
	Copy                           // from the primary of a view: make this durable. View, Seq, Record
	Copied                         // to the primary: it is durable. Number: of the view, Seq
)

// Message is a message between two custodians of a job. Exactly the fields named by Kind are set.
type Message struct {
	Kind   MessageKind
	Number uint32
	View   View
	Seq    uint32
	Record Record
}

// View is a set of custodians that keep the job together. Decisions of a view are durable at each
// of its members. The view n belongs to the custodian n mod R of the R in their list: only that
// custodian forms it, and it is the view's primary.
type View struct {
	Number  uint32            // 0: no view
	Members []protocol.NodeID // lives of custodians, in the order of their list
}

// Record is the state of a job. It is replicated as a whole.
type Record struct {
	Try       uint32            // the current submission to the grid, from 1; 0: no job
	Limit     uint32            // limit on attempts with a permit
	Runs      uint32            // number of attempts that had one
	Attempt   Attempt           // that has the permit of the current try; zero: not granted
	Hosts     []protocol.NodeID // where something of that attempt may run, sorted
	Requested End               // how the job is to end without another attempt; 0: it may run
	End       End               // how it ended; 0: it is open
	Outcome   Digest            // of the attempt, if End is Done
	Settled   bool              // the end is on the disk of each custodian
}

// Attempt names an attempt as its granting owner in the task layer does.
type Attempt struct {
	By    protocol.NodeID
	Epoch uint32
}

// IsNone reports whether this is the zero attempt, which stands for no attempt.
func (a Attempt) IsNone() bool { return a == Attempt{} }

// Digest stands for the bytes of an outcome, which the driver keeps. It has from 1 to DigestLimit
// bytes.
type Digest string

// End says how a job ends.
type End uint8

// The ends. The zero End means that the job is open. CommandCancel takes all but Done.
const (
	Done      End = iota + 1 // an attempt has deposited an outcome
	Cancelled                // the client cancelled the job
	TimedOut                 // the job took too long
	Unplaced                 // no node can take it
	Exhausted                // as many attempts as it may have ended without an outcome
)

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands of a driver. The comments list the other fields that are set.
const (
	CommandAccept     CommandKind = iota + 1 // at the first custodian or its heir: take the job. Limit
	CommandDead                              // this incarnation, of a custodian or a host, has ended. Life
	CommandAcceptLoss                        // the operator's word: the disk of the other custodian is gone for good
	CommandPermit                            // an attempt asks for the permit. Try, Attempt, Hosts
	CommandClosed                            // nothing of an attempt runs at a host, and nothing will. Try, Attempt, Life
	CommandOutcome                           // the permitted attempt is over everywhere. Try, Attempt, Outcome
	CommandCancel                            // end the job. Requested
	CommandTryOver                           // the task layer has given the submission of a try up. Try
	CommandForget                            // the job is no longer wanted
	CommandForgotten                         // another custodian has forgotten the job
)

// Command is a command of the driver. Exactly the fields named by Kind are set.
type Command struct {
	Kind      CommandKind
	Limit     uint32 // of attempts that may have a permit, at least 1
	Life      protocol.NodeID
	Try       uint32
	Attempt   Attempt
	Hosts     []protocol.NodeID // sorted, each once
	Outcome   Digest
	Requested End
}
