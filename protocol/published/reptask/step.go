package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node of the published protocol: it returns the next state and the output for an
// input. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch in.Kind {
	case protocol.Start:
		n.Self.Incarnation = 1
	case protocol.Command:
		n.command(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.computed(in.Timer)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	for n.Keeps() {
		n.deliver(n.Self, n.Next())
	}
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

// send sends a message. One to the node itself arrives within the step.
func (n *node) send(to protocol.NodeID, k Kind, j Job) {
	n.SendOrKeep(n.Self, to, Message{Kind: k, Job: j})
}

func (n *node) command(c Command) {
	switch c.Kind {
	case Submit:
		c.Job.Owner = n.Self
		n.Owned = append(n.Owned, Owned{Job: c.Job})
		n.Event(EventSubmit, n.Self, c.Job.Number, "")
		n.event(EventGrant, c.Job)
		n.send(c.To, Route, c.Job)
	case DLB:
		n.balance(n.dlb(c.Neighbours))
	case QB:
		n.balance(n.qb(c.Neighbours, c.Positions))
	default:
		n.Ignore(n.Self, "no such order")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m.Kind {
	case Route:
		n.represent(m.Job)
	case Dispatch:
		n.dispatched(from, m.Job)
	case Begin:
		n.begin(from, m.Job)
	case Cancel:
		n.cancelled(from, m.Job)
	case IsReady:
		n.isReady(from, m.Job)
	case Killed:
		n.wasKilled(from, m.Job)
	case Recall:
		n.recall(from, m.Job)
	case Recalled:
		n.recalled(from, m.Job)
	case Finished:
		n.finished(from, m.Job)
	case Result:
		n.result(from, m.Job)
	default:
		n.Ignore(from, "no such message")
	}
}

// RunTimer is the computation of the dependent task that runs.
const RunTimer protocol.TimerKind = 1

// The names of this core's events. Peer is the owner of the job, Number the [Job.Attempt].
const (
	EventSubmit  = "submit"  // the owner takes the job on; Number: the job's number
	EventGrant   = "grant"   // and sends it on its way
	EventAccept  = "accept"  // the owner has the results
	EventMove    = "move"    // a representative gives an idle job away
	EventQueue   = "queue"   // a host takes a dependent task
	EventReady   = "ready"   // a host reports that the task is at the head of its queue
	EventRequeue = "requeue" // a task that was ready was killed for an older one
	EventStart   = "start"   // a host begins to compute
	EventFinish  = "finish"  // a host has computed
	EventCancel  = "cancel"  // a host removes a task from its queue
	EventIgnore  = "ignore"  // the input changed nothing; Peer: sender, Detail: why
)

func (n *node) event(name string, j Job) {
	n.Event(name, j.Owner, j.Attempt(), "")
}

// result: "results can be returned to the submitting client".
func (n *node) result(from protocol.NodeID, j Job) {
	i := slices.IndexFunc(n.Owned, func(o Owned) bool { return o.Job.same(j) })
	if i < 0 || n.Owned[i].Done {
		n.Ignore(from, "no such job is open here")
		return
	}
	n.Owned[i] = Owned{Job: j, Done: true}
	n.event(EventAccept, j)
}
