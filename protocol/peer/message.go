package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Layer is one of the protocols of a node.
type Layer uint8

// The layers. Their numbers are part of encodings and of the names of timers.
const (
	CanLayer Layer = iota
	RefineLayer
	TaskLayer
	TreeLayer // if nodes predict
	layers
)

// String names the layer as events and texts do.
func (l Layer) String() string {
	return [...]string{"can", "refine", "tasks", "tree", ""}[min(l, layers)]
}

// Message is a message between nodes: CanMessage, RefineMessage, TaskMessage, TreeMessage, Job,
// Owned, Heir or Unmatched.
type Message interface{ isMessage() }

// CanMessage is a message of the CAN.
type CanMessage struct{ Of can.Message }

// RefineMessage is a message of the refinement.
type RefineMessage struct{ Of refine.Message }

// TaskMessage is a message of the tasks.
type TaskMessage struct{ Of reptask.Message }

// TreeMessage is a message of the tree that predicts.
type TreeMessage struct{ Of dtm.Message }

// Job is a job on its way to the node that is to own it. It is new, or an orphan: its owner has
// failed.
type Job struct {
	Entry     protocol.NodeID // where the client submitted it; of an orphan: its representative
	Ticket    uint32          // the client's number for it
	Orphan    reptask.Job     // which orphan it is; its number is 0 if it is none
	Submitted uint64          // submit time, as the client states it
	Spec      reptask.Spec
	Hops      uint32
	Adopt     bool // its receiver will own it, even outside the requirement

	// Search looks for a node that can represent the job, and is On once the owner of the
	// requirement has found none. A receiver that can is to own the job, too.
	Search match.Search
}

// Owned notifies the entry that the sender owns a job from now on.
type Owned struct {
	Ticket uint32
	Number uint32 // among the owner's jobs
}

// Heir notifies the representative of an orphan that the sender can own it, if asked.
type Heir struct {
	Orphan     reptask.Job
	Candidates []protocol.NodeID // nodes that may represent it
}

// Unmatched notifies the entry that the search for a representative has ended without one.
type Unmatched struct {
	Ticket uint32
	Why    Why
}

// Why is the reason for which a job is unmatched.
type Why uint8

// The reasons. Their numbers are part of encodings.
const (
	Nobody    Why = iota // each node that was on the map during the search cannot run the job
	Limited              // Config.SeekLimit nodes cannot, and there are more
	Undecided            // a node that can had no room, or the map changed: submit the job again
)

// String is the detail of an EventUnmatched.
func (w Why) String() string {
	return [...]string{"nobody can run it", "not found within the limit", "undecided"}[min(w, Undecided)]
}

func (CanMessage) isMessage()    {}
func (RefineMessage) isMessage() {}
func (TaskMessage) isMessage()   {}
func (TreeMessage) isMessage()   {}
func (Job) isMessage()           {}
func (Owned) isMessage()         {}
func (Heir) isMessage()          {}
func (Unmatched) isMessage()     {}

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands of an application.
const (
	CommandCreate   CommandKind = iota // become the first node of a new grid
	CommandJoin                        // join the grid that Contact is in
	CommandNear                        // Near are predicted to be near: candidates for the cluster; see predict
	CommandSubmit                      // Ticket, Submitted, Spec: find an owner for this job
	CommandCancel                      // Ticket, Contact: a job owned here, by number and first owner (zero: this node)
	CommandLeave                       // leave when no task, role or job of the node is left
	CommandMeasure                     // latencies have changed: measure the members of the node's cluster again
	CommandMove                        // Job, Target, By: an idle job that this node represents moves to Target
	CommandQueues                      // Queues: the queue lengths that members of the node's cluster have reported
	CommandOwn                         // Submitted, Spec, Candidates: own a job that other matchmaking has brought here
	CommandTree                        // Near are random members of the tree, as drawn; none: begin a tree
	CommandCordon                      // the node takes no tasks until CommandUncordon: it cannot run them
	CommandUncordon                    // the node takes tasks again
)

// Command is a command of the application. Exactly the fields named by Kind are set.
type Command struct {
	Kind      CommandKind
	Contact   protocol.NodeID
	Near      []protocol.NodeID // sorted, but for CommandTree
	Ticket    uint32
	Submitted uint64
	Spec      reptask.Spec
	Job       reptask.Job
	Target    protocol.NodeID
	By        reptask.Algorithm
	Queues    []reptask.Queue

	Candidates []protocol.NodeID // that may represent the job, the first one first
}

// point is where the requirement of a job lies in the space of the CAN.
func (j *Job) point() space.Point { return j.Spec.Requirement }
