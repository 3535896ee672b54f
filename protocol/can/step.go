package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one CAN node: it answers an input with the next state and the effects that the driver
// must carry out. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch in.Kind {
	case protocol.Start:
		n.start(1)
	case protocol.Restart:
		n.restart(in.Persisted)
	case protocol.Command:
		n.onCommand(in.Command)
	case protocol.Chosen:
		n.onDrawn(in.Choice)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.onTimeout(in.Timer)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	n.prune()
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

func (n *node) asProposer() proposer       { return proposer{n} }
func (n *node) asParticipant() participant { return participant{n} }

func (n *node) deliver(from protocol.NodeID, m Message) {
	if m, ok := m.(Commit); ok && n.Phase == Departed {
		// It has executed the round. Its process may run on for a long time, and then no node would find
		// it failed.
		n.send(from, CommitOK{Round: m.Round})
		return
	}
	if n.Phase == Outside || n.Phase == Drawing || n.Phase == Departed {
		n.Ignore(from, "not in the network")
		return
	}
	switch m := m.(type) {
	case Join:
		n.onJoin(m)
	case Refuse:
		n.onRefuse(from, m)
	case Propose:
		n.asParticipant().onPropose(from, m)
	case ProposeOK:
		n.asProposer().onProposeOK(from, m)
	case Release:
		n.asParticipant().onRelease(from, m)
	case Commit:
		n.asParticipant().onCommit(from, m)
	case CommitOK:
		n.asProposer().onCommitOK(from, m)
	case Update:
		n.onUpdate(from, m)
	case Query:
		n.asParticipant().onQuery(from, m)
	case Answer:
		n.asParticipant().onAnswer(m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch t.Kind {
	case RetryTimer:
		n.retry()
	case ProposeTimer:
		n.asProposer().onProposeTimeout()
	case ResendTimer:
		n.resend()
	case UpdateTimer:
		n.sendUpdates()
	case MissedTimer:
		n.onFailed(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// prune drops records that do not matter any more: holes that are closed, and nodes outside of the
// neighbourhood, which are neither adjacent nor adjacent to an adjacent node.
func (n *node) prune() {
	if n.Phase != Member {
		n.Known = nil
		return
	}
	live := append(n.live().zones(), n.Self.Zone)
	n.Known = table(n.Known).where(func(r Record) bool { return !n.IsDead(r.ID) || !n.isClosed(r, live) })
	direct := table(n.Known).adjacentTo(n.Self.Zone).zones()
	n.Known = table(n.Known).where(func(r Record) bool {
		return touches(n.Self.Zone, r.Zone) || touchesAny(r.Zone, direct)
	})
}

// isClosed reports whether a hole does not concern this node any more. Either live nodes cover it,
// or live nodes lie between the hole and both this node and its direct neighbours. Then this node
// has no open share in it, and other nodes take what lies deeper.
func (n *node) isClosed(hole Record, live []space.Zone) bool {
	if space.Covered(hole.Zone, live) {
		return true
	}
	for _, r := range append(n.Direct(), n.Self) {
		if touches(r.Zone, hole.Zone) && !n.cfg.Space.BorderCovered(r.Zone, live) {
			return false
		}
	}
	return true
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.Self.ID, to, m) }

func (n *node) sendAll(to []protocol.NodeID, m Message) {
	for _, id := range to {
		n.send(id, m)
	}
}
