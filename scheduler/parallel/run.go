package parallel

import (
	"context"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
)

// Result has the records of the jobs of a run.
type Result struct {
	Records []scheduler.Record // by job; start, end and cluster of an excluded job are Unknown
	Digest  string             // the first 16 hexadecimal digits of the SHA-256 of all starts and clusters
	Counts  Counts
	Moves   []reptask.Moves // by job: the algorithms that have moved it
}

// Counts has the cost of a run.
type Counts struct {
	Events   uint64 `json:"events"`
	Messages uint64 `json:"messages"` // that decide something, from one node to another; several may be one event
	DLBMoves uint64 `json:"dlb_moves"`
	QBMoves  uint64 `json:"qb_moves"`
	Kills    uint64 `json:"kills"` // ready tasks that gave way to an older one
	// Time in which a node waited for the decision of a job, over all nodes.
	HeldNodeMicros int64  `json:"held_node_micros"`
	Hops           uint64 `json:"hops"`
	Seeks          uint64 `json:"seeks"` // nodes that were asked because no neighbour of the owner was capable
}

// Run runs a workload on a grid until its last job has ended. When the context ends, Run returns
// its error after the present event.
func Run(ctx context.Context, w *scheduler.Workload, g *Grid, o Options) (*Result, error) {
	if err := o.validate(g); err != nil {
		return nil, fmt.Errorf("run policy %q: %w", o.Policy.Name, err)
	}
	placed, err := g.Place(w, &o)
	if err != nil {
		return nil, fmt.Errorf("run policy %q: %w", o.Policy.Name, err)
	}
	e := newEngine(w, g, o, placed)
	if err := e.run(ctx); err != nil {
		return nil, fmt.Errorf("run policy %q: stopped at %d µs after %d events: %w",
			o.Policy.Name, e.now, e.counts.Events, err)
	}
	return &Result{e.records, scheduler.Digest(e.records), e.counts, e.moves()}, nil
}

// moves lists by which algorithms each job was moved.
func (e *engine) moves() []reptask.Moves {
	all := make([]reptask.Moves, len(e.records))
	for i := range e.jobs {
		all[e.jobs[i].index] = e.jobs[i].moves
	}
	return all
}

// Config is the configuration of the cores that a run stands for.
func (g *Grid) Config(o *Options) reptask.Config {
	cfg := reptask.DefaultConfig()
	cfg.Dims, cfg.Machine, cfg.Classes = g.space.Dims, 0, g.classes
	cfg.StrictMinimum = o.Minimum == minimumStrict
	cfg.KthPosition = o.Position == "kth"
	cfg.MoveEach = o.Moves == "each"
	return cfg
}

func newEngine(w *scheduler.Workload, g *Grid, o Options, placed []Placed) *engine {
	e := &engine{
		grid: g, options: o, config: g.Config(&o), records: make([]scheduler.Record, len(w.Jobs)),
		hosts: make([]host, len(g.Nodes)), nodes: make([]node, len(g.Nodes)), loads: make([]load, len(g.views)),
	}
	for i := range e.records {
		e.records[i] = scheduler.Record{
			Job: i, StartMicros: scheduler.Unknown, EndMicros: scheduler.Unknown, Cluster: scheduler.Unknown,
		}
	}
	e.balancer.engine = e
	e.enlist(w, placed)
	if o.Policy.QB && o.Position == "average" {
		e.sums = make([]int64, len(e.jobs))
	}
	begin := int64(0)
	if len(e.arrive) > 0 {
		begin = e.arrive[0].at
	}
	e.news = newNews(o.NewsMicros, begin)
	phases := g.Phases(&o)
	for i := range phases {
		phases[i] += begin
		e.surround(int32(i))
	}
	e.turns = newTurns(o.BalanceMicros, phases)
	e.wakes = newWakes(e)
	return e
}

// surround lists the nodes to which a node may move its jobs, and the clusters that they advertise.
func (e *engine) surround(i int32) {
	n := &e.nodes[i]
	for _, k := range e.grid.Near(int(i), e.options.Reach) {
		if k != i {
			n.near = append(n.near, k)
			n.views = append(n.views, int32(e.grid.Nodes[k].View))
		}
	}
	slices.Sort(n.views)
	n.views = slices.Compact(n.views)
}

// Phases draws when the nodes have their first turns, in microseconds since the first arrival.
func (g *Grid) Phases(o *Options) []int64 {
	draw := scheduler.Stream(o.Seed, "turns")
	phases := make([]int64, len(g.Nodes))
	for i := range phases {
		phases[i] = draw.Int64N(o.BalanceMicros)
	}
	return phases
}

// enlist numbers the jobs by age.
func (e *engine) enlist(w *scheduler.Workload, placed []Placed) {
	for i := range placed {
		p := &placed[i]
		e.counts.Hops += uint64(p.Hops)
		e.counts.Seeks += uint64(p.Seeks)
		if p.Excluded != "" {
			e.records[p.Job].Leave(scheduler.Excluded, p.Excluded)
			continue
		}
		j := job{
			index: p.Job, name: p.Name, requirement: p.Requirement, size: int32(p.Spec.Size),
			hosts: int(p.Spec.Dispatched()), runMicros: w.Jobs[p.Job].RunMicros, owner: int32(p.Owner),
		}
		for _, c := range p.Candidates {
			j.candidates = append(j.candidates, int32(c))
		}
		e.jobs = append(e.jobs, j)
	}
	slices.SortFunc(e.jobs, func(a, b job) int { return a.name.Compare(b.name) })
	number := make([]int32, len(w.Jobs))
	for i := range e.jobs {
		number[e.jobs[i].index] = int32(i)
	}
	for i := range placed {
		if p := &placed[i]; p.Excluded == "" {
			e.arrive = append(e.arrive, arrival{p.AtMicros, number[p.Job]})
		}
	}
	e.open = len(e.jobs)
}

// Near lists the nodes to which a node may move its jobs.
func (g *Grid) Near(i int, reach string) []int32 {
	var all []int32
	if reach == ReachGlobal {
		for k := range g.Nodes {
			all = append(all, int32(k))
		}
		return all
	}
	if steps := map[string]int{ReachThree: 3, ReachFour: 4}[reach]; steps > 0 {
		return g.within(int32(i), steps)
	}
	n := &g.Nodes[i]
	for k := range n.routes.Known {
		all = append(all, int32(n.routes.Known[k].ID.Address))
	}
	if reach == ReachBoth {
		all = append(all, n.beyond...)
	}
	slices.Sort(all)
	return all
}

// within lists the other nodes that are at most steps hops from a node, from neighbour to direct
// neighbour.
func (g *Grid) within(i int32, steps int) []int32 {
	seen, last := map[int32]bool{i: true}, []int32{i}
	var all []int32
	for range steps {
		var next []int32
		for _, k := range last {
			for _, r := range g.Nodes[k].routes.Known {
				if at := int32(r.ID.Address); !seen[at] {
					seen[at] = true
					next = append(next, at)
				}
			}
		}
		all, last = append(all, next...), next
	}
	slices.Sort(all)
	return all
}

// MessageMicros is the latency of a message between two nodes. It depends on their clusters only.
func (g *Grid) MessageMicros(o *Options, from, to int) int64 {
	if o.Between == nil {
		return o.LatencyMicros
	}
	a, b := g.Nodes[from].Cluster, g.Nodes[to].Cluster
	if a == b {
		return o.LatencyMicros
	}
	return o.Between(a, b)
}
