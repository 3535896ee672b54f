package lease

import "github.com/canvass-grid/canvass/protocol"

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node: it answers an input with the next state and the effects that the driver must
// carry out. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch {
	case in.Kind == protocol.Start:
		n.State = New(s.Self.Address)
		n.start(1)
	case in.Kind == protocol.Restart:
		n.restart(in.Persisted)
	case n.Phase == Unstarted:
		n.Ignore(in.From, "the node was not started")
	case in.Kind == protocol.Chosen:
		n.asHolder().onDrawn(in.Choice)
	case in.Kind == protocol.Command:
		n.onCommand(in.Command)
	case in.Kind == protocol.Deliver:
		n.deliver(in.From, in.Message)
	case in.Kind == protocol.Timeout:
		n.onTimeout(in.Timer)
	default:
		n.Ignore(in.From, "no such input")
	}
	for n.Keeps() { // holder and witness are both here
		n.deliver(n.Self, n.Next())
	}
	n.setTimers(&s, in)
	if n.durable {
		n.Out.Persist = appendDurable(nil, &n.State)
	}
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
	afresh  []protocol.Timer
	durable bool // the durable part has changed
}

func (n *node) asHolder() holder   { return holder{n} }
func (n *node) asWitness() witness { return witness{n} }

func (n *node) start(incarnation uint16) {
	n.Self.Incarnation = incarnation
	n.Phase = Drawing
	n.durable = true
	n.Out.Choose = n.cfg.Nonces
}

// restart begins a new incarnation from the durable part of the witness. Until the grace is over,
// grants of its earlier incarnations may be in force, except those to its own address.
func (n *node) restart(persisted []byte) {
	s, err := decodeDurable(persisted)
	if err != nil || s.Self.Address != n.Self.Address || s.Self.Incarnation == 0 || s.Self.Incarnation == 1<<16-1 {
		n.Ignore(n.Self, "the persisted identity cannot be used")
		return
	}
	n.State = s
	for _, l := range n.Witness.Lives {
		n.Witness.Grace = n.Witness.Grace || l.Address != n.Self.Address && l.Incarnation > 0
	}
	n.start(s.Self.Incarnation + 1)
}

func (n holder) onDrawn(choice uint32) {
	if n.Phase != Drawing || choice >= n.cfg.Nonces {
		n.Ignore(n.Self, "nothing to draw")
		return
	}
	n.Nonce = choice
	n.look()
	n.askAll(Message{Kind: Look, Nonce: n.Nonce})
}

func (n *node) onCommand(c Command) {
	switch c.Kind {
	case CommandAsk:
		n.ask(c.Node)
	case CommandEntered:
		n.asHolder().onEntered()
	case CommandRegrid:
		n.asWitness().regrid()
	default:
		n.Ignore(n.Self, "no such command")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	if m.Kind >= Look && m.Kind <= Ask {
		n.asWitness().serve(from, m)
		return
	}
	w := n.cfg.witness(from.Address)
	switch {
	case w < 0:
		n.Ignore(from, "not from a witness")
	case m.Kind == Promised:
		n.asHolder().onPromised(w, from, m.Generation)
	case m.Kind == Granted:
		n.asHolder().onGranted(w, from, m)
	case m.Kind == Refused:
		n.asHolder().onRefused(w, from, m)
	case m.Kind == Verdict:
		n.onVerdict(w, from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch {
	case t == Timer(ResendTimer) && n.isWaiting():
		n.asHolder().resend()
	case t == Timer(RoundTimer) && n.Settled:
		n.asHolder().beginRound()
	case n.isOpen(t):
		n.asHolder().onExpired()
	case t == Timer(AskTimer) && len(n.Asks) > 0:
		n.resendAsks()
	case t == Timer(GraceTimer) && n.Witness.Grace:
		n.Witness.Grace = false
	case t == Timer(BehindTimer) && n.Witness.Behind:
		n.Witness.Behind = false
	case t.Kind == GrantTimer && n.asWitness().grantOf(t.Peer) >= 0:
		n.asWitness().lapse(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

// askAll sends a message to all witnesses.
func (n holder) askAll(m Message) {
	for w := range n.cfg.Witnesses {
		n.toWitness(w, m)
	}
}

// toWitness sends a message to any incarnation of a witness.
func (n *node) toWitness(w int, m Message) {
	to := protocol.NodeID{Address: n.cfg.Witnesses[w]}
	if to.Address == n.Self.Address {
		to = n.Self
	}
	n.send(to, m)
}

// send sends a message. One to the node itself stays in the step.
func (n *node) send(to protocol.NodeID, m Message) { n.SendOrKeep(n.Self, to, m) }
