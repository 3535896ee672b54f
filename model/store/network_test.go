package store_test

import (
	"slices"

	"pgregory.net/rapid"

	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// network is a network of nodes of package protocol/store, with a driver that reports to a
// recorder.
type network struct {
	t      *rapid.T
	cfg    store.Config
	nodes  []*process
	net    []store.Envelope
	rec    *storemodel.Recorder
	time   int64
	events map[string]int
	ids    uint32
}

// process is a place where a node runs, with the data that its driver holds for it.
type process struct {
	up     bool
	state  store.State
	timers []protocol.Timer
}

func newNetwork(t *rapid.T, cfg store.Config, events map[string]int, watched ...space.Point) *network {
	return &network{t: t, cfg: cfg, rec: storemodel.NewRecorder(watched...), events: events}
}

// number draws a number below n evenly: rapid's own numbers are mostly small ones, with which all
// walks are alike.
func (w *network) number(n int) int { return even.Draw(w.t, "pick") % n }

var even = rapid.Custom(func(t *rapid.T) int {
	v := 0
	for range 8 {
		v <<= 1
		if rapid.Bool().Draw(t, "bit") {
			v++
		}
	}
	return v
})

func (w *network) running(id protocol.NodeID) bool {
	p := w.nodes[id.Address]
	return p.up && !p.state.Finished()
}

func (w *network) step(p *process, in store.Input) {
	w.time++
	before := p.state.ID()
	state, out := store.Step(&w.cfg, p.state, in)
	p.state = state
	if before.Incarnation != 0 {
		w.rec.Step(w.time, before, p.state, out.Events)
	}
	for _, e := range out.Events {
		w.events[e.Name]++
	}
	w.net = append(w.net, out.Send...)
	p.timers = slices.DeleteFunc(p.timers, func(t protocol.Timer) bool { return slices.Contains(out.Cancel, t) })
	for _, set := range out.Set {
		if !slices.Contains(p.timers, set.Timer) {
			p.timers = append(p.timers, set.Timer)
		}
	}
}

func (w *network) add(coord space.Point) *process {
	p := &process{up: true, state: store.New(protocol.Address(len(w.nodes)), coord)}
	w.nodes = append(w.nodes, p)
	w.step(p, store.Input{Kind: protocol.Start})
	return p
}

func (w *network) command(p *process, o store.Command) {
	w.step(p, store.Input{Kind: protocol.Command, Command: o})
}

// join adds a node whose contact is the first member. Without a member it creates the map, unless a
// node joins whose contact is gone: the grant of that contact may still be in flight, and there
// would be two maps.
func (w *network) join(coord space.Point) {
	command := can.Command{Kind: can.CommandCreate}
	if q := w.first(can.Member); q != nil {
		command = can.Command{Kind: can.CommandJoin, Contact: q.state.ID()}
	} else if w.first(can.Joining) != nil {
		return
	}
	w.command(w.add(coord), store.CommandMap(command))
}

// first is the first running node in a phase, or nil.
func (w *network) first(phase can.Phase) *process {
	for _, p := range w.nodes {
		if p.up && p.state.CAN.Phase == phase {
			return p
		}
	}
	return nil
}

func (w *network) call(p *process, op store.Operation) {
	w.ids++
	op.ID = w.ids
	w.time++
	w.rec.Call(w.time, p.state.ID(), op)
	w.command(p, store.CommandOperation(op))
}

func (w *network) crash(p *process) {
	w.time++
	w.rec.Crash(w.time, p.state.ID())
	p.up, p.timers = false, nil
}

func (w *network) hand(e store.Envelope) {
	if w.running(e.To) {
		w.step(w.nodes[e.To.Address], store.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}
}

func (w *network) deliver(i int) {
	e := w.net[i]
	w.net = slices.Delete(w.net, i, i+1)
	w.hand(e)
}

// fire lets a timer go off, unless it would take a node that runs for failed: only about the
// receiver of a request may it be wrong.
func (w *network) fire(p *process, t protocol.Timer) {
	hands := slices.ContainsFunc(p.state.Awaits, func(a store.Await) bool { return a.From == t.Peer }) ||
		slices.ContainsFunc(p.state.Gifts, func(g store.Gift) bool { return g.To == t.Peer })
	if (t.Kind == can.MissedTimer || t.Kind == store.GoneTimer && hands) && w.running(t.Peer) {
		return
	}
	p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	w.step(p, store.Input{Kind: protocol.Timeout, Timer: t})
}

// settle runs the network fairly until nothing is pending.
func (w *network) settle() bool {
	for range 60 {
		w.drain()
		if !slices.ContainsFunc(w.nodes, func(p *process) bool { return p.up && w.waits(p) }) {
			return true
		}
		for _, kind := range []protocol.TimerKind{
			can.MissedTimer, can.ProposeTimer, can.ResendTimer, can.UpdateTimer, can.RetryTimer, store.GoneTimer,
			store.ResendTimer, store.RetryTimer,
		} {
			for _, p := range w.nodes {
				for _, t := range slices.Clone(p.timers) {
					gone := kind == can.MissedTimer || kind == store.GoneTimer
					if t.Kind == kind && slices.Contains(p.timers, t) && !(gone && w.running(t.Peer)) {
						w.fire(p, t)
						w.drain()
					}
				}
			}
		}
	}
	return false
}

// waits reports whether something is left to be done at a node: a change, a handover, an operation,
// a hole to be noticed.
func (w *network) waits(p *process) bool {
	s := &p.state
	gone := slices.ContainsFunc(
		p.timers,
		func(t protocol.Timer) bool { return t.Kind == can.MissedTimer && !w.running(t.Peer) },
	)
	leaves := s.CAN.Phase == can.Member && s.CAN.Leave
	return gone || leaves || s.CAN.Busy() || len(s.Pending)+len(s.Gifts)+len(s.Awaits) > 0 || s.CAN.Phase == can.Joining
}

func (w *network) drain() {
	for len(w.net) > 0 {
		w.deliver(0)
	}
}
