package refine_test

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// The latencies of the tests, in microseconds.
const (
	diameter = 100
	nearby   = 10
	distant  = 1000
)

// world is a grid of nodes under a driver that keeps to the contract: one input at a time, timers
// by name, measurements of the very incarnation that was asked for, envelopes to the one that they
// are addressed to.
type world struct {
	cfg   *refine.Config
	nodes []*process
	net   []refine.Envelope
	far   map[[2]protocol.Address]bool // pairs that are too far from each other, the smaller address first
	drift bool                         // latencies are no longer what they were when they were measured

	core   func(*refine.Config, refine.State, refine.Input) (refine.State, refine.Output)
	log    func(line string) // may be nil
	events map[string]int    // how often each event was seen
	broken error             // the first property that was broken
}

// process is a place where a node runs, with what its driver holds for it.
type process struct {
	address   protocol.Address
	up        bool
	state     refine.State
	timers    []protocol.Timer
	measuring []protocol.NodeID
	persisted []byte
}

func newWorld(cfg *refine.Config, nodes int) *world {
	w := &world{cfg: cfg, far: map[[2]protocol.Address]bool{}, core: refine.Step, events: map[string]int{}}
	for i := range nodes {
		w.nodes = append(w.nodes, &process{address: protocol.Address(i)})
	}
	return w
}

// at returns the process that runs at the address of an identity, whoever it is by now.
func (w *world) at(id protocol.NodeID) *process { return w.nodes[id.Address] }

// running reports whether this very incarnation runs and has not ended.
func (w *world) running(id protocol.NodeID) bool {
	if int(id.Address) >= len(w.nodes) {
		return false
	}
	p := w.at(id)
	return p.up && p.state.ID == id && !p.state.Departed
}

// live returns the processes whose nodes run.
func (w *world) live() []*process {
	var found []*process
	for _, p := range w.nodes {
		if w.running(p.state.ID) {
			found = append(found, p)
		}
	}
	return found
}

func (w *world) latency(a, b protocol.Address) uint32 {
	if w.far[[2]protocol.Address{min(a, b), max(a, b)}] {
		return distant
	}
	return nearby
}

func (w *world) note(format string, args ...any) {
	if w.log != nil {
		w.log(fmt.Sprintf(format, args...))
	}
}

// start begins the first or a later life of a process.
func (w *world) start(p *process) {
	w.note("start %s", string(rune('A'+p.address)))
	in := refine.Input{Kind: protocol.Start}
	if p.persisted != nil {
		in = refine.Input{Kind: protocol.Restart, Persisted: p.persisted}
	}
	p.up, p.state, p.timers, p.measuring = true, refine.New(p.address), nil, nil
	w.step(p, in)
}

// crash ends a life. What the process persisted stays.
func (w *world) crash(p *process) {
	w.note("crash %v", p.state.ID)
	p.up, p.timers, p.measuring = false, nil, nil
}

func (w *world) order(p *process, o refine.Command) {
	w.note("%v: %s", p.state.ID, refine.CommandText(o))
	w.step(p, refine.Input{Kind: protocol.Command, Command: o})
}

// fire lets a pending timer go off.
func (w *world) fire(p *process, t protocol.Timer) {
	w.note("timeout %v %s", p.state.ID, refine.TimerText(t))
	p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	w.step(p, refine.Input{Kind: protocol.Timeout, Timer: t})
}

// measure ends a measurement.
func (w *world) measure(p *process, i int) {
	peer := p.measuring[i]
	p.measuring = slices.Delete(p.measuring, i, i+1)
	micros := w.latency(p.address, peer.Address)
	w.note("measured %v->%v %d", p.state.ID, peer, micros)
	w.step(p, refine.Input{Kind: protocol.Measured, From: peer, Measure: micros})
}

// deliver takes an envelope from the network and hands it over, if its receiver is still there.
func (w *world) deliver(i int) {
	e := w.net[i]
	w.net = slices.Delete(w.net, i, i+1)
	w.hand(e)
}

func (w *world) hand(e refine.Envelope) {
	if p := w.at(e.To); !p.up || p.state.ID != e.To { // a process may run on after its node has left
		w.note("lost %v<-%v %s", e.To, e.From, refine.MessageText(e.Message))
		return
	}
	w.note("deliver %v<-%v %s", e.To, e.From, refine.MessageText(e.Message))
	w.step(w.at(e.To), refine.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
}

// step feeds an input to a node and obeys the output, in the order of the contract.
func (w *world) step(p *process, in refine.Input) {
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
	for _, id := range out.Measure {
		if !slices.Contains(p.measuring, id) {
			p.measuring = append(p.measuring, id)
		}
	}
	for _, e := range out.Send {
		w.note("    send %v->%v %s", e.From, e.To, refine.MessageText(e.Message))
	}
	for _, e := range out.Events {
		w.events[e.Name]++
		w.note("    event %v", e)
		if e.Name == refine.EventRemoved && w.running(e.Peer) {
			w.violated("RemovedIsGone: %v took %v out, which runs", p.state.ID, e.Peer)
		}
	}
}

func (w *world) violated(format string, args ...any) {
	if w.broken == nil {
		w.broken = fmt.Errorf(format, args...)
		w.note("VIOLATED %v", w.broken)
	}
}

// clusters returns all clusters that a node knows of.
func clusters(s *refine.State) []refine.Cluster {
	all := s.Joined()
	if own, ok := s.Own(); ok {
		all = append(all, own)
	}
	return all
}

// checkAlways holds the world to what must be true in every state.
func (w *world) checkAlways() {
	for _, p := range w.live() {
		s := &p.state
		if n := 1 + len(s.Joined()); n > w.cfg.MembershipBound {
			w.violated("MembershipBound: %v is in %d clusters", s.ID, n)
		}
		for _, c := range clusters(s) {
			if len(c.Members) > w.cfg.SizeBound {
				w.violated("SizeBound: %v knows a cluster of %d", s.ID, len(c.Members))
			}
			for i, a := range c.Members {
				for _, b := range c.Members[:i] {
					if !w.drift && w.latency(a.Address, b.Address) > w.cfg.DiameterMicros {
						w.violated("Measured: %v and %v are together in the cluster of %v", a, b, c.Head)
					}
				}
			}
		}
		if best, ok := s.Advertised(); ok && !slices.Contains(best.Members, s.ID) {
			w.violated("Advertises: %v advertises a cluster that it is not in", s.ID)
		}
	}
}

// checkAtRest holds the world to what must be true when nothing is left to happen.
func (w *world) checkAtRest() {
	for _, p := range w.live() {
		s := &p.state
		if own, ok := s.Own(); ok {
			for _, id := range own.Members {
				if id != s.ID && !(w.running(id) && joined(&w.at(id).state, own)) {
					w.violated("Agree: %v is in the cluster of %v and does not know", id, s.ID)
				}
			}
		}
		for _, c := range s.Joined() {
			if head := w.at(c.Head); !w.running(c.Head) || !same(c, head.state) {
				w.violated("Agree: %v takes itself for a member of %v", s.ID, c.Head)
			}
		}
		for _, t := range s.Slots {
			if t.Stage != refine.Committed {
				w.violated("NobodyStuck: %v waits for %v", s.ID, t.Head)
			}
		}
		if s.Head != refine.HeadIdle && s.Head != refine.HeadSteady {
			w.violated("NobodyStuck: %v is in %v", s.ID, s.Head)
		}
	}
}

func same(c refine.Cluster, head refine.State) bool {
	own, ok := head.Own()
	return ok && own.Round == c.Round && slices.Equal(own.Members, c.Members)
}

func joined(s *refine.State, own refine.Cluster) bool {
	return slices.ContainsFunc(s.Joined(), func(c refine.Cluster) bool {
		return c.Head == own.Head && c.Round == own.Round && slices.Equal(c.Members, own.Members)
	})
}

// drain delivers everything and ends all measurements, and what follows from them, oldest first.
func (w *world) drain() {
	for busy := true; busy; {
		busy = false
		for len(w.net) > 0 {
			w.deliver(0)
		}
		for _, p := range w.live() {
			if i := slices.IndexFunc(p.measuring, w.running); i >= 0 {
				w.measure(p, i)
				busy = true
			}
		}
	}
}

// settle is a fair driver: it lets everything happen until nothing changes any more, and reports
// whether that came about. A failure is noticed, time-outs come when they are due, everybody gives
// signs of life.
func (w *world) settle() bool {
	for range 200 {
		before := w.fingerprint()
		w.drain()
		for _, kind := range []protocol.TimerKind{refine.MissedTimer, refine.MeasureTimer, refine.CollectTimer, refine.WaitTimer, refine.KeepTimer} {
			w.fireAll(kind)
			w.drain()
		}
		if w.fingerprint() != before {
			continue
		}
		w.fireAll(refine.RetryTimer)
		if w.drain(); w.fingerprint() == before {
			return true
		}
	}
	return false
}

// fireAll fires the timers of a kind that are pending, but takes no live node for failed.
func (w *world) fireAll(kind protocol.TimerKind) {
	for _, p := range w.live() {
		for _, t := range slices.Clone(p.timers) {
			if t.Kind == kind && slices.Contains(p.timers, t) && (kind != refine.MissedTimer || !w.running(t.Peer)) {
				w.fire(p, t)
			}
		}
	}
}

func (w *world) fingerprint() string {
	text := ""
	for _, p := range w.nodes {
		if p.up {
			text += string(refine.AppendState(nil, p.state))
		}
	}
	return text
}
