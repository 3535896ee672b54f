package lease

import (
	leasemodel "github.com/canvass-grid/canvass/model/lease"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opAsk       = "ask"       // a node asks for another. Arg: which one
	opCrash     = "crash"     // a node crashes
	opRestart   = "restart"   // it comes back
	opRegrid    = "regrid"    // the operator closes the generation at a witness
	opPartition = "partition" // the network is divided
	opHeal      = "heal"      // and is whole again
)

// run is the run of a plan.
type run struct {
	*sim.Run[leasemodel.Site, leasemodel.Wire, lease.Command]
	agent  *leasemodel.Agent
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
	r.oracle = &oracle{run: r, chronicle: leasemodel.NewChronicle(r.agent), seen: map[string]int{}}
	config := sim.Config[leasemodel.Site, leasemodel.Wire, lease.Command]{
		Core: r.agent, TickMicros: second / 100, Network: sim.Network{Latency: latency},
		Identity: func(s *leasemodel.Site) protocol.NodeID { return leasemodel.Identity(*s) },
		Due: func(node int, t protocol.Timer) bool {
			return t.Kind != leasemodel.EnterTimer || r.oracle.isOpen(r.State(node).Core.Generation)
		},
		OnStep: r.onStep,
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, r.agent.New(i))
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	r.Begin()
	for i := range p.Nodes {
		r.Start(i)
	}
	return r, r.Schedule(map[string]func(sim.Op){
		opAsk: r.ask, opCrash: func(op sim.Op) { r.crash(op.Node) }, opRestart: func(op sim.Op) { r.restart(op.Node) },
		opRegrid: r.regrid, opPartition: r.PartitionOp, opHeal: r.HealOp,
	})
}

// shape draws the number of witnesses.
func shape(p *sim.Plan) *leasemodel.Agent {
	c := sim.NewChance(p.Shape, 1)
	witnesses := []protocol.Address{}
	for w := range [...]int{1, min(3, 1+2*((p.Nodes-1)/2)), min(5, 1+2*((p.Nodes-1)/2))}[c.Below(3)] {
		witnesses = append(witnesses, protocol.Address(w))
	}
	cfg := lease.DefaultConfig(witnesses...)
	cfg.Nonces = uint32(p.Nodes)
	a := &leasemodel.Agent{Core: &lease.Core{Config: cfg}, Enters: true, Returns: true}
	for i := range p.Nodes {
		a.Addresses, a.Silent = append(a.Addresses, protocol.Address(i)), append(a.Silent, false)
		a.Mourned = append(a.Mourned, protocol.NodeID{})
	}
	return a
}

// ask lets a node ask for the incarnation that runs, or ran last, at another address.
func (r *run) ask(op sim.Op) {
	of := r.State(int(op.Arg % uint64(r.Len()))).Core.Self
	if r.Live(op.Node) && of.Incarnation > 0 {
		r.Command(op.Node, lease.Command{Kind: lease.CommandAsk, Node: of})
	}
}

func (r *run) regrid(op sim.Op) {
	if node := op.Node % len(r.agent.Config.Witnesses); r.Live(node) {
		r.Command(node, lease.Command{Kind: lease.CommandRegrid})
	}
}

func (r *run) crash(node int) {
	if r.Live(node) {
		r.Crash(node)
	}
}

func (r *run) restart(node int) {
	if !r.Live(node) {
		r.Restart(node)
	}
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) { r.oracle.step(node, events) }

// sites returns the nodes that run.
func (r *run) sites() (all []*leasemodel.Site) {
	for i := range r.Len() {
		if r.Live(i) {
			all = append(all, r.State(i))
		}
	}
	return all
}

// finish ends the run. All nodes come back.
func (r *run) finish() (*sim.Result, error) {
	heal := func() {
		for i := range r.Len() {
			r.restart(i)
		}
	}
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second, OnHeal: heal},
		func() map[string]int { return r.oracle.seen },
	)
}
