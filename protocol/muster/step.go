package muster

import "github.com/canvass-grid/canvass/protocol"

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node's part in one attempt: it answers an input with the next state and the effects
// that the driver must carry out. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch {
	case in.Kind == protocol.Start:
	case in.Kind == protocol.Restart: // a role does not outlive the incarnation of its node
		n.State = State{Self: s.Self, Ended: true}
	case n.Ended:
		n.Ignore(in.From, "the attempt has ended here")
	case in.Kind == protocol.Command:
		n.onCommand(in.Command)
	case in.Kind == protocol.Deliver:
		n.deliver(in.From, in.Message)
	case in.Kind == protocol.Timeout && in.Timer.Kind == ResendTimer:
		n.Out.Send = append(n.Out.Send, n.unanswered()...)
	default:
		n.Ignore(in.From, "no such input")
	}
	for n.Keeps() { // both roles are here
		n.deliver(n.Self, n.Next())
	}
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

func (n *node) onCommand(c Command) {
	switch c.Kind {
	case CommandHost:
		n.beHost(c)
	case CommandUnfit:
		n.endTask(Status{Cause: Unfit})
	case CommandKeep:
		n.keep(Status{Cause: Exited, Code: c.Code, Signal: c.Signal})
	case CommandKept:
		n.onKept(c.Kept)
	case CommandLost:
		n.endTask(Status{Cause: Lost})
	case CommandExited:
		if !n.Runs() {
			n.Ignore(n.Self, "no process runs here")
			return
		}
		n.endTask(Status{Cause: Exited, Code: c.Code, Signal: c.Signal})
	case CommandRepresent:
		n.beRepresentative(c)
	case CommandPermit:
		n.onPermit(c.Granted)
	case CommandHalt:
		n.haltAll(c.Reason)
	case CommandDeposited:
		n.onDeposited()
	case CommandEnd:
		n.end()
	default:
		n.Ignore(n.Self, "no such command")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m.Kind {
	case Go, Halt, Noted, Finish:
		if from != n.Host.Rep {
			n.Ignore(from, "not from the representative of this host")
			return
		}
		n.onRepresentativeMessage(m)
	case Here, Going, Exit, Closed:
		i := n.rankOf(from)
		if i < 0 {
			n.Ignore(from, "not from a host of this representative")
			return
		}
		n.onHostMessage(i, m)
	default:
		n.Ignore(from, "no such message")
	}
}

// end forgets both roles: the task layer has ended the attempt at this node.
func (n *node) end() {
	if n.Runs() {
		n.Event(EventKill, protocol.NodeID{}, 0, "")
	}
	n.Event(EventEnd, protocol.NodeID{}, 0, "")
	n.State = State{Self: n.Self, Ended: true}
}

// send sends a message. One to the node itself stays in the step.
func (n *node) send(to protocol.NodeID, m Message) { n.SendOrKeep(n.Self, to, m) }
