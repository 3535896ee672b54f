package refine

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
		n.Client.Phase = ClientWait
	case protocol.Command:
		n.near(in.Command.Near)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.timeout(in.Timer)
	case protocol.Measured:
		n.measured(in.From, in.Measure)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	for n.Keeps() {
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

// send sends a message. One to the node itself arrives within the step.
func (n *node) send(to protocol.NodeID, m Message) { n.SendOrKeep(n.Self, to, m) }

func (n *node) deliver(from protocol.NodeID, m Message) {
	switch m.Kind {
	case Solicit:
		n.solicited(from, m.Sought)
	case Update:
		n.updated(from, m)
	case Confirm:
		n.confirmed(from, m)
	case Deny:
		n.denied(from)
	case Accept, Reject, Defer:
		n.answered(from, m.Kind)
	case Report:
		n.reported(from, m.Latencies)
	default:
		n.Ignore(from, "no such message")
	}
}

// measured gives a measurement to both halves.
func (n *node) measured(peer protocol.NodeID, micros uint32) {
	client, head := slices.Contains(n.Client.Awaited, peer), slices.Contains(n.Head.Awaited, peer)
	if !client && !head {
		n.Ignore(peer, "nobody waits for this measurement")
		return
	}
	n.Event(EventMeasured, peer, micros, "")
	if client {
		n.clientMeasured(peer, micros)
	}
	if head {
		n.headMeasured(peer, micros)
	}
}

// The timers.
const (
	CollectTimer protocol.TimerKind = iota + 1 // no new information: the network is stable
	WaitTimer                                  // no new solicitation
	DeferTimer                                 // per client: the "later time" of a deferred solicitation
	FaultTimer                                 // per head: "a fault is detected by timing out"
)

func (n *node) timeout(t protocol.Timer) {
	if !slices.Contains(n.Timers(), t) {
		n.Ignore(t.Peer, "the timer is not pending")
		return
	}
	switch t.Kind {
	case CollectTimer:
		n.collected()
	case WaitTimer:
		n.waited()
	case DeferTimer:
		n.solicitAgain(t.Peer)
	case FaultTimer:
		n.Event(EventFailed, t.Peer, 0, "")
		n.abandon(t.Peer)
	}
}

// Timers returns the timers that are pending in this state, in a fixed order.
func (s *State) Timers() []protocol.Timer {
	var timers []protocol.Timer
	if s.Head.Phase == HeadCollect {
		timers = append(timers, protocol.Timer{Kind: CollectTimer})
	}
	if s.Client.Phase == ClientWait {
		timers = append(timers, protocol.Timer{Kind: WaitTimer})
	}
	if s.Head.Phase == HeadSolicit {
		for _, id := range s.Head.answered(Deferred) {
			timers = append(timers, protocol.Timer{Kind: DeferTimer, Peer: id})
		}
	}
	for _, r := range s.Client.Suitors {
		if t := (protocol.Timer{Kind: FaultTimer, Peer: r.Head}); r.Committed && r.Head != s.Self &&
			!slices.Contains(timers, t) {
			timers = append(timers, t)
		}
	}
	return timers
}

// setTimers turns the difference between the timers pending before the step and those pending after
// it into outputs. New information starts the CollectTimer afresh, a solicitation the WaitTimer.
func (n *node) setTimers(before *State, in Input) {
	var pending []protocol.Timer
	if in.Kind != protocol.Start {
		pending = before.Timers()
	}
	wanted := n.Timers()
	for _, t := range pending {
		if !slices.Contains(wanted, t) {
			n.Out.Cancel = append(n.Out.Cancel, t)
		}
	}
	for _, t := range wanted {
		fired := in.Kind == protocol.Timeout && t == in.Timer
		informed := in.Kind == protocol.Command && t.Kind == CollectTimer
		asked := in.Kind == protocol.Deliver && in.Message.Kind == Solicit && t.Kind == WaitTimer
		alive := in.Kind == protocol.Deliver && t == protocol.Timer{Kind: FaultTimer, Peer: in.From}
		if fired || informed || asked || alive || !slices.Contains(pending, t) {
			ticks := n.ticks(t.Kind)
			n.Out.Set = append(n.Out.Set, protocol.SetTimer{Timer: t, MinTicks: ticks, MaxTicks: ticks})
		}
	}
}

func (n *node) ticks(k protocol.TimerKind) uint32 {
	return [...]uint32{0, n.cfg.CollectTicks, n.cfg.WaitTicks, n.cfg.DeferTicks, n.cfg.FaultTicks}[k]
}

// The names of this core's events. The comments define Peer and Number.
const (
	EventRound    = "round"    // the head entered SOLICIT; Number: the round
	EventSteady   = "steady"   // the head entered STEADY; Number: the round
	EventMeasured = "measured" // Peer was measured; Number: microseconds
	EventAccept   = "accept"   // the client sent an accept message to Peer
	EventCommit   = "commit"   // the client had the final confirmation of Peer
	EventFailed   = "failed"   // the client suspects Peer
	EventIgnore   = "ignore"   // the input changed nothing; Peer: sender, Detail: why
)
