package peer

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	cancore "github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// run is the run of a plan.
type run struct {
	*sim.Run[peer.State, peer.Message, peer.Command]
	cfg     peer.Config
	coords  []space.Point
	latency *sim.Drifting
	mean    int64 // of run times
	oracle  *oracle

	// Where nodes predict: their sites, and whether they join the tree one after the other.
	site    []uint64
	orderly bool
}

const (
	second      = 1_000_000
	tickMicros  = 10_000     // the unit of peer.DefaultConfig
	pollMicros  = second     // interval between checks for quiescence
	redirection = 3 * second // interval at which applications check that their contact is still there
	maxDims     = 3          // of the space
	apart       = 1          // minimal distance in steps between failures, as in package sim/can
	stay        = 2          // members that remain after each failure
)

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Founders < 1 || p.Nodes > maxNodes {
		return nil, fmt.Errorf(
			"%w: %d founders of %d nodes; at least one founder is needed, and at most %d nodes are possible",
			sim.ErrPlan,
			p.Founders,
			p.Nodes,
			maxNodes,
		)
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{latency: sim.NewDrifting(latency, p.Nodes)}
	if err := r.shape(p); err != nil {
		return nil, err
	}
	r.oracle = newOracle(r, p)
	config := sim.Config[peer.State, peer.Message, peer.Command]{
		Core: &peer.Core{Config: r.cfg}, TickMicros: tickMicros, Network: sim.Network{Latency: r.latency},
		Identity:  func(s *peer.State) protocol.NodeID { return s.ID() },
		Stopped:   func(s *peer.State) bool { return s.Gone() },
		Due:       r.isDue,
		Span:      r.span,
		Unchanged: Unchanged,
		OnStep:    r.onStep,
	}
	for i, coord := range r.coords {
		config.Nodes = append(config.Nodes, peer.New(protocol.Address(i), coord))
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	r.placeFounders()
	r.Begin()
	return r, r.schedule()
}

// shape draws the space, the coordinates, the bounds and the diameter of clusters, and run times.
// Rounds of the refinement come sooner than in practice, so that a run has many.
func (r *run) shape(p *sim.Plan) error {
	s, coords, err := can.DrawSpace(p.Shape, p.Nodes, maxDims)
	if err != nil {
		return err
	}
	c := sim.NewChance(p.Shape, 2)
	r.coords = coords
	r.cfg = peer.DefaultConfig(s, int(c.Between(1, 5)), int(c.Between(2, 8)), uint32(c.Between(side/3, side*3/2)))
	r.cfg.Refine.CollectTicks, r.cfg.Refine.WaitTicks = 150, 80
	r.cfg.Refine.MeasureTicks, r.cfg.Refine.RetryTicks = 300, 600
	r.cfg.Refine.Criterion = refine.Criterion(c.Below(3))
	r.mean = c.Between(second/2, 10*second)
	r.cfg.Apart = c.Of(1, 2)
	if p.Scenario == predicted {
		r.settle(p)
	}
	return r.cfg.Validate()
}

// placeFounders places the founders: members of the CAN without near nodes.
func (r *run) placeFounders() {
	for i, f := range founders.New(&r.cfg.Can, r.Plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		s, out := peer.Step(&r.cfg, peer.New(protocol.Address(i), r.coords[i]), peer.Input{Kind: protocol.Start})
		s.Can = f.State
		r.Place(i, s, append(out.Set, f.Timers...), out.Persist)
		r.oracle.canMap.Place(i)
		r.oracle.step(i, nil)
	}
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) {
	r.oracle.step(node, events)
	for _, e := range events {
		if e.Name == joined {
			r.introduce(node)
		}
	}
}

var joined = peer.CanLayer.String() + ":" + cancore.EventJoined

// isDue reports whether a timer may fire. It makes the failure detector accurate: it never suspects
// a live node, and an owner grants a job again only when no host holds a task of the failed
// representative. A driver gets that with leases.
func (r *run) isDue(node int, t protocol.Timer) bool {
	of, t := peer.LayerOf(t)
	switch {
	case of == peer.CanLayer && t.Kind == cancore.MissedTimer,
		of == peer.RefineLayer && t.Kind == refine.MissedTimer,
		of == peer.TaskLayer && t.Kind == reptask.LeaseTimer,
		of == peer.TreeLayer && t.Kind == dtm.MissedTimer:
		return !r.Running(t.Peer)
	case of == peer.TreeLayer && t.Kind == dtm.HealTimer:
		return !r.oracle.isAwaited(t.Peer)
	case of == peer.TaskLayer && t.Kind == reptask.RegrantTimer:
		return !r.Running(t.Peer) && !r.isLeased(t.Peer)
	}
	return true
}

// isLeased reports whether a live node still holds a task of a representative.
func (r *run) isLeased(representative protocol.NodeID) bool {
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

// span draws the run time of a process for its job.
func (r *run) span(node int, t protocol.Timer) int64 {
	if t != peer.RunTimer() {
		return 0
	}
	task, runs := r.State(node).Tasks.Runs()
	if !runs {
		return 0
	}
	return 1 + sim.NewChance(r.Plan.Seed, task.Job.Hash()).Exponential(r.mean)
}

// finish runs the plan to its end, and checks the history.
func (r *run) finish() (*sim.Result, error) {
	ending := sim.Convergence{Latency: r.latency, PollMicros: pollMicros, OnHeal: r.learnAgain, OnPoll: r.redirect}
	result, err := r.Finish(ending, r.oracle.counts)
	if err != nil || result.Verdict == sim.Violated {
		return result, err
	}
	page, decided := r.oracle.checkHistory()
	result.Page = page
	if property, where := r.oracle.Broken(); property != "" {
		r.NoteHistory()
		result.Verdict, result.Property, result.Where = sim.Violated, property, where
	} else if !decided {
		result.Verdict, result.Where = sim.Inconclusive, "the history was not decided in time"
	}
	return result, nil
}
