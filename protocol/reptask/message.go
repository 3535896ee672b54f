package reptask

import "github.com/canvass-grid/canvass/protocol"

// MessageKind is the type of a message.
type MessageKind uint8

// The messages. All but Beat are about an attempt; what else is set is said behind each.
const (
	Grant     MessageKind = iota + 1 // owner to representative: run it. Spec, Moved
	Revoke                           // owner to representative: the client wants it no more
	Dispatch                         // representative to host: a dependent task
	Ready                            // host to representative: the task has the node and is ready to start. Vote
	Withdraw                         // host to representative: an older job is here, may I have my vote back? Vote
	Withdrawn                        // representative to host: you have it back. Vote
	Start                            // representative to host: start. Vote
	Cancel                           // representative to host: the task is not needed any more. Confirm: say so when it is gone
	Gone                             // host to representative, representative to owner: I do not hold it and will not
	Finish                           // host to representative: it ran to its end
	Result                           // representative to owner: all have ended
	GiveUp                           // representative to owner: the attempt is over without a result. Reason, Target
	Settled                          // owner to representative: I know. Confirm: say so when you have forgotten it
	Adopt                            // representative to node: the owner has failed, be its owner. Spec, Moved, Revoked, Done, Candidates
	Decline                          // node to representative: I cannot
	Beat                             // a sign of life. Length, Positions
)

// Message is what nodes send each other. Exactly the fields named by Kind are set.
type Message struct {
	Kind      MessageKind
	Attempt   Attempt
	Vote      uint32
	Spec      Spec
	Moved     bool
	Confirm   bool
	Reason    Reason
	Target    protocol.NodeID
	Revoked   bool       // the owner that failed wanted the attempt revoked
	Done      bool       // the attempt has a result
	Positions []Position // sorted by job

	Candidates []protocol.NodeID // who may represent the job, should the attempt fail
}

// Position is where a dependent task stands in its host's queue.
type Position struct {
	Attempt Attempt
	Ahead   uint32
}

// CommandKind is what an application asks for.
type CommandKind uint8

// The orders.
const (
	CommandCluster CommandKind = iota + 1 // Cluster: the nodes to run jobs with, from now on
	CommandSubmit                         // Submitted, Spec, Candidates: the node owns this job
	CommandCancel                         // Number, Owner: the client wants this job no more
	CommandMove                           // Job, Target: an idle job represented here is to go there
	CommandAdopt                          // Job, Target, Candidates: the job represented here, whose owner has failed, is to be owned there
	CommandLeave                          // take no more jobs, roles and tasks, and give back what has not begun
)

// Command is what an application asks of its node. Exactly the fields named by Kind are set.
type Command struct {
	Kind       CommandKind
	Cluster    []Neighbour
	Submitted  uint64
	Spec       Spec
	Candidates []protocol.NodeID
	Number     uint32
	Owner      protocol.NodeID // who owned it first; nobody: this node
	Job        Job
	Target     protocol.NodeID
}
