package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// run is the run of a plan.
type run struct {
	*sim.Run[can.State, can.Message, can.Command]
	cfg       can.Config
	coords    []space.Point
	canMap    *Map
	targeted  sim.TargetedFaults
	followUps []followUp
	waiting   []func() // failures that are not allowed yet, with a guard that checks at each step
}

const (
	second      = 1_000_000
	pollMicros  = second     // interval between checks for quiescence
	redirection = 3 * second // interval at which applications check that their contact is still there
)

func newRun(p *sim.Plan, o sim.RunOptions, g Guard, shape shaper) (*run, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	if p.Founders < 1 {
		return nil, fmt.Errorf("%w: no founders; at least one is needed", sim.ErrPlan)
	}
	r := &run{}
	if err := r.shape(p, shape); err != nil {
		return nil, err
	}
	r.canMap = NewMap(&r.cfg, p.Nodes, g, func(node int) *can.State { return r.State(node) })
	config := simulationConfig(&r.cfg, p.Seed)
	config.Network.Latency = latency
	config.Due = r.isDue
	config.OnStep = func(node int, events []protocol.Event) {
		r.canMap.Step(node, r.Live(node), events)
		r.failTargeted(node, events)
		r.triggerFollowUp(node, events)
		r.retryWaiting()
	}
	for i, coord := range r.coords {
		config.Nodes = append(config.Nodes, can.New(protocol.Address(i), coord))
	}
	r.Run = sim.NewRun(p, o, config, r.canMap)
	r.placeFounders()
	r.Begin()
	return r, r.schedule()
}

// shape computes the space and the coordinates of all nodes.
func (r *run) shape(p *sim.Plan, by shaper) error {
	s, coords, err := by(p)
	r.cfg, r.coords = can.DefaultConfig(s), coords
	return err
}

// placeFounders places the founders.
func (r *run) placeFounders() {
	for i, f := range founders.New(&r.cfg, r.Plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		r.Place(i, f.State, f.Timers, f.Persisted)
		r.canMap.Place(i)
	}
}

// isDue reports whether a timer may fire. It makes the failure detector accurate: it never suspects
// a live node. A driver gets that with leases.
func (r *run) isDue(_ int, t protocol.Timer) bool {
	return t.Kind != can.MissedTimer || !r.Running(t.Peer)
}

// finish runs the plan to its end.
func (r *run) finish() (*sim.Result, error) {
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: pollMicros, OnPoll: r.redirect},
		r.canMap.Counts,
	)
}
