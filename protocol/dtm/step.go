package dtm

import "github.com/canvass-grid/canvass/protocol"

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node: it returns the next state and the output for an input. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch in.Kind {
	case protocol.Start:
		n.begin(1)
	case protocol.Restart:
		n.restart(in.Persisted)
	case protocol.Command:
		n.onCommand(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.onTimeout(in.Timer)
	case protocol.Measured:
		n.asJoiner().onMeasured(in.From, in.Measure)
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
	changed bool // its label or children have changed
}

func (n *node) asJoiner() joiner { return joiner{n} }
func (n *node) asLeaver() leaver { return leaver{n} }

// begin starts an incarnation.
func (n *node) begin(incarnation uint16) {
	n.State = State{ID: protocol.NodeID{Address: n.ID.Address, Incarnation: incarnation}}
	n.Out.Persist = protocol.AppendNodeID(nil, n.ID)
}

// restart starts the next incarnation. It keeps nothing of the former one but the identity.
func (n *node) restart(persisted []byte) {
	r := protocol.NewReader(persisted)
	id := r.NodeID()
	switch {
	case r.Close() != nil:
		n.Ignore(protocol.NodeID{}, "what was persisted does not read back")
	case id.Incarnation == 1<<16-1:
		n.Ignore(id, "no incarnations are left")
	default:
		n.ID = id
		n.begin(id.Incarnation + 1)
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	if n.Phase == Outside || n.Phase == Departed {
		n.Ignore(from, "not in the tree")
		return
	}
	if n.Phase == Joining {
		switch m := m.(type) {
		case Report:
			n.asJoiner().onReport(from, m)
		case Refuse:
			n.asJoiner().onRefuse(from, m)
		case Position:
			n.asJoiner().onAttached(from, m)
		default:
			n.Ignore(from, "not in the tree yet")
		}
		return
	}
	switch m := m.(type) {
	case Look:
		n.send(from, Report{Version: n.Version, View: View{Label: n.Label(), Children: n.Children(), Siblings: n.Siblings}})
	case Attach:
		n.onAttach(from, m)
	case Position:
		n.onPosition(from, m)
	case PositionOK:
		n.onPositionOK(from, m)
	case Leaving:
		n.onLeaving(from, m)
	case Consent:
		n.asLeaver().onConsent(from, m)
	case Object:
		n.asLeaver().onObject(from, m)
	case Release:
		n.onRelease(from, m)
	case Left:
		n.onLeft(from, m)
	case LeftOK:
		n.asLeaver().onLeftOK(from, m)
	case Claim:
		n.onClaim(from, m)
	case Aggregate:
		n.onAggregate(from, m)
	case AggregateOK:
		n.onAggregateOK(from, m)
	case Beat: // its arrival is all
	default:
		n.Ignore(from, "no such message, or it comes too late")
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch t.Kind {
	case AnswerTimer:
		n.asJoiner().onOverdue()
	case RetryTimer:
		n.onRetry()
	case KeepTimer:
		n.keep()
	case MissedTimer:
		n.onFailed(t.Peer)
	case HealTimer:
		n.onUnclaimed(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// settle makes the transitions that need no further input, and sends what has changed to the
// children.
func (n *node) settle() {
	if n.changed && n.Phase == Member {
		n.Version++
		for _, b := range n.Branches {
			if !b.Gone {
				n.send(b.Host, n.position())
			}
		}
	}
	n.asLeaver().goOn()
	if n.Phase == Member {
		n.relink()
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.ID, to, m) }
