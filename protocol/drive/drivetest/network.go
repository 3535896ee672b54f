package drivetest

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive"
)

// Network is a deterministic network in memory. S is the core's type of states, M of messages, C of
// commands. The fields may be set before the first node starts.
type Network[S, M, C any] struct {
	Core protocol.Core[S, M, C]
	Self func(S) protocol.NodeID

	// Optional.
	Ended   func(S) bool                           // the node has left for good, though its process may run on
	Lingers bool                                   // messages still reach a node that has ended
	Choose  func(n uint32) uint32                  // answers Output.Choose; nil answers 0
	Latency func(from, to protocol.Address) uint32 // result of a measurement; nil: 0
	Picture func(*Process[S, M, C]) []byte         // the value that Settle compares; nil: the encoded states

	// Observers, optional as well.
	Log       func(Entry)
	EventText func(protocol.Event) string // how the log writes an event; no line if empty
	OnEvent   func(*Process[S, M, C], protocol.Event)
	OnStep    func(*Process[S, M, C]) // after the output of a step was obeyed

	Nodes    []*Process[S, M, C]    // by address
	InFlight []protocol.Envelope[M] // in the order in which they were sent
	Events   map[string]int         // how often each event was seen
	Broken   error                  // the first property that was violated
}

// Process is an address at which a node runs, incarnation after incarnation, with its disk.
type Process[S, M, C any] struct {
	*drive.Node[S, M, C]
	Address protocol.Address
	Made    S      // the state in which each incarnation starts
	Disk    []byte // persisted bytes of the last incarnation

	network *Network[S, M, C]
}

// New returns a network without nodes. Self reads a node's identity from its state.
func New[S, M, C any](core protocol.Core[S, M, C], self func(S) protocol.NodeID) *Network[S, M, C] {
	return &Network[S, M, C]{Core: core, Self: self, Events: map[string]int{}}
}

// Add adds a process at the next address. Its node does not run yet.
func (w *Network[S, M, C]) Add(made S) *Process[S, M, C] {
	p := &Process[S, M, C]{Address: protocol.Address(len(w.Nodes)), Made: made, network: w}
	p.Node = drive.New(p.step, w.Self, drive.Effects[M](effects[S, M, C]{p}))
	p.Resume(made, nil)
	p.Stop()
	w.Nodes = append(w.Nodes, p)
	return p
}

// At returns the process at the address of an identity, in any incarnation.
func (w *Network[S, M, C]) At(id protocol.NodeID) *Process[S, M, C] { return w.Nodes[id.Address] }

// Running reports whether this very incarnation runs and has not ended.
func (w *Network[S, M, C]) Running(id protocol.NodeID) bool {
	return int(id.Address) < len(w.Nodes) && w.At(id).live() && w.At(id).ID() == id
}

// Live returns the processes whose nodes run and have not ended.
func (w *Network[S, M, C]) Live() []*Process[S, M, C] {
	return w.Having(func(p *Process[S, M, C]) bool { return p.live() })
}

// Having returns the processes that run and satisfy a condition.
func (w *Network[S, M, C]) Having(holds func(*Process[S, M, C]) bool) []*Process[S, M, C] {
	var found []*Process[S, M, C]
	for _, p := range w.Nodes {
		if p.Node.Running() && holds(p) {
			found = append(found, p)
		}
	}
	return found
}

// Start begins the first or a later incarnation of a process. A node that has ended is stopped
// first.
func (w *Network[S, M, C]) Start(p *Process[S, M, C]) {
	w.Note("start", "%v", protocol.NodeID{Address: p.Address, Incarnation: 1})
	p.Stop()
	p.Node.Start(p.Made, p.Disk)
	w.stepped(p)
}

// Crash ends an incarnation. Its persisted bytes stay.
func (w *Network[S, M, C]) Crash(p *Process[S, M, C]) {
	w.Note("crash", "%v", p.ID())
	p.Stop()
}

// Command passes on a command of the application. The node must run.
func (w *Network[S, M, C]) Command(p *Process[S, M, C], c C) {
	w.Note("command", "%v: %v", p.ID(), text(func() string { return w.Core.CommandText(c) }))
	must(p.Node.Command(c), "the node does not run")
	w.stepped(p)
}

// Fire lets a timer go off, which must be pending.
func (w *Network[S, M, C]) Fire(p *Process[S, M, C], t protocol.Timer) {
	w.Note("timeout", "%v %s", p.ID(), w.Core.TimerText(t))
	must(p.Node.Fire(t), "the timer is not pending")
	w.stepped(p)
}

// Measure ends a measurement of a peer, which must be under way.
func (w *Network[S, M, C]) Measure(p *Process[S, M, C], peer protocol.NodeID) {
	latency := uint32(0)
	if w.Latency != nil {
		latency = w.Latency(p.Address, peer.Address)
	}
	w.Note("measured", "%v->%v %d", p.ID(), peer, latency)
	must(p.Measured(peer, latency), "the peer is not being measured")
	w.stepped(p)
}

// Deliver takes a message from the network and hands it over.
func (w *Network[S, M, C]) Deliver(i int) { w.Hand(w.take(i)) }

// Lose drops a message.
func (w *Network[S, M, C]) Lose(i int) {
	e := w.take(i)
	w.Note("lose", "%v<-%v %v", e.To, e.From, w.message(e.Message))
}

// Duplicate delivers a copy of a message, which stays in the network.
func (w *Network[S, M, C]) Duplicate(i int) {
	w.Note("copy", "")
	w.Hand(w.InFlight[i])
}

// Hand delivers an envelope: one from the network, or a copy. It is lost if the receiver does not
// run any more.
func (w *Network[S, M, C]) Hand(e protocol.Envelope[M]) {
	if !w.reaches(e.To) {
		w.Note("lost", "%v<-%v %v", e.To, e.From, w.message(e.Message))
		return
	}
	w.Note("deliver", "%v<-%v %v", e.To, e.From, w.message(e.Message))
	must(w.At(e.To).Node.Deliver(e), "the receiver does not run")
	w.stepped(w.At(e.To))
}

// reaches reports whether a message to this incarnation finds it.
func (w *Network[S, M, C]) reaches(to protocol.NodeID) bool {
	if !w.Lingers {
		return w.Running(to)
	}
	return int(to.Address) < len(w.Nodes) && w.At(to).Node.Running() && w.At(to).ID() == to
}

// Violated records that a property does not hold. The first one is kept.
func (w *Network[S, M, C]) Violated(format string, args ...any) {
	if w.Broken == nil {
		w.Broken = fmt.Errorf(format, args...)
		w.Note("VIOLATED", "%v", w.Broken)
	}
}

// must panics if an input did not reach the core: then a test would test nothing.
func must(reached bool, why string) {
	if !reached {
		panic("drivetest: " + why)
	}
}

func (w *Network[S, M, C]) take(i int) protocol.Envelope[M] {
	e := w.InFlight[i]
	w.InFlight = slices.Delete(w.InFlight, i, i+1)
	return e
}

func (w *Network[S, M, C]) stepped(p *Process[S, M, C]) {
	if w.OnStep != nil {
		w.OnStep(p)
	}
}

func (p *Process[S, M, C]) live() bool {
	return p.Node.Running() && (p.network.Ended == nil || !p.network.Ended(p.State()))
}

func (p *Process[S, M, C]) step(s S, in protocol.Input[M, C]) (S, protocol.Output[M]) {
	s, out := p.network.Core.Step(s, in)
	p.network.Note("state", "%v", text(func() string { return p.network.Core.StateText(s) }))
	return s, out
}
