package custody

import (
	custodymodel "github.com/canvass-grid/canvass/model/custody"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opAccept  = "accept"  // the client hands the job in, again
	opCrash   = "crash"   // a custodian crashes
	opRestart = "restart" // it comes back
	opOutage  = "outage"  // all custodians crash
	opStrike  = "strike"  // the next custodian with a certain event crashes; Arg: see sim.Run.FailOn
)

// run is the run of a plan: one job.
type run struct {
	*sim.Run[custodymodel.Site, custody.Message, custody.Command]
	agent    *custodymodel.Agent
	limit    uint32
	oracle   *oracle
	targeted sim.TargetedFaults
}

func newRun(p *sim.Plan, o sim.RunOptions) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{}
	r.shape(p)
	r.oracle = &oracle{seen: map[string]int{}}
	r.oracle.chronicle = custodymodel.NewChronicle(r.agent, r.site, func(i int) []byte { return r.Persisted(i) })
	config := sim.Config[custodymodel.Site, custody.Message, custody.Command]{
		Core: r.agent, TickMicros: second / 100, Network: sim.Network{Latency: latency},
		Identity: func(s *custodymodel.Site) protocol.NodeID { return custodymodel.Identity(*s) },
		Due: func(node int, t protocol.Timer) bool {
			return r.oracle.chronicle.May(r.State(node), t)
		},
		OnStep: r.onStep,
	}
	var disks [][]byte
	for _, a := range r.agent.Custodians {
		s, disk := r.agent.New(a)
		config.Nodes, disks = append(config.Nodes, s), append(disks, disk)
	}
	config.Nodes, disks = append(config.Nodes, custodymodel.NewGrid(protocol.Address(p.Nodes))), append(disks, nil)
	r.Run = sim.NewRun(p, o, config, r.oracle)
	for i, s := range config.Nodes {
		r.Place(i, s, r.agent.Pending(&s), disks[i])
	}
	r.Begin()
	return r, r.Schedule(map[string]func(sim.Op){
		opAccept:  func(sim.Op) { r.accept() },
		opCrash:   func(op sim.Op) { r.fail(op.Node) },
		opRestart: func(op sim.Op) { r.restart(op.Node) },
		opOutage:  func(sim.Op) { r.outage() },
		opStrike:  r.targeted.Add,
	})
}

// shape draws the attempts of the job, and the events of the world.
func (r *run) shape(p *sim.Plan) {
	c := sim.NewChance(p.Shape, 1)
	a := &custodymodel.Agent{
		Core: &custody.Core{Config: custody.DefaultConfig()}, Lives: uint16(2*len(p.Ops) + 2),
		GivesUp: c.Of(1, 2), Powercuts: c.Of(1, 2),
	}
	if p.Scenario == cancels {
		a.Cancels, a.Forgets = c.Of(2, 3), c.Of(1, 2)
	}
	for i := range p.Nodes {
		a.Custodians = append(a.Custodians, protocol.Address(i))
	}
	r.limit = 1 + uint32(c.Below(3))
	for try := range r.limit + 1 { // the first try may be given up
		for range 1 + c.Below(2) {
			a.Attempts = append(a.Attempts, custodymodel.Attempt{Try: try + 1, Hosts: 1 + int(c.Below(3))})
		}
	}
	r.agent = a
}

// site is the state of a custodian, or nil if it is down.
func (r *run) site(node int) *custodymodel.Site {
	if !r.Live(node) {
		return nil
	}
	return r.State(node)
}

// accept submits the job. A client that has had its job forgotten does not submit it again.
func (r *run) accept() {
	if r.oracle.seen[custody.EventForgotten] > 0 {
		return
	}
	r.Command(0, custody.Command{Kind: custody.CommandAccept, Limit: r.limit})
}

func (r *run) fail(node int) {
	if node < len(r.agent.Custodians) && r.Live(node) {
		r.Crash(node)
	}
}

func (r *run) restart(node int) {
	if node < len(r.agent.Custodians) && !r.Live(node) {
		r.Restart(node)
	}
}

func (r *run) outage() {
	for i := range r.agent.Custodians {
		r.fail(i)
	}
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) {
	after := custodymodel.Site{}
	if s := r.site(node); s != nil {
		after = *s
	}
	r.oracle.step(node, after, events)
	r.FailOn(&r.targeted, node, events, triggers, r.fail)
}

// triggers are the kinds of events that trigger a strike: the others have no record of them yet.
var triggers = []string{
	custody.EventLeads, custody.EventAccepted, custody.EventSubmit, custody.EventPermitted, custody.EventClosed,
	custody.EventCancel, custody.EventEnded, custody.EventYields,
}

// finish ends the run. All custodians come back, and the client hands the job in again.
func (r *run) finish() (*sim.Result, error) {
	heal := func() {
		for i := range r.agent.Custodians {
			r.restart(i)
		}
		r.accept()
	}
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second, OnHeal: heal},
		func() map[string]int { return r.oracle.seen },
	)
}
