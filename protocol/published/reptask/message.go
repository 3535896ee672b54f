package reptask

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Kind is a kind of message.
type Kind uint8

// The messages of section 4.2. All are about one job.
const (
	Route    Kind = iota + 1 // to where the job is to be represented: by routing, or by balancing
	Dispatch                 // representative to host: a dependent task
	IsReady                  // host to representative: at the head of the queue
	Begin                    // representative to host
	Cancel                   // representative to host
	Killed                   // host to representative
	Finished                 // host to representative
	Result                   // representative to owner
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"-", "Route", "Dispatch", "IsReady", "Begin", "Cancel", "Killed", "Finished", "Result"}[k]
}

// Message is what nodes send each other.
type Message struct {
	Kind Kind
	Job  Job
}

// String describes a message in one line.
func (m Message) String() string { return fmt.Sprintf("%v %v", m.Kind, m.Job) }

// String describes a job.
func (j Job) String() string {
	text := fmt.Sprintf("%v/%d(time %d hash %d, needs %d", j.Owner, j.Number, j.Submitted, j.Hash, j.Nodes)
	if j.Moved {
		text += ", moved"
	}
	return text + ")"
}

// CommandKind is a kind of order.
type CommandKind uint8

// The orders.
const (
	Submit CommandKind = iota + 1 // Job; To: the end point of its routing
	DLB                           // Neighbours: the period of Algorithm 1 is over
	QB                            // Neighbours, Average: that of Algorithm 2
)

// Neighbour is what a node knows of a neighbour in the CAN when it balances its load.
type Neighbour struct {
	Node       protocol.NodeID
	Coordinate int // nodes in its cluster
	Residue    int // of these, the free ones
	Longest    int // maxQL
}

// Command is what a node's application or its driver asks for.
type Command struct {
	Kind       CommandKind
	Job        Job // its Owner is the node that gets the order
	To         protocol.NodeID
	Neighbours []Neighbour
	Average    int // averageQP of the node's idle representative tasks, as collected
}

// String describes an order in one line.
func (o Command) String() string {
	switch o.Kind {
	case Submit:
		return fmt.Sprintf("submit %v to %v", o.Job, o.To)
	case DLB:
		return fmt.Sprintf("dlb %v", o.Neighbours)
	case QB:
		return fmt.Sprintf("qb %v averageQP %d", o.Neighbours, o.Average)
	}
	return "invalid"
}

// String describes a state in one line.
func (s State) String() string {
	text := fmt.Sprintf("%v cluster %v", s.Self, s.Cluster)
	for _, t := range s.Queue {
		text += fmt.Sprintf(" [%v %v for %v]", t.Job, t.Status, t.Representative)
	}
	for _, r := range s.Roles {
		text += fmt.Sprintf(
			" represents %v on %v ready %v began %t finished %v",
			r.Job,
			r.Dependents,
			r.Ready,
			r.Began,
			r.Finished,
		)
	}
	for _, o := range s.Owned {
		text += fmt.Sprintf(" owns %v done %t", o.Job, o.Done)
	}
	return text
}

// TimerText names a timer. There is only one.
func TimerText(protocol.Timer) string { return "run" }
