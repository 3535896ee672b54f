package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

type cluster = sim.Cluster[can.State, can.Message, can.Order]

// run is a run of a plan.
type run struct {
	*cluster
	plan    *sim.Plan
	cfg     can.Config
	coords  []space.Point
	land    *Map
	scribe  *sim.Scribe[can.State, can.Message, can.Order]
	stop    func() bool
	asked   int      // see keep
	strikes []sim.Op // that wait, see strike
	gaveUp  bool
}

const (
	second      = 1_000_000
	lookEvery   = second     // how often rest is looked for, once faults have stopped
	redirection = 3 * second // how often an application looks whether its contact is still there
)

func newRun(p *sim.Plan, o sim.RunOptions, apart, stay int) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	if p.Founders < 1 {
		return nil, fmt.Errorf("%w: a network needs a founder", sim.ErrPlan)
	}
	r := &run{plan: p, stop: o.Stop}
	if err := r.shape(); err != nil {
		return nil, err
	}
	r.land = NewMap(&r.cfg, p.Nodes, apart, stay, func(node int) *can.State { return r.State(node) })
	config := clusterConfig(&r.cfg, p.Seed)
	config.DriftPPM, config.Twice = p.DriftPPM, o.Twice
	config.Network = sim.Network{Latency: latency, Lose: p.Lose, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros, Faults: p.Faults}
	config.Due = r.due
	config.Told = func(node int, events []protocol.Event) {
		r.land.Step(node, r.Live(node), events)
		r.struck(node, events)
	}
	for i, coord := range r.coords {
		config.Nodes = append(config.Nodes, can.New(protocol.Address(i), coord))
	}
	if o.Record != nil {
		r.scribe = &sim.Scribe[can.State, can.Message, can.Order]{Core: config.Core, Recorder: o.Record}
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

// shape draws the space and the coordinates of all nodes.
func (r *run) shape() error {
	s, coords, err := DrawSpace(r.plan.Shape, r.plan.Nodes, 4)
	r.cfg, r.coords = can.DefaultConfig(s), coords
	return err
}

// found places the founders.
func (r *run) found() {
	for i, f := range Founders(&r.cfg, r.plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		r.Place(i, f.State, f.Timers, f.Persisted)
		r.land.Place(i)
	}
}

// due is the failure detector: it never takes a live node for failed. A driver gets that with leases.
func (r *run) due(_ int, t protocol.Timer) bool {
	return t.Kind != can.MissedTimer || !r.Running(t.Peer)
}

// verdict lets everything happen and judges it.
func (r *run) verdict() (*sim.Result, error) {
	r.Run(r.plan.UntilMicros, r.keep)
	if r.land.judge.broken == "" && !r.gaveUp {
		r.Heal(sim.Exponential(50_000))
		r.note("heal", "faults stop; the world must converge")
		r.settle()
	}
	if r.gaveUp {
		return nil, sim.ErrStopped
	}
	result := &sim.Result{
		Verdict: sim.Holds, AtMicros: r.Now(), Digest: r.Digest(), Stats: r.Stats(), Faults: r.Faults(), Counts: r.land.judge.history.counts,
	}
	if r.land.judge.broken != "" {
		result.Verdict, result.Property, result.Where = sim.Violated, r.land.judge.broken, r.land.judge.where
	}
	return result, nil
}

// keep is asked after each event.
func (r *run) keep() bool {
	if r.asked++; r.asked%1024 == 0 && r.stop != nil && r.stop() {
		r.gaveUp = true
	}
	return r.land.judge.broken == "" && !r.gaveUp
}

// settle demands that the world comes to rest within the plan's bound, and that all is well then.
func (r *run) settle() {
	end := r.plan.UntilMicros + r.plan.SettleMicros
	for r.land.judge.broken == "" && !r.gaveUp {
		property, who := r.land.judge.busy()
		if property == "" {
			if property = r.land.judge.atRest(); property == "" {
				return
			}
			who = "all is quiet, and it does not hold"
		}
		if r.Now() >= end {
			r.land.judge.violated(property, "%d s after the faults stopped: %s", r.plan.SettleMicros/second, who)
			r.note("end", "the bound for convergence has passed")
			return
		}
		r.redirect()
		r.Run(min(r.Now()+lookEvery, end), r.keep)
	}
}

func (r *run) note(kind, text string) {
	if r.scribe != nil {
		r.scribe.Note(kind, text)
	}
}
