package placement

import "github.com/canvass-grid/canvass/protocol"

// Message is never sent: a node decides about its own submissions alone.
type Message struct{}

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands report events to the core. The comments list the other fields that are set.
const (
	CommandWants     CommandKind = iota + 1 // custodians want a try to be submitted here. Job, Try, Stamp, Rest
	CommandPermitted                        // an attempt of the job has the permit. Job, Ticket: of its submission
	CommandStop                             // the job wants no attempt: it is held, cancelled or has ended. Job
	CommandDrop                             // another custodian decides about the job, or it is forgotten. Job
	CommandOwned                            // the grid has found an owner for a submission. Ticket, Node
	CommandLost                             // a search was in vain, or no owner has the submission. Ticket
	CommandEnded                            // the owner has ended the submission, though nodes can hold it. Ticket
	CommandDead                             // a node has died. Node
	CommandTurns                            // the size of the grid has changed. Turns
)

// Command is something that the driver has observed. Exactly the fields named by Kind are set.
type Command struct {
	Kind   CommandKind
	Job    uint32 // the driver's number of the job
	Try    uint32 // from 1
	Stamp  uint64 // when the job was submitted: older jobs go first
	Rest   uint32 // ticks: how long the job pauses before this try
	Ticket uint32
	Node   protocol.NodeID
	Turns  uint32 // no fewer than Config.TurnsLeast count
}
