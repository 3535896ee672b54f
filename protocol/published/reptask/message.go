package reptask

import "github.com/canvass-grid/canvass/protocol"

// Kind is a kind of message.
type Kind uint8

// The messages of section 4.2. All are about one job.
const (
	Route    Kind = iota + 1 // to the future representative of the job: by routing, or by balancing
	Dispatch                 // representative to host: a dependent task
	IsReady                  // host to representative: at the head of the queue
	Begin                    // representative to host
	Cancel                   // representative to host
	Killed                   // host to representative
	Recall                   // representative to host: the job is about to move
	Recalled                 // host to representative: its dependent task is gone
	Finished                 // host to representative
	Result                   // representative to owner
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{
		"-", "Route", "Dispatch", "IsReady", "Begin", "Cancel", "Killed", "Recall", "Recalled", "Finished", "Result",
	}[k]
}

// Message is a message between nodes.
type Message struct {
	Kind Kind
	Job  Job
}

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands.
const (
	Submit CommandKind = iota + 1 // Job; To: the end point of its routing
	DLB                           // Neighbours: the period of Algorithm 1 is over
	QB                            // Neighbours, Positions: that of Algorithm 2
)

// Neighbour has a node's data about a neighbour in the CAN when it balances its load.
type Neighbour struct {
	Node       protocol.NodeID
	Coordinate int // nodes in its cluster
	Residue    int // of these, the free ones
	Longest    int // maxQL
}

// Position is the averageQP of a job.
type Position struct {
	Job     Job
	Average int
}

// Command is a command of a node's application or driver.
type Command struct {
	Kind       CommandKind
	Job        Job // its Owner is the node that gets the command
	To         protocol.NodeID
	Neighbours []Neighbour
	Positions  []Position // of the node's idle representative tasks, as collected
}
