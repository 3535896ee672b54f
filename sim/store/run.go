package store

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

type cluster = sim.Cluster[store.State, store.Message, store.Order]

// run is a run of a plan.
type run struct {
	*cluster
	plan   *sim.Plan
	cfg    store.Config
	coords []space.Point
	judge  *judge
	scribe *sim.Scribe[store.State, store.Message, store.Order]
	stop   func() bool
	asked  int // see keep
	gaveUp bool
}

const (
	second      = 1_000_000
	tickMicros  = 10_000     // the unit of store.DefaultConfig
	lookEvery   = second     // how often rest is looked for, once faults have stopped
	redirection = 3 * second // how often an application looks whether its contact is still there
	apart       = 1          // failures are more than so many steps apart, as in package sim/can
	stay        = 2          // and leave so many members
)

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Founders < 1 {
		return nil, fmt.Errorf("%w: a network needs a founder", sim.ErrPlan)
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	s, coords, err := can.DrawSpace(p.Shape, p.Nodes, 4)
	if err != nil {
		return nil, err
	}
	r := &run{plan: p, stop: o.Stop, cfg: store.DefaultConfig(mapcore.DefaultConfig(s)), coords: coords}
	land := can.NewMap(&r.cfg.CAN, p.Nodes, apart, stay, func(node int) *mapcore.State { return &r.State(node).CAN })
	r.judge = newJudge(land, p.Nodes, r.drawKeys())
	r.judge.certain = !slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Do == opLeave || op.Do == opCrash })
	config := sim.Config[store.State, store.Message, store.Order]{
		Core: &store.Core{Config: r.cfg}, Seed: p.Seed, TickMicros: tickMicros, DriftPPM: p.DriftPPM,
		Identity:  func(s *store.State) protocol.NodeID { return s.ID() },
		Stopped:   func(s *store.State) bool { return s.Finished() },
		Unchanged: unchanged,
		Due:       r.due,
		Told:      func(node int, events []protocol.Event) { r.judge.step(node, r.Live(node), r.State(node), events) },
		Twice:     o.Twice,
		Network:   sim.Network{Latency: latency, Lose: p.Lose, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros, Faults: p.Faults},
	}
	for i, coord := range coords {
		config.Nodes = append(config.Nodes, store.New(protocol.Address(i), coord))
	}
	if o.Record != nil {
		r.scribe = &sim.Scribe[store.State, store.Message, store.Order]{Core: config.Core, Recorder: o.Record}
		config.Watch = r.scribe
	}
	r.cluster = sim.New(config)
	if o.Faults {
		r.KeepFaults()
	}
	r.found()
	if o.Record != nil {
		r.scribe.Cluster = r.cluster
		o.Record.Begin(r.scribe.State)
	}
	return r, r.schedule()
}

// drawKeys draws the keys that may be in use: half of them near a node's coordinate, where zones meet.
func (r *run) drawKeys() []space.Point {
	c := sim.NewChance(r.plan.Shape, 2)
	var keys []space.Point
	for len(keys) < maxKeys {
		key := can.DrawPoint(r.cfg.CAN.Space, c)
		if c.Of(1, 2) {
			key = r.coords[c.Below(uint64(len(r.coords)))]
		}
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// found places the founders.
func (r *run) found() {
	for i, f := range can.Founders(&r.cfg.CAN, r.plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		r.Place(i, store.State{CAN: f.State}, f.Timers, f.Persisted)
		r.judge.land.Place(i)
		r.judge.step(i, true, r.State(i), nil)
	}
}

// due is the failure detector: it never takes a live node for failed. A driver gets that with leases.
func (r *run) due(_ int, t protocol.Timer) bool {
	return t.Kind != mapcore.MissedTimer && t.Kind != store.GoneTimer || !r.Running(t.Peer)
}

// verdict lets everything happen and judges it.
func (r *run) verdict() (*sim.Result, error) {
	r.Run(r.plan.UntilMicros, r.keep)
	if r.judge.broken == "" && !r.gaveUp {
		r.Heal(sim.Exponential(50_000))
		r.note("heal", "faults stop; the world must converge")
		r.settle()
	}
	if r.gaveUp {
		return nil, sim.ErrStopped
	}
	result := &sim.Result{
		Verdict: sim.Holds, AtMicros: r.Now(), Digest: r.Digest(), Stats: r.Stats(), Faults: r.Faults(), Counts: r.judge.land.Counts(),
	}
	if r.judge.broken == "" {
		decided, page := r.judge.verdict()
		result.Page = page
		if decided == checker.Inconclusive {
			result.Verdict, result.Where = sim.Inconclusive, "the history was not decided in time"
		}
		if r.judge.broken != "" {
			r.note("end", "the history is judged")
		}
	}
	if r.judge.broken != "" {
		result.Verdict, result.Property, result.Where = sim.Violated, r.judge.broken, r.judge.where
	}
	return result, nil
}

// keep is asked after each event.
func (r *run) keep() bool {
	if r.asked++; r.asked%1024 == 0 && r.stop != nil && r.stop() {
		r.gaveUp = true
	}
	return r.judge.broken == "" && !r.gaveUp
}

// settle demands that the world comes to rest within the plan's bound, and that all is well then.
func (r *run) settle() {
	end := r.plan.UntilMicros + r.plan.SettleMicros
	for r.judge.broken == "" && !r.gaveUp {
		property, who := r.judge.land.Busy()
		if property == "" {
			property, who = r.pending()
		}
		if property == "" {
			if property = r.judge.land.AtRest(); property == "" {
				return
			}
			who = "all is quiet, and it does not hold"
		}
		if r.Now() >= end {
			r.judge.violated(property, "%d s after the faults stopped: %s", r.plan.SettleMicros/second, who)
			r.note("end", "the bound for convergence has passed")
			return
		}
		r.redirect()
		r.Run(min(r.Now()+lookEvery, end), r.keep)
	}
}

// pending says who has an operation or a handover that has not ended, if anybody does.
func (r *run) pending() (property, who string) {
	for i := range r.Len() {
		if s := r.State(i); r.Live(i) && len(s.Pending)+len(s.Gifts)+len(s.Awaits) > 0 {
			return "Ended", s.ID().String() + " has something pending"
		}
	}
	return "", ""
}

func (r *run) note(kind, text string) {
	if r.scribe != nil {
		r.scribe.Note(kind, text)
	}
}

// unchanged reports whether two states are the same. It may answer no where they are.
func unchanged(a, b *store.State) bool {
	idle := len(a.Pending)+len(b.Pending)+len(a.Gifts)+len(b.Gifts)+len(a.Awaits)+len(b.Awaits) == 0
	return idle && can.Unchanged(&a.CAN, &b.CAN) && slices.Equal(a.Items, b.Items) && slices.Equal(a.Decided, b.Decided) &&
		slices.Equal(a.Left, b.Left)
}
