package drive

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Node is one core under a driver. S is the core's type of states, M of messages, C of commands.
type Node[S, M, C any] struct {
	step    func(S, protocol.Input[M, C]) (S, protocol.Output[M])
	self    func(S) protocol.NodeID
	effects Effects[M]

	state     S
	running   bool
	obeying   bool // an output is being obeyed
	pending   []protocol.Timer
	measuring []protocol.NodeID
}

// New returns a node that does not run. Step is the core, and self reads a node's identity from its
// state.
func New[S, M, C any](
	step func(S, protocol.Input[M, C]) (S, protocol.Output[M]),
	self func(S) protocol.NodeID,
	effects Effects[M],
) *Node[S, M, C] {
	return &Node[S, M, C]{step: step, self: self, effects: effects}
}

// Start begins an incarnation in the state that the process was made with. Persisted has the bytes
// that the last incarnation persisted; nil means that it is the first. Start reports false if the
// node runs already.
func (n *Node[S, M, C]) Start(made S, persisted []byte) bool {
	if n.running {
		return false
	}
	in := protocol.Input[M, C]{Kind: protocol.Start}
	if persisted != nil {
		in = protocol.Input[M, C]{Kind: protocol.Restart, Persisted: persisted}
	}
	n.Resume(made, nil)
	n.feed(in)
	return true
}

// Resume puts the node into the middle of an incarnation: a state, and the timers that are pending
// in it. No step is taken.
func (n *Node[S, M, C]) Resume(state S, pending []protocol.Timer) {
	n.requireIdle()
	n.state, n.running = state, true
	n.pending, n.measuring = slices.Clone(pending), nil
}

// Stop ends the incarnation: no input reaches the core, and the rest of an output under way is not
// carried out. The last state can still be read.
func (n *Node[S, M, C]) Stop() { n.running, n.pending, n.measuring = false, nil, nil }

// Deliver hands over an envelope, if it is addressed to the incarnation that runs.
func (n *Node[S, M, C]) Deliver(e protocol.Envelope[M]) bool {
	if !n.running || n.ID() != e.To {
		return false
	}
	n.feed(protocol.Input[M, C]{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	return true
}

// Fire lets a timer go off, if it is pending.
func (n *Node[S, M, C]) Fire(t protocol.Timer) bool {
	i := slices.Index(n.pending, t)
	if i < 0 {
		return false
	}
	n.pending = slices.Delete(n.pending, i, i+1)
	n.feed(protocol.Input[M, C]{Kind: protocol.Timeout, Timer: t})
	return true
}

// Measured ends a measurement of a peer, if one is under way.
func (n *Node[S, M, C]) Measured(peer protocol.NodeID, measure uint32) bool {
	i := slices.Index(n.measuring, peer)
	if i < 0 {
		return false
	}
	n.measuring = slices.Delete(n.measuring, i, i+1)
	n.feed(protocol.Input[M, C]{Kind: protocol.Measured, From: peer, Measure: measure})
	return true
}

// Command passes on a command of the application, if the node runs.
func (n *Node[S, M, C]) Command(c C) bool {
	if !n.running {
		return false
	}
	n.feed(protocol.Input[M, C]{Kind: protocol.Command, Command: c})
	return true
}

// State returns the state, which is the last one if the node does not run.
func (n *Node[S, M, C]) State() S { return n.state }

// ID returns the identity, which is that of the last incarnation if the node does not run.
func (n *Node[S, M, C]) ID() protocol.NodeID { return n.self(n.state) }

// Running reports whether the node runs.
func (n *Node[S, M, C]) Running() bool { return n.running }

// Pending returns the pending timers in the order in which they were set. A timer that was pending
// when it was set again keeps its place.
func (n *Node[S, M, C]) Pending() []protocol.Timer { return slices.Clone(n.pending) }

// Measuring returns the nodes whose measurement is under way, in the order of the requests.
func (n *Node[S, M, C]) Measuring() []protocol.NodeID { return slices.Clone(n.measuring) }

// feed takes one step, and a step more for each answer to a question.
func (n *Node[S, M, C]) feed(in protocol.Input[M, C]) {
	n.requireIdle()
	for asked := true; asked && n.running; {
		state, out := n.step(n.state, in)
		n.state, n.obeying = state, true
		choice := n.obey(out)
		n.obeying = false
		in, asked = protocol.Input[M, C]{Kind: protocol.Chosen, Choice: choice}, out.Choose > 0
	}
}

func (n *Node[S, M, C]) requireIdle() {
	if n.obeying {
		panic("drive: an input came while the output of another was obeyed")
	}
}
