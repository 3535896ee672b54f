package refine

import "github.com/canvass-grid/canvass/protocol"

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node, head and client: it returns the next state and the output for an input. It is
// pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch in.Kind {
	case protocol.Start:
		n.begin(1)
	case protocol.Restart:
		n.restart(in.Persisted)
	case protocol.Command:
		n.command(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.timeout(in.Timer)
	case protocol.Measured:
		n.measured(in.From, in.Measure)
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
	anew []protocol.Timer // timers that restart although they are pending
}

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
	if !n.runs() {
		n.afterwards(from, m)
		return
	}
	switch m := m.(type) {
	case Solicitation:
		n.solicited(from, m)
	case Update:
		n.updated(from, m)
	case List:
		n.listed(from, m)
	case Confirm:
		n.confirmed(from, m)
	case Dismiss:
		n.dismissed(from, m)
	case Accept:
		n.accepted(from, m)
	case Deny:
		n.declined(from, m.Round, Denied)
	case Defer:
		n.declined(from, m.Round, Deferred)
	case Report:
		n.reported(from, m)
	case Leave:
		n.left(from, m)
	case Alive: // its arrival is all
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) timeout(t protocol.Timer) {
	switch t.Kind {
	case CollectTimer, RetryTimer:
		n.solicit()
	case WaitTimer:
		n.answer()
	case MeasureTimer:
		n.unmeasured()
	case KeepTimer:
		n.keep()
	case MissedTimer:
		n.failed(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// settle makes the transitions of the head that need no further input.
func (n *node) settle() {
	if n.Head == Solicit && n.having(Asked) == 0 {
		n.filter()
	}
	if n.Head == Filter && n.surveyed() {
		n.conclude()
	}
	if n.Head == HeadSteady && (n.Again || n.having(Dropped) > 0 || n.having(Fresh) > 0 && n.size() < n.cfg.SizeBound) {
		n.Head = Collect
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.ID, to, m) }
