package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// run is the run of a plan.
type run struct {
	*sim.Run[refine.State, refine.Message, refine.Command]
	*Oracle
	cfg      refine.Config
	places   *sim.Drifting
	seen     map[string]int
	targeted sim.TargetedFaults
}

const (
	second     = 1_000_000
	tickMicros = 10_000 // the unit of refine.DefaultConfig
)

func newRun(p *sim.Plan, o sim.RunOptions, suspects bool) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{places: sim.NewDrifting(latency, p.Nodes), seen: map[string]int{}, cfg: shape(p)}
	if err := r.cfg.Validate(); err != nil {
		return nil, err
	}
	r.Oracle = NewOracle(&r.cfg, p.Nodes)
	r.Oracle.Near, r.Suspects = r.isNear, suspects
	r.Lasting = !suspects && r.isSteady(p)
	config := sim.Config[refine.State, refine.Message, refine.Command]{
		Core: observedCore{
			&refine.Core{Config: r.cfg},
			r.Oracle,
		}, TickMicros: tickMicros, Network: sim.Network{Latency: r.places},
		Identity: func(s *refine.State) protocol.NodeID { return s.ID },
		Due: func(_ int, t protocol.Timer) bool {
			return suspects || t.Kind != refine.MissedTimer || !r.Running(t.Peer)
		},
		OnStep: r.onStep,
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, refine.New(protocol.Address(i)))
	}
	r.Run = sim.NewRun(p, o, config, r.Oracle)
	r.Begin()
	for i := range p.Nodes {
		r.Start(i)
	}
	return r, r.schedule()
}

// shape draws the bounds, the diameter and the criterion. Rounds come sooner than in practice, so
// that a run has many.
func shape(p *sim.Plan) refine.Config {
	c := sim.NewChance(p.Shape, 1)
	cfg := refine.DefaultConfig(int(c.Between(2, 4)), int(c.Between(2, 5)), uint32(c.Between(side/3, side*3/2)))
	cfg.CollectTicks, cfg.WaitTicks, cfg.MeasureTicks, cfg.RetryTicks = 50, 50, 200, 300
	cfg.Criterion = refine.Criterion(c.Below(3))
	return cfg
}

// bounds names the bounds of the run of a plan.
func bounds(p *sim.Plan) string {
	cfg := shape(p)
	return fmt.Sprintf(
		"M=%d, N=%d, diameter %d microseconds; %s",
		cfg.MembershipBound,
		cfg.SizeBound,
		cfg.DiameterMicros,
		p.Brief(),
	)
}

// isSteady reports whether each node is only introduced to others, once, and no distance between
// two nodes is close to the diameter.
func (r *run) isSteady(p *sim.Plan) bool {
	const margin = second / 1000
	learns := map[int]bool{}
	for _, op := range p.Ops {
		if op.Do != opNear || learns[op.Node] {
			return false
		}
		learns[op.Node] = true
	}
	for i := range protocol.Address(p.Nodes) {
		for j := range i {
			if way, known := r.places.Way(i, j); !known ||
				max(way-int64(r.cfg.DiameterMicros), int64(r.cfg.DiameterMicros)-way) < margin {
				return false
			}
		}
	}
	return true
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) {
	for _, e := range events {
		r.seen[e.Name]++
	}
	r.Step(node, r.Live(node), r.State(node), events)
	r.FailOn(&r.targeted, node, events, triggers, r.Crash)
}

// isNear reports whether two nodes are as near as members of a cluster must be. A measurement
// includes queueing, so it is never too short.
func (r *run) isNear(a, b protocol.NodeID) bool {
	way, known := r.places.Way(a.Address, b.Address)
	return !known || way <= int64(r.cfg.DiameterMicros)
}

// finish runs the plan to its end. When faults have stopped, all nodes are introduced to all others
// and measure again, if anything can have changed.
func (r *run) finish() (*sim.Result, error) {
	healed := func() {
		if r.Lasting {
			return
		}
		for i := range r.Len() {
			r.learn(sim.Op{Node: i, Arg: 1<<r.Len() - 1})
			r.measure(sim.Op{Node: i})
		}
	}
	return r.Finish(
		sim.Convergence{Latency: r.places, PollMicros: second, OnHeal: healed},
		func() map[string]int { return r.seen },
	)
}
