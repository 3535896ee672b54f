package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node of the grid: it returns the next state and the output for an input. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s}
	switch in.Kind {
	case protocol.Start, protocol.Restart:
		n.begin(in)
	case protocol.Command:
		n.onCommand(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.onTimeout(in.Timer)
	case protocol.Measured:
		if n.Tree != nil && n.Tree.Measures(in.From) {
			n.stepTree(dtm.Input{Kind: protocol.Measured, From: in.From, Measure: in.Measure})
		}
		n.stepRefine(refine.Input{Kind: protocol.Measured, From: in.From, Measure: in.Measure})
	case protocol.Chosen:
		n.stepCan(can.Input{Kind: protocol.Chosen, Choice: in.Choice})
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	n.seek()
	n.searchOn()
	n.forget()
	n.follow(&s)
	n.drain()
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
	refined bool // a step of the refinement was made: the cluster may be another one
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m := m.(type) {
	case CanMessage:
		n.stepCan(can.Input{Kind: protocol.Deliver, From: from, Message: m.Of})
	case RefineMessage:
		n.stepRefine(refine.Input{Kind: protocol.Deliver, From: from, Message: m.Of})
	case TaskMessage:
		if !n.hasPlace() {
			// The node that admits this one may send tasks that overtake its Commit.
			n.Ignore(from, "no place in the grid yet")
			return
		}
		n.stepTasks(reptask.Input{Kind: protocol.Deliver, From: from, Message: m.Of})
	case TreeMessage:
		n.stepTree(dtm.Input{Kind: protocol.Deliver, From: from, Message: m.Of})
	case Job:
		n.onJob(from, m)
	case Heir:
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{
			Kind: reptask.CommandAdopt, Job: m.Orphan, Target: from, Candidates: m.Candidates,
		}})
	case Unmatched:
		n.onUnmatched(from, m)
	case Owned:
		n.Event(EventOwned, from, m.Ticket, "")
	default:
		n.Ignore(from, "no such message")
	}
}

// hasPlace reports whether the node has, or had, a place in the CAN.
func (n *node) hasPlace() bool { return n.Can.Phase >= can.Member }

func (n *node) onTimeout(t protocol.Timer) {
	of, t := LayerOf(t)
	switch of {
	case CanLayer:
		n.stepCan(can.Input{Kind: protocol.Timeout, Timer: t})
	case RefineLayer:
		n.stepRefine(refine.Input{Kind: protocol.Timeout, Timer: t})
	case TaskLayer:
		n.stepTasks(reptask.Input{Kind: protocol.Timeout, Timer: t})
	default: // two bits name the layer
		n.stepTree(dtm.Input{Kind: protocol.Timeout, From: t.Peer, Timer: t})
	}
}

func (n *node) onCommand(c Command) {
	switch c.Kind {
	case CommandCreate:
		n.stepCan(can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandCreate}})
	case CommandJoin:
		n.stepCan(can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandJoin, Contact: c.Contact}})
	case CommandNear:
		n.setNear(c.Near)
		n.regain(c.Near)
	case CommandTree:
		n.stepTree(dtm.Input{
			Kind: protocol.Command, From: n.ID(), Command: dtm.Command{Kind: dtm.CommandJoin, Nodes: c.Near},
		})
	case CommandSubmit:
		n.enter(Job{Entry: n.ID(), Ticket: c.Ticket, Submitted: c.Submitted, Spec: c.Spec})
	case CommandCancel:
		cancel := reptask.Command{Kind: reptask.CommandCancel, Number: c.Ticket, Owner: c.Contact}
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: cancel})
	case CommandLeave:
		n.leave()
	case CommandCordon:
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{Kind: reptask.CommandCordon}})
	case CommandUncordon:
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{Kind: reptask.CommandUncordon}})
	case CommandMeasure:
		n.stepRefine(refine.Input{Kind: protocol.Command, Command: refine.Command{Kind: refine.CommandMeasure}})
	case CommandMove:
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: c.move()})
	case CommandQueues:
		n.setQueues(c.Queues)
	case CommandOwn:
		if n.Can.Phase != can.Member {
			n.Ignore(n.ID(), "no place in the grid")
			return
		}
		n.stepTasks(reptask.Input{Kind: protocol.Command, Command: c.own()})
	default:
		n.Ignore(n.ID(), "no such order")
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.ID(), to, m) }
