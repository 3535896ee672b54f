package muster

import (
	mustermodel "github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opCancel = "cancel" // the client cancels
	opEnd    = "end"    // the task layer ends the attempt at a node
	opCrash  = "crash"  // a node fails
	opStrike = "strike" // the next node with a certain event fails; Arg: see sim.Run.FailOn
)

// run is the run of a plan: one attempt.
type run struct {
	*sim.Run[mustermodel.Site, muster.Message, muster.Command]
	agent    *mustermodel.Agent
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
	r := &run{agent: shape(p)}
	r.oracle = &oracle{run: r, chronicle: mustermodel.NewChronicle(r.agent), seen: map[string]int{}}
	config := sim.Config[mustermodel.Site, muster.Message, muster.Command]{
		Core: r.agent, TickMicros: second / 100, Network: sim.Network{Latency: latency},
		Identity: func(s *mustermodel.Site) protocol.NodeID { return s.Core.Self },
		Due: func(node int, t protocol.Timer) bool {
			return t.Kind != mustermodel.EndTimer || r.agent.Over(node, r.site)
		},
		OnStep: r.onStep,
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, mustermodel.New(id(i)))
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	for i, s := range config.Nodes {
		r.Place(i, s, r.agent.Pending(&s), nil)
	}
	r.Begin()
	return r, r.Schedule(map[string]func(sim.Op){
		opCancel: func(sim.Op) { r.cancel(muster.Cancelled) },
		opEnd:    func(op sim.Op) { r.Command(op.Node, muster.Command{Kind: muster.CommandEnd}) },
		opCrash:  func(op sim.Op) { r.fail(op.Node) },
		opStrike: r.targeted.Add,
	})
}

// id is the identity of the node with an index.
func id(i int) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}
}

// shape draws the hosts of the attempt, its representative, and the fates of its processes. A node
// may have no part in it.
func shape(p *sim.Plan) *mustermodel.Agent {
	c := sim.NewChance(p.Shape, 1)
	a := &mustermodel.Agent{
		Core: &muster.Core{Config: muster.DefaultConfig()}, Rep: id(int(c.Below(uint64(p.Nodes)))),
		HaltOnFailure: c.Of(2, 3), Refusable: c.Of(1, 4),
	}
	first := c.Below(uint64(p.Nodes))
	fates := []mustermodel.Fate{
		mustermodel.Ends, mustermodel.Ends, mustermodel.Ends | mustermodel.Fails, mustermodel.Fails, 0,
		mustermodel.Unfits | mustermodel.Ends,
	}[:3+c.Below(4)]
	for i := range p.Nodes {
		if uint64(i) == first || c.Of(4, 5) {
			a.Hosts = append(a.Hosts, id(i))
		}
		a.Fates = append(a.Fates, fates[c.Below(uint64(len(fates)))])
	}
	return a
}

// site is the state of a node, or nil if it has crashed.
func (r *run) site(node int) *mustermodel.Site {
	if !r.Live(node) {
		return nil
	}
	return r.State(node)
}

func (r *run) cancel(why muster.Reason) {
	r.Command(int(r.agent.Rep.Address), muster.Command{Kind: muster.CommandHalt, Reason: why})
}

func (r *run) fail(node int) {
	if r.Live(node) {
		r.Crash(node)
	}
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) {
	r.oracle.step(node, events)
	r.FailOn(&r.targeted, node, events, triggers, r.fail)
}

// triggers are the kinds of events that trigger a strike. Other nodes then depend on messages that
// the node has not sent yet.
var triggers = []string{
	muster.EventPermit, muster.EventGranted, muster.EventGo, muster.EventHalting, muster.EventHalt, muster.EventStatus,
	muster.EventOutcome, muster.EventFinish,
}

// finish ends the run. The client then cancels what still runs.
func (r *run) finish() (*sim.Result, error) {
	timeout := func() { r.cancel(muster.TimedOut) }
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second, OnHeal: timeout, OnPoll: timeout},
		func() map[string]int { return r.oracle.seen },
	)
}
