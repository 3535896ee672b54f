package can

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
		n.start(1)
	case protocol.Restart:
		n.restart(in.Persisted)
	case protocol.Command:
		n.command(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.timeout(in.Timer)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	n.settle()
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
	requested bool // a request was accepted in this step
}

func (n *node) asProposer() proposer { return proposer{n} }

func (n *node) deliver(from protocol.NodeID, m Message) {
	if n.Phase == Outside || n.Phase == Departed || from == n.Self.ID {
		n.Ignore(from, "not in the network, or to itself")
		return
	}
	switch m := m.(type) {
	case Join:
		n.join(m)
		return
	case Refuse:
		n.refused(from)
		return
	case Handover:
		n.handover(from, m)
		return
	}
	if n.Phase != Member {
		n.Ignore(from, "not a member")
		return
	}
	switch m := m.(type) {
	case Propose:
		n.propose(from, m.Instance)
	case ProposeOK:
		n.asProposer().proposeOK(from, m)
	case Commit:
		n.commit(from, m)
	case Update:
		n.update(from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) timeout(t protocol.Timer) {
	if !slices.Contains(n.Timers(), t) {
		n.Ignore(t.Peer, "the timer is not pending")
		return
	}
	switch t.Kind {
	case RetryTimer:
		n.retry()
	case ProposeTimer:
		n.asProposer().proposeTimeout(t.Peer)
	case UpdateTimer:
		n.sendUpdates()
	case MissedTimer:
		n.failed(t.Peer)
	}
}

// settle keeps the entries that the paper keeps: the direct and the indirect neighbours, and
// unknown nodes with an outstanding command. A node without a zone has no neighbours.
func (n *node) settle() {
	if n.Phase != Member {
		n.Nodes, n.Replies, n.Gone, n.Gamma = nil, nil, nil, Gamma{}
		return
	}
	near := ids(neighbourhood(n.Self.Zone, n.Known()))
	var kept []Entry
	for _, e := range n.Nodes {
		if slices.Contains(near, e.ID) || e.Zone.Empty() && e.Status == Busy {
			kept = append(kept, e)
		}
	}
	n.Nodes = kept
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.Self.ID, to, m) }
