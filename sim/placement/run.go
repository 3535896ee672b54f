package placement

import (
	placementmodel "github.com/canvass-grid/canvass/model/placement"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opCrash   = "crash"   // the node crashes
	opRestart = "restart" // it comes back
)

// run is the run of a plan.
type run struct {
	*sim.Run[placementmodel.Site, placement.Message, placement.Command]
	agent  *placementmodel.Agent
	oracle *oracle
}

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{agent: shape(p)}
	r.oracle = &oracle{run: r, chronicle: placementmodel.NewChronicle(r.agent), seen: map[string]int{}}
	first := r.agent.New(protocol.NodeID{Incarnation: 1})
	config := sim.Config[placementmodel.Site, placement.Message, placement.Command]{
		Core: r.agent, TickMicros: second / 100, Network: sim.Network{Latency: latency},
		Nodes:    []placementmodel.Site{first},
		Identity: func(s *placementmodel.Site) protocol.NodeID { return placementmodel.Identity(*s) },
		OnStep:   r.oracle.step,
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	r.Place(0, first, r.agent.Pending(&first), []byte{1}) // it has begun before
	r.Begin()
	return r, r.Schedule(map[string]func(sim.Op){
		opCrash: func(sim.Op) { r.Crash(0) }, opRestart: func(sim.Op) { r.restart() },
	})
}

// shape draws the jobs, the number of them that share the turns, and the faults.
func shape(p *sim.Plan) *placementmodel.Agent {
	c := sim.NewChance(p.Shape, 1)
	cfg := placement.DefaultConfig()
	cfg.TurnsLeast = 1 + uint32(c.Below(8))
	count := func() uint8 { return uint8(c.Below(2) * c.Below(20)) }
	a := &placementmodel.Agent{
		Core: &placement.Core{Config: cfg}, Yields: count(), Holds: count(), Silent: count(), Vain: count(),
		Repeats: count(), Deaths: count(),
	}
	large := c.Of(1, 4) // with more jobs that no node can hold than turns
	for range 1 + c.Below(placementmodel.MostJobs/2) {
		a.Jobs = append(a.Jobs, placementmodel.Job{
			Impossible: c.Of(1, 5) || large && c.Of(1, 2), Tries: 1 + uint32(c.Below(3)),
			Rest: uint32(c.Below(2) * c.Below(3000)),
		})
	}
	return a
}

func (r *run) restart() {
	if !r.Live(0) {
		r.Restart(0)
	}
}

// finish ends the run, once all jobs that nodes can hold have ended.
func (r *run) finish() (*sim.Result, error) {
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second, OnHeal: r.restart},
		func() map[string]int { return r.oracle.seen },
	)
}

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	chronicle *placementmodel.Chronicle
	seen      map[string]int
}

// step is called after each step that changed the node or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	for _, e := range events {
		o.seen[e.Name]++
	}
	o.chronicle.Observe(o.run.State(node), o.run.Pending(node), events)
	if property := o.chronicle.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(o.run.State(node).Core.Self, events))
	}
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	if !o.run.Live(0) || !o.run.agent.Over(o.run.State(0)) {
		return "AllEnd", "a job that nodes can hold has not ended"
	}
	return "", ""
}
