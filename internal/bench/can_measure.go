package main

import (
	"errors"
	"fmt"
	"slices"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// The measurements are of three changes, and of a second without any.
const (
	join    = "join"
	leave   = "leave"
	crash   = "crash"
	updates = "updates of one second"
)

var changes = []string{join, leave, crash, updates}

// cost is that of one change. Times are in microseconds.
type cost struct {
	messages, bytes int   // without periodic updates
	owned           int64 // from the command, or the detection of a crash, until the zone has an owner
	known           int64 // until its neighbours have received that
}

const (
	second     = 1_000_000
	latency    = 50_000
	tickMicros = 10_000     // the unit of both default configurations
	warmUp     = 3 * second // each node has received from all its neighbours
	patience   = 3600 * second
	notYet     = -1
)

// errEndless is returned for a change that does not end.
var errEndless = errors.New("the change does not end within an hour of virtual time")

// measurement is one run of the simulator with one change.
type measurement[S, M, C any] struct {
	candidate[S, M, C]
	layout  *layout
	change  string
	sim     *sim.Simulation[S, M, C]
	watched []int // the nodes near the change
	counted bool  // the messages of the step under way count
	began   int64 // the command, or the first detection of the crash; notYet: neither
	cost    cost
	scratch []byte
}

// measured measures one change under one seed.
func measured[S, M, C any](l *layout, c candidate[S, M, C], change string, seed uint64) (cost, error) {
	r := &measurement[S, M, C]{candidate: c, layout: l, change: change, began: notYet}
	r.build(seed)
	r.sim.RunUntil(warmUp, nil)
	r.cost = cost{owned: notYet, known: notYet}
	r.begin()
	if change == updates {
		r.sim.RunUntil(warmUp+second, nil)
		return r.cost, nil
	}
	if !r.follow() {
		return cost{}, fmt.Errorf("%s, %s, seed %d: %w", l.name, change, seed, errEndless)
	}
	r.sim.RunUntil(r.sim.Now()+2*second, nil) // messages that are still in flight
	return r.cost, nil
}

func (r *measurement[S, M, C]) build(seed uint64) {
	config := sim.Config[S, M, C]{
		Core: r.core, Seed: seed, TickMicros: tickMicros, Network: sim.Network{Latency: sim.Constant(latency)},
		Identity: r.identity, Observer: r, OnStep: r.onStep,
		Due: func(_ int, t protocol.Timer) bool { return t.Kind != can.MissedTimer || !r.sim.Running(t.Peer) },
	}
	for i, at := range append(slices.Clone(r.layout.coords), r.layout.joiner) {
		config.Nodes = append(config.Nodes, r.made(protocol.Address(i), at))
	}
	r.sim = sim.New(config)
	for i, m := range r.members {
		r.sim.Place(i, m.state, m.timers, m.persisted)
	}
}

// begin lets the change begin, and notes which nodes it may concern.
func (r *measurement[S, M, C]) begin() {
	zone := r.view(*r.sim.State(r.layout.subject)).Self.Zone
	for i := range r.members {
		if r.isNear(zone, i) {
			r.watched = append(r.watched, i)
		}
	}
	switch r.change {
	case join:
		joiner := len(r.members)
		r.watched = append(r.watched, joiner)
		r.sim.Start(joiner)
		r.began = r.sim.Now()
		r.sim.Command(joiner, r.join(r.identity(r.sim.State(r.layout.subject))))
	case leave:
		r.began = r.sim.Now()
		r.sim.Command(r.layout.subject, r.leave)
	case crash:
		r.sim.Crash(r.layout.subject)
	}
}

// isNear reports whether a member owns the zone, abuts it, or abuts a zone that does.
func (r *measurement[S, M, C]) isNear(zone space.Zone, node int) bool {
	own := r.view(*r.sim.State(node))
	touches := func(z space.Zone) bool {
		_, abuts := z.Abuts(zone)
		return abuts
	}
	return own.Self.Zone == zone || touches(own.Self.Zone) ||
		slices.ContainsFunc(own.Direct(), func(n canmodel.Seen) bool { return touches(n.Zone) })
}

// follow runs until the change has ended, and notes when its stages did. It reports false if that
// takes too long.
func (r *measurement[S, M, C]) follow() bool {
	if r.began == notYet {
		r.sim.RunUntil(patience, func() bool { return r.began == notYet })
	}
	for at := r.sim.Now(); at < patience; at += tickMicros {
		r.sim.RunUntil(at, nil)
		if r.isDone() {
			return true
		}
	}
	return false
}

func (r *measurement[S, M, C]) isDone() bool {
	owners := r.owners()
	passed := r.sim.Now() - r.began
	if r.cost.owned == notYet && r.isOwned(owners) {
		r.cost.owned = passed
	}
	if r.cost.owned != notYet && r.cost.known == notYet && canmodel.NeighboursKnow(owners) {
		r.cost.known = passed
	}
	return r.cost.known != notYet && !slices.ContainsFunc(owners, func(o *canmodel.View) bool { return o.Busy })
}

// owners are the members near the change.
func (r *measurement[S, M, C]) owners() (all []*canmodel.View) {
	for _, i := range r.watched {
		if !r.sim.Live(i) {
			continue
		}
		if v := r.view(*r.sim.State(i)); v.Member {
			all = append(all, v)
		}
	}
	return all
}

// isOwned reports whether the joiner is a member, or the zone of the node that went has new owners.
func (r *measurement[S, M, C]) isOwned(owners []*canmodel.View) bool {
	subject := protocol.Address(r.layout.subject)
	if r.change == join {
		subject = protocol.Address(len(r.members))
		return slices.ContainsFunc(owners, func(o *canmodel.View) bool { return o.Self.ID.Address == subject })
	}
	var zones []space.Zone
	for _, o := range owners {
		if o.Self.ID.Address != subject {
			zones = append(zones, o.Self.Zone)
		}
	}
	return space.Covered(r.view(r.members[subject].state).Self.Zone, zones)
}

// onStep notes when a crash is detected.
func (r *measurement[S, M, C]) onStep(_ int, events []protocol.Event) {
	for _, e := range events {
		if e.Name == can.EventFailed && r.began == notYet {
			r.began = r.sim.Now()
		}
	}
}

// Before implements [sim.Observer]. Periodic updates are not part of a change.
func (r *measurement[S, M, C]) Before(h *sim.StepInfo[M, C]) {
	periodic := h.Input.Kind == protocol.Timeout && h.Input.Timer.Kind == can.UpdateTimer
	r.counted = !periodic
	if r.change == updates {
		r.counted = periodic && slices.Contains(r.watched, h.Node)
	}
}

// After implements [sim.Observer].
func (r *measurement[S, M, C]) After(_ *sim.StepInfo[M, C], out *protocol.Output[M]) {
	if !r.counted {
		return
	}
	for _, e := range out.Send {
		r.scratch = r.core.AppendMessage(r.scratch[:0], e.Message)
		r.cost.messages++
		r.cost.bytes += len(r.scratch)
	}
}

// Outcome implements [sim.Observer].
func (r *measurement[S, M, C]) Outcome(*protocol.Envelope[M], string) {}
