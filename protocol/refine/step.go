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
		n.onCommand(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.onTimeout(in.Timer)
	case protocol.Measured:
		n.onMeasured(in.From, in.Measure)
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

func (n *node) asHead() head     { return head{n} }
func (n *node) asClient() client { return client{n} }

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
	if !n.isRunning() {
		n.onMessageAfterwards(from, m)
		return
	}
	switch m := m.(type) {
	case Solicitation:
		n.asClient().onSolicitation(from, m)
	case Update:
		n.asClient().onUpdate(from, m)
	case List:
		n.asClient().onList(from, m)
	case Confirm:
		n.asClient().onConfirm(from, m)
	case Dismiss:
		n.asClient().onDismiss(from, m)
	case Accept:
		n.asHead().onAccept(from, m)
	case Deny:
		n.asHead().onDecline(from, m.Round, Denied)
	case Defer:
		n.asHead().onDecline(from, m.Round, Deferred)
	case Report:
		n.asHead().onReport(from, m)
	case Leave:
		n.asHead().onLeave(from, m)
	case Alive: // its arrival is all
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch t.Kind {
	case CollectTimer, RetryTimer:
		n.asHead().solicit()
	case WaitTimer:
		n.asClient().acceptSuitors()
	case MeasureTimer:
		n.onUnmeasured()
	case KeepTimer:
		n.keep()
	case MissedTimer:
		n.onFailed(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// settle makes the transitions of the head that need no further input.
func (n *node) settle() {
	if n.Head == Solicit && n.having(Asked) == 0 {
		n.asHead().filter()
	}
	if n.Head == Filter && n.asHead().isSurveyed() {
		n.asHead().conclude()
	}
	if n.Head == HeadSteady && (n.Again || n.having(Dropped) > 0 || n.having(Fresh) > 0 && n.size() < n.cfg.SizeBound) {
		n.Head = Collect
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.ID, to, m) }
