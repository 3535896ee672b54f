package store_test

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// world is a network of nodes under a driver that keeps to the contract.
type world struct {
	cfg    *store.Config
	nodes  []*process
	net    []store.Envelope
	core   func(*store.Config, store.State, store.Input) (store.State, store.Output)
	log    func(line string) // may be nil
	broken error
}

// process is a place where a node runs, with what its driver holds for it.
type process struct {
	up        bool
	state     store.State
	timers    []protocol.Timer
	persisted []byte
}

func newConfig(sizes ...int32) *store.Config {
	s, err := space.New(false, sizes...)
	if err != nil {
		panic(err)
	}
	cfg := store.DefaultConfig(can.DefaultConfig(s))
	return &cfg
}

func newWorld(cfg *store.Config) *world { return &world{cfg: cfg, core: store.Step} }

// add starts a process at the next address.
func (w *world) add(coord space.Point) *process {
	p := &process{up: true, state: store.New(protocol.Address(len(w.nodes)), coord)}
	w.nodes = append(w.nodes, p)
	w.step(p, store.Input{Kind: protocol.Start})
	return p
}

// found adds nodes that join one after the other.
func (w *world) found(coords ...space.Point) {
	for _, c := range coords {
		p := w.add(c)
		o := can.Command{Kind: can.CommandJoin, Contact: w.nodes[0].state.ID()}
		if len(w.nodes) == 1 {
			o = can.Command{Kind: can.CommandCreate}
		}
		w.order(p, store.CommandMap(o))
		w.settle()
	}
}

func (w *world) at(id protocol.NodeID) *process { return w.nodes[id.Address] }

// running reports whether this very incarnation runs and has not ended.
func (w *world) running(id protocol.NodeID) bool {
	if int(id.Address) >= len(w.nodes) {
		return false
	}
	p := w.at(id)
	return p.up && p.state.ID() == id && !p.state.Finished()
}

func (w *world) note(format string, args ...any) {
	if w.log != nil {
		w.log(fmt.Sprintf(format, args...))
	}
}

func (w *world) order(p *process, o store.Command) {
	w.note("%v: %s", p.state.ID(), store.CommandText(w.cfg, o))
	w.step(p, store.Input{Kind: protocol.Command, Command: o})
}

func (w *world) fire(p *process, t protocol.Timer) {
	w.note("timeout %v %s", p.state.ID(), store.TimerText(t))
	p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	w.step(p, store.Input{Kind: protocol.Timeout, Timer: t})
}

func (w *world) crash(p *process) { p.up, p.timers = false, nil }

func (w *world) restart(p *process) {
	p.up, p.timers = true, nil
	w.step(p, store.Input{Kind: protocol.Restart, Persisted: p.persisted})
}

// deliver takes an envelope from the network and hands it over, if its receiver is still there.
func (w *world) deliver(i int) {
	e := w.net[i]
	w.net = slices.Delete(w.net, i, i+1)
	w.hand(e)
}

func (w *world) hand(e store.Envelope) {
	if !w.running(e.To) {
		w.note("lost %v<-%v %s", e.To, e.From, store.MessageText(w.cfg, e.Message))
		return
	}
	w.note("deliver %v<-%v %s", e.To, e.From, store.MessageText(w.cfg, e.Message))
	w.step(w.at(e.To), store.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
}

// step feeds an input to a node and obeys the output, in the order of the contract.
func (w *world) step(p *process, in store.Input) {
	state, out := w.core(w.cfg, p.state, in)
	p.state = state
	if out.Persist != nil {
		p.persisted = out.Persist
	}
	w.net = append(w.net, out.Send...)
	for _, t := range out.Cancel {
		p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	}
	for _, set := range out.Set {
		if !slices.Contains(p.timers, set.Timer) {
			p.timers = append(p.timers, set.Timer)
		}
	}
	for _, e := range out.Send {
		w.note("    send %v->%v %s", e.From, e.To, store.MessageText(w.cfg, e.Message))
	}
	for _, e := range out.Events {
		w.note("    event %v", e)
	}
	w.check()
}

// check holds the world to what must be true in every state.
func (w *world) check() {
	for _, p := range w.nodes {
		for _, it := range p.state.Items {
			if p.up && !p.state.CAN.Self.Zone.Contains(it.Key) && w.broken == nil {
				w.broken = fmt.Errorf("ItemsInside: %v holds %v", p.state.ID(), it)
				w.note("VIOLATED %v", w.broken)
			}
		}
	}
}

// settle drives the world fairly until nothing happens any more. Only nodes that run no more are
// found to be gone.
func (w *world) settle() bool {
	kinds := []protocol.TimerKind{
		can.MissedTimer, can.ProposeTimer, can.ResendTimer, can.UpdateTimer, can.RetryTimer,
		store.GoneTimer, store.ResendTimer, store.RetryTimer,
	}
	for range 40 {
		before := w.fingerprint()
		w.drain()
		for _, kind := range kinds {
			for _, p := range w.nodes {
				for _, t := range slices.Clone(p.timers) {
					missed := kind == can.MissedTimer || kind == store.GoneTimer
					if t.Kind == kind && slices.Contains(p.timers, t) && !(missed && w.running(t.Peer)) {
						w.fire(p, t)
						w.drain()
					}
				}
			}
		}
		if w.broken != nil || w.fingerprint() == before {
			return w.broken == nil
		}
	}
	return false
}

// drain delivers everything in the order in which it was sent.
func (w *world) drain() {
	for range 20000 {
		if len(w.net) == 0 {
			return
		}
		w.deliver(0)
	}
	panic("messages breed messages without end")
}

func (w *world) fingerprint() string {
	var b []byte
	for _, p := range w.nodes {
		b = store.AppendState(w.cfg, protocol.AppendBool(b, p.up), p.state)
	}
	return string(b)
}
