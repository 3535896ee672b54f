package reptask

import "github.com/canvass-grid/canvass/protocol"

// MessageKind is the type of a message.
type MessageKind uint8

// The messages. All but Beat name an attempt. The comments list the other fields that are set.
const (
	Grant     MessageKind = iota + 1 // owner to representative: run the attempt. Spec, Moves
	Revoke                           // owner to representative: the client has cancelled the job
	Dispatch                         // representative to host: a dependent task
	Ready                            // host to representative: the task has the node and is ready to start. Vote
	Withdraw                         // host to representative: an older job is here, the vote is wanted back. Vote
	Withdrawn                        // representative to host: the vote no longer counts. Vote
	Start                            // representative to host: start. Vote
	Cancel                           // representative to host: the task is not needed. Confirm: answer Gone
	Gone                             // host or representative: the sender does not hold it and will not
	Finish                           // host to representative: the task ran to its end
	Result                           // representative to owner: all tasks have ended
	GiveUp                           // representative to owner: the attempt is over without a result. Reason, Target, By
	Settled                          // owner to representative: the end is known. Confirm: answer Gone
	Adopt                            // representative to node: own this job. Spec, Moves, Revoked, Done, Candidates
	Decline                          // node to representative: the sender cannot own the job
	Beat                             // a sign of life. Positions
	Unable                           // host to representative: as Gone, and the sender takes no tasks now
)

// Message is a message between nodes. Exactly the fields named by Kind are set.
type Message struct {
	Kind      MessageKind
	Attempt   Attempt
	Vote      uint32
	Spec      Spec
	Moves     Moves
	Confirm   bool
	Reason    Reason
	Target    protocol.NodeID
	By        Algorithm  // that moves the job to Target
	Revoked   bool       // the owner that failed wanted the attempt revoked
	Done      bool       // the attempt has a result
	Positions []Position // sorted by job

	Candidates []protocol.NodeID // that may represent the job, if the attempt fails
}

// Position is the place of a dependent task in its host's queue.
type Position struct {
	Attempt Attempt
	Ahead   uint32
}

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands of an application.
const (
	CommandCluster  CommandKind = iota + 1 // Cluster: the nodes to run jobs with, from now on
	CommandSubmit                          // Submitted, Spec, Candidates: the node owns this job
	CommandCancel                          // Number, Owner: the client cancels this job
	CommandMove                            // Job, Target, By: an idle job represented here moves to Target
	CommandAdopt                           // Job, Target, Candidates: Target is to own the job, which is represented here
	CommandLeave                           // take no more jobs, roles and tasks, and return what has not begun
	CommandCordon                          // take no more tasks, and return tasks that have not begun
	CommandUncordon                        // take tasks again
)

// Command is a command of the application. Exactly the fields named by Kind are set.
type Command struct {
	Kind       CommandKind
	Cluster    []Neighbour
	Submitted  uint64
	Spec       Spec
	Candidates []protocol.NodeID
	Number     uint32
	Owner      protocol.NodeID // its first owner; zero: this node
	Job        Job
	Target     protocol.NodeID
	By         Algorithm
}
