package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node of the store: it answers an input with the next state and the effects that the
// driver must carry out. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch {
	case in.Kind == protocol.Restart:
		n.restart(in)
	case in.Kind == protocol.Command && !in.Command.Map:
		n.begin(in.Command.Operation)
	case in.Kind == protocol.Deliver:
		n.deliver(in.From, in.Message)
	case in.Kind == protocol.Timeout && in.Timer.Kind >= RetryTimer:
		n.onTimeout(in.Timer)
	default:
		n.drive(can.Input{Kind: in.Kind, Timer: in.Timer, Command: in.Command.Change, Choice: in.Choice})
	}
	n.settle(&s)
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

// drive steps the map and reacts to the change of the node's zone.
func (n *node) drive(in can.Input) {
	before := n.CAN
	after, out := can.Step(&n.cfg.CAN, before, in)
	n.CAN = after
	n.Out.Persist, n.Out.Cancel, n.Out.Set = out.Persist, out.Cancel, out.Set
	n.Out.Measure, n.Out.Choose = out.Measure, out.Choose
	n.Out.Events = append(n.Out.Events, out.Events...)
	for _, e := range out.Send {
		n.send(e.To, Map{e.Message})
	}
	if before.Self.Zone != after.Self.Zone {
		n.Event(EventZone, n.ID(), after.Self.Version, "")
		n.yield(&before)
		n.gain(&before, in)
	}
}

// restart begins a new incarnation: nothing of the earlier one remains.
func (n *node) restart(in Input) {
	former := n.ID()
	n.drive(can.Input{Kind: protocol.Restart, Persisted: in.Persisted})
	if n.ID() != former {
		n.State = State{CAN: n.CAN}
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m := m.(type) {
	case Map:
		n.drive(can.Input{Kind: protocol.Deliver, From: from, Message: m.Message})
	case Request:
		n.onRequest(from, m)
	case Reply:
		n.onReply(from, m)
	case Give:
		n.onGive(from, m)
	case GiveOK:
		n.onGiveOK(from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch t.Kind {
	case RetryTimer:
		n.onRetry()
	case ResendTimer:
		n.sendGifts(func(Gift) bool { return true })
	case GoneTimer:
		n.onFailed(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// settle takes all actions that the step made possible: it sends handovers that became complete,
// ends operations that cannot go on, and reports when a leaver has nothing left to do.
func (n *node) settle(before *State) {
	n.Awaits = slices.DeleteFunc(n.Awaits, func(a Await) bool { return !n.concerns(a) })
	due := func(s *State, g Gift) bool {
		i := slices.IndexFunc(s.Gifts, func(h Gift) bool { return h.To == g.To && h.Round == g.Round })
		return i >= 0 && s.due(s.Gifts[i])
	}
	n.sendGifts(func(g Gift) bool { return !due(before, g) })
	n.giveUpPending()
	if n.Finished() && !before.Finished() {
		n.Event(EventFinished, n.ID(), 0, "")
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.ID(), to, m) }
