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
	case in.Kind == protocol.Restart: // a role does not outlive the life of its node
		n.State = State{Self: s.Self, Ended: true}
	case n.Ended:
		n.ignore(in.From, "the attempt has ended here")
	case in.Kind == protocol.Command:
		n.command(in.Command)
	case in.Kind == protocol.Deliver:
		n.deliver(in.From, in.Message)
	case in.Kind == protocol.Timeout && in.Timer.Kind == ResendTimer:
		n.out.Send = append(n.out.Send, n.unanswered()...)
	default:
		n.ignore(in.From, "no such input")
	}
	for len(n.own) > 0 { // both roles are here
		m := n.own[0]
		n.own = n.own[1:]
		n.deliver(n.Self, m)
	}
	n.setTimers(&s, in)
	return n.State, n.out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	own []Message // to itself
	out Output
}

func (n *node) command(c Command) {
	switch c.Kind {
	case CommandHost:
		n.host(c)
	case CommandUnfit:
		n.ends(Status{Cause: Unfit})
	case CommandKeep:
		n.keep(Status{Cause: Exited, Code: c.Code, Signal: c.Signal})
	case CommandKept:
		n.kept(c.Kept)
	case CommandLost:
		n.ends(Status{Cause: Lost})
	case CommandExited:
		if !n.Runs() {
			n.ignore(n.Self, "no process runs here")
			return
		}
		n.ends(Status{Cause: Exited, Code: c.Code, Signal: c.Signal})
	case CommandRepresent:
		n.represent(c)
	case CommandPermit:
		n.permit(c.Granted)
	case CommandHalt:
		n.haltAll(c.Reason)
	case CommandDeposited:
		n.deposited()
	case CommandEnd:
		n.end()
	default:
		n.ignore(n.Self, "no such command")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m.Kind {
	case Go, Halt, Noted, Finish:
		if from != n.Host.Rep {
			n.ignore(from, "not from the representative of this host")
			return
		}
		n.obey(m)
	case Here, Going, Exit, Closed:
		i := n.rankOf(from)
		if i < 0 {
			n.ignore(from, "not from a host of this representative")
			return
		}
		n.gather(i, m)
	default:
		n.ignore(from, "no such message")
	}
}

// end forgets both roles: the task layer has ended the attempt at this node.
func (n *node) end() {
	if n.Runs() {
		n.event(EventKill, protocol.NodeID{}, 0, "")
	}
	n.event(EventEnd, protocol.NodeID{}, 0, "")
	n.State = State{Self: n.Self, Ended: true}
}

// send sends a message. One to the node itself stays in the step.
func (n *node) send(to protocol.NodeID, m Message) {
	if to == n.Self {
		n.own = append(n.own, m)
		return
	}
	n.out.Send = append(n.out.Send, Envelope{From: n.Self, To: to, Message: m})
}

func (n *node) event(name string, peer protocol.NodeID, number uint32, detail string) {
	n.out.Events = append(n.out.Events, protocol.Event{Name: name, Peer: peer, Number: number, Detail: detail})
}

// ignore notes that an input changed nothing, and why.
func (n *node) ignore(peer protocol.NodeID, reason string) { n.event(EventIgnore, peer, 0, reason) }
