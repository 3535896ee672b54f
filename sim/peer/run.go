package peer

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	mapcore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

type cluster = sim.Cluster[peer.State, peer.Message, peer.Order]

// run is a run of a plan.
type run struct {
	*cluster
	plan    *sim.Plan
	cfg     peer.Config
	coords  []space.Point
	latency *places
	mean    int64 // of run times
	judge   *judge
	scribe  *sim.Scribe[peer.State, peer.Message, peer.Order]
	stop    func() bool
	asked   int // see keep
	gaveUp  bool
}

const (
	second      = 1_000_000
	tickMicros  = 10_000     // the unit of peer.DefaultConfig
	lookEvery   = second     // how often rest is looked for, once faults have stopped
	redirection = 3 * second // how often an application looks whether its contact is still there
	maxDims     = 3          // of the space
	apart       = 1          // failures are more than so many steps apart, as in package sim/can
	stay        = 2          // and leave so many members
)

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Founders < 1 || p.Nodes > maxNodes {
		return nil, fmt.Errorf("%w: %d founders of %d nodes; a grid needs one, and has at most %d nodes", sim.ErrPlan, p.Founders, p.Nodes, maxNodes)
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{plan: p, stop: o.Stop, latency: newPlaces(latency, p.Nodes)}
	if err := r.shape(); err != nil {
		return nil, err
	}
	r.judge = newJudge(r)
	r.judge.drifting()
	config := sim.Config[peer.State, peer.Message, peer.Order]{
		Core: &peer.Core{Config: r.cfg}, Seed: p.Seed, TickMicros: tickMicros, DriftPPM: p.DriftPPM,
		Identity:  func(s *peer.State) protocol.NodeID { return s.ID() },
		Stopped:   func(s *peer.State) bool { return s.Gone() },
		Due:       r.due,
		Span:      r.span,
		Unchanged: unchanged,
		Told:      r.told,
		Twice:     o.Twice,
		Network:   sim.Network{Latency: r.latency, Lose: p.Lose, Duplicate: p.Duplicate, Delay: p.Delay, DelayMicros: p.DelayMicros, Faults: p.Faults},
	}
	for i, coord := range r.coords {
		config.Nodes = append(config.Nodes, peer.New(protocol.Address(i), coord))
	}
	if o.Record != nil {
		r.scribe = &sim.Scribe[peer.State, peer.Message, peer.Order]{Core: config.Core, Recorder: o.Record}
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

// shape draws the space, the coordinates, the bounds and the diameter of clusters, and how long jobs run. Rounds of the
// refinement come sooner than in practice, so that many of them fit into a run.
func (r *run) shape() error {
	s, coords, err := can.DrawSpace(r.plan.Shape, r.plan.Nodes, maxDims)
	if err != nil {
		return err
	}
	c := sim.NewChance(r.plan.Shape, 2)
	r.coords = coords
	r.cfg = peer.DefaultConfig(s, int(c.Between(1, 5)), int(c.Between(2, 8)), uint32(c.Between(side/3, side*3/2)))
	r.cfg.Refine.CollectTicks, r.cfg.Refine.WaitTicks, r.cfg.Refine.MeasureTicks, r.cfg.Refine.RetryTicks = 150, 80, 300, 600
	r.cfg.Refine.Criterion = refine.Criterion(c.Below(3))
	r.mean = c.Between(second/2, 10*second)
	r.cfg.Apart = c.Of(1, 2)
	return r.cfg.Validate()
}

// found places the founders: members of the CAN that know of nobody near.
func (r *run) found() {
	for i, f := range can.Founders(&r.cfg.Can, r.plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		s, out := peer.Step(&r.cfg, peer.New(protocol.Address(i), r.coords[i]), peer.Input{Kind: protocol.Start})
		s.Can = f.State
		r.Place(i, s, append(out.Set, f.Timers...), out.Persist)
		r.judge.land.Place(i)
		r.judge.step(i, nil)
	}
}

// told is called after each step that changed a node or told its application something.
func (r *run) told(node int, events []protocol.Event) {
	r.judge.step(node, events)
	for _, e := range events {
		if e.Name == joined {
			r.settled(node)
		}
	}
}

var joined = peer.CanLayer.String() + ":" + mapcore.EventJoined

// due is the failure detector: it never takes a live node for failed, and an owner grants a job anew only when no host holds
// a task of the failed representative any more. A driver gets that with leases.
func (r *run) due(node int, t protocol.Timer) bool {
	of, t := peer.LayerOf(t)
	switch {
	case of == peer.CanLayer && t.Kind == mapcore.MissedTimer,
		of == peer.RefineLayer && t.Kind == refine.MissedTimer,
		of == peer.TaskLayer && t.Kind == reptask.LeaseTimer:
		return !r.Running(t.Peer)
	case of == peer.TaskLayer && t.Kind == reptask.RegrantTimer:
		return !r.Running(t.Peer) && !r.leased(t.Peer)
	}
	return true
}

// leased reports whether a live node still holds a task of a representative.
func (r *run) leased(representative protocol.NodeID) bool {
	for i := range r.Len() {
		if !r.Live(i) {
			continue
		}
		for _, t := range r.State(i).Tasks.Tasks {
			if t.Rep == representative {
				return true
			}
		}
	}
	return false
}

// span says how long a process runs: a time drawn for its job.
func (r *run) span(node int, t protocol.Timer) int64 {
	if t != peer.RunTimer() {
		return 0
	}
	task, runs := r.State(node).Tasks.Runs()
	if !runs {
		return 0
	}
	return 1 + sim.NewChance(r.plan.Seed, task.Job.Hash()).Exponential(r.mean)
}

// verdict lets everything happen and judges it.
func (r *run) verdict() (*sim.Result, error) {
	r.Run(r.plan.UntilMicros, r.keep)
	if r.judge.broken == "" && !r.gaveUp {
		r.Heal(r.latency)
		r.note("heal", "faults stop; the world must converge")
		r.catchUp()
		r.settle()
	}
	if r.gaveUp {
		return nil, sim.ErrStopped
	}
	result := &sim.Result{
		Verdict: sim.Holds, AtMicros: r.Now(), Digest: r.Digest(), Stats: r.Stats(), Faults: r.Faults(), Counts: r.judge.counts(),
	}
	if r.judge.broken == "" {
		var decided bool
		if result.Page, decided = r.judge.clientsView(); !decided {
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
		property, who := r.judge.atRest()
		if property == "" {
			return
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

func (r *run) note(kind, text string) {
	if r.scribe != nil {
		r.scribe.Note(kind, text)
	}
}
