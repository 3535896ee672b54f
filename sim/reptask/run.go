package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// run is the run of a plan.
type run struct {
	*sim.Run[reptask.State, reptask.Message, reptask.Command]
	cfg               reptask.Config
	leases            bool
	clusters          []uint64 // by node: its cluster, one bit for each address
	mean              int64    // of run times
	ages              uint64   // how old jobs are; see submitted
	oracle            *oracle
	targeted          sim.TargetedFaults
	counterpartFaults sim.TargetedFaults // triggered by opBereave
}

const (
	second        = 1_000_000
	tickMicros    = 10_000 // the unit of reptask.DefaultConfig
	leaseMicros   = 500 * tickMicros
	regrantMicros = 1200 * tickMicros
)

func newRun(p *sim.Plan, o sim.RunOptions, leases bool) (*run, error) {
	if err := validate(p); err != nil {
		return nil, err
	}
	latency, err := p.Delays()
	if err != nil {
		return nil, err
	}
	r := &run{cfg: reptask.DefaultConfig(), leases: leases}
	r.shape(p)
	r.oracle = newOracle(r, p.Nodes)
	config := sim.Config[reptask.State, reptask.Message, reptask.Command]{
		Core: &reptask.Core{Config: r.cfg}, TickMicros: tickMicros, Network: sim.Network{Latency: latency},
		Identity: func(s *reptask.State) protocol.NodeID { return s.Self },
		Due:      r.isDue,
		Span:     r.span,
		OnStep:   r.onStep,
	}
	for i := range p.Nodes {
		config.Nodes = append(config.Nodes, reptask.New(protocol.Address(i)))
	}
	r.Run = sim.NewRun(p, o, config, r.oracle)
	r.Begin()
	for i := range p.Nodes {
		r.Start(i)
	}
	r.sendClusters()
	return r, r.schedule()
}

// shape draws the clusters, the run times of tasks, and the ages of jobs.
func (r *run) shape(p *sim.Plan) {
	c := sim.NewChance(p.Shape, 1)
	whole := c.Of(1, 2)
	for i := range p.Nodes {
		members := uint64(1)<<p.Nodes - 1
		if !whole {
			members = c.Below(1 << p.Nodes)
			if c.Of(5, 6) {
				members |= 1 << i
			}
		}
		r.clusters = append(r.clusters, members)
	}
	r.mean = []int64{1, second / 10, 2 * second, 10 * second}[c.Below(4)]
	r.ages = c.Below(3)
}

// sendClusters gives all nodes their clusters, reduced to nodes that live and stay.
func (r *run) sendClusters() {
	for i := range r.Len() {
		r.sendCluster(i)
	}
}

func (r *run) sendCluster(node int) {
	if !r.Live(node) {
		return
	}
	o := reptask.Command{Kind: reptask.CommandCluster}
	for i := range r.Len() {
		if r.Live(i) && r.clusters[node]>>i&1 == 1 && isStaying(r.State(i)) {
			o.Cluster = append(o.Cluster, reptask.Neighbour{ID: r.State(i).Self})
		}
	}
	r.Command(node, o)
}

// isDue is the failure detector. If it is accurate, it never suspects a live node, and an owner
// grants a job again only when no host holds a task of the failed representative.
func (r *run) isDue(_ int, t protocol.Timer) bool {
	switch {
	case r.leases:
		return true
	case t.Kind == reptask.LeaseTimer:
		return !r.Running(t.Peer)
	case t.Kind == reptask.RegrantTimer:
		return !r.Running(t.Peer) && !r.oracle.isLeased(t.Peer)
	}
	return true
}

// span draws the run time of a process for its job.
func (r *run) span(node int, t protocol.Timer) int64 {
	if t.Kind != reptask.RunTimer {
		return 0
	}
	task, runs := r.State(node).Runs()
	if !runs {
		return 0
	}
	return 1 + sim.NewChance(r.Plan.Seed, task.Job.Hash()).Exponential(r.mean)
}

// onStep is called after each step that changed a node or had events.
func (r *run) onStep(node int, events []protocol.Event) {
	r.oracle.step(node, events)
	if !r.Live(node) {
		return
	}
	r.FailOn(&r.targeted, node, events, triggers, r.fail)
	r.failCounterpart(node, events)
	if slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == reptask.EventOrphan }) {
		r.At(r.Now()+1, func() { r.findOwners(node) })
	}
	if id := r.State(node).Self; r.State(node).Drained() {
		r.At(r.Now()+second, func() { r.end(node, id) })
	}
}

// end ends the process of a node that has left and has nothing left to do.
func (r *run) end(node int, id protocol.NodeID) {
	if r.Running(id) && r.State(node).Drained() {
		r.Crash(node)
	}
}

// findOwners names a new owner for each attempt that has lost its owner: the next live node by
// address.
func (r *run) findOwners(node int) {
	if !r.Live(node) {
		return
	}
	for _, role := range slices.Clone(r.State(node).Roles) {
		if role.Bond != reptask.Seeking {
			continue
		}
		for i := range r.Len() {
			at := (int(role.Owner.Address) + 1 + i) % r.Len()
			if r.Live(at) {
				r.Command(node, reptask.Command{
					Kind: reptask.CommandAdopt, Job: role.Job, Target: r.State(at).Self, Candidates: r.candidates(role.Job.Hash()),
				})
				break
			}
		}
	}
}

// candidates draws one to three live nodes that may represent a job.
func (r *run) candidates(seed uint64) []protocol.NodeID {
	c := sim.NewChance(r.Plan.Shape, seed)
	var live, drawn []protocol.NodeID
	for i := range r.Len() {
		if r.Live(i) {
			live = append(live, r.State(i).Self)
		}
	}
	for most := 1 + int(c.Below(3)); len(live) > 0 && len(drawn) < most; {
		at := c.Below(uint64(len(live)))
		drawn = append(drawn, live[at])
		live = slices.Delete(live, int(at), int(at)+1)
	}
	return drawn
}

func (r *run) finish() (*sim.Result, error) {
	return r.Finish(
		sim.Convergence{Latency: sim.Exponential(50_000), PollMicros: second},
		func() map[string]int { return r.oracle.seen },
	)
}
