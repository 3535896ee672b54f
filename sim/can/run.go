package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// run is a run of a plan.
type run struct {
	*sim.Run[can.State, can.Message, can.Command]
	cfg       can.Config
	coords    []space.Point
	canMap    *Map
	targeted  sim.TargetedFaults
	followUps []followUp
	waiting   []func() // failures whose turn has not come, in a world in which they come at once when it has
}

const (
	second      = 1_000_000
	pollMicros  = second     // how often rest is looked for, once faults have stopped
	redirection = 3 * second // how often an application looks whether its contact is still there
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
		return nil, fmt.Errorf("%w: a network needs a founder", sim.ErrPlan)
	}
	r := &run{}
	if err := r.shape(p, shape); err != nil {
		return nil, err
	}
	r.canMap = NewMap(&r.cfg, p.Nodes, g, func(node int) *can.State { return r.State(node) })
	config := simulationConfig(&r.cfg, p.Seed)
	config.Network.Latency = latency
	config.Due = r.due
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

// shape has the space and the coordinates of all nodes worked out.
func (r *run) shape(p *sim.Plan, by shaper) error {
	s, coords, err := by(p)
	r.cfg, r.coords = can.DefaultConfig(s), coords
	return err
}

// found places the founders.
func (r *run) placeFounders() {
	for i, f := range Founders(&r.cfg, r.Plan.Founders, func(i int) space.Point { return r.coords[i] }) {
		r.Place(i, f.State, f.Timers, f.Persisted)
		r.canMap.Place(i)
	}
}

// due is the failure detector: it never takes a live node for failed. A driver gets that with
// leases.
func (r *run) due(_ int, t protocol.Timer) bool {
	return t.Kind != can.MissedTimer || !r.Running(t.Peer)
}

// verdict lets everything happen and judges it.
func (r *run) finish() (*sim.Result, error) {
	return r.Finish(sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: pollMicros, OnPoll: r.redirect}, r.canMap.Counts)
}
