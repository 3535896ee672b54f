package grid

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim"
)

// ErrOptions says that the cores cannot run with the options given.
var ErrOptions = errors.New("options that the cores cannot have")

// run is a run in progress.
type run struct {
	*sim.Simulation[reptask.State, reptask.Message, reptask.Command]
	grid    *parallel.Grid
	options parallel.Options
	config  reptask.Config
	jobs    []scheduler.Job
	index   map[reptask.Job]int // of jobs in the workload
	placed  []parallel.Placed
	next    int      // of placed
	known   []uint32 // queue lengths at the last report
	open    int
	running []int // the job of the task that a node runs
	left    []int // dependents that have not ended, by job
	records []scheduler.Record
}

// Run runs a workload until its last job has ended.
func Run(w *scheduler.Workload, g *parallel.Grid, o parallel.Options) ([]scheduler.Record, error) {
	if err := o.Validate(); err != nil {
		return nil, errors.Join(ErrOptions, err)
	}
	if o.NewsMicros == 0 {
		return nil, fmt.Errorf("%w: without a period of news no core learns a queue length; set NewsMicros", ErrOptions)
	}
	placed, err := g.Place(w, &o)
	if err != nil {
		return nil, err
	}
	r := newRun(w, g, o, placed)
	r.config = g.Config(&o)
	r.limits(len(w.Jobs))
	if err := r.config.Validate(); err != nil {
		return nil, err
	}
	config := sim.Config[reptask.State, reptask.Message, reptask.Command]{
		Core: &reptask.Core{Config: r.config}, Seed: o.Seed, TickMicros: scheduler.Second,
		Network:  sim.Network{Latency: latency{g, &o}},
		Identity: func(s *reptask.State) protocol.NodeID { return s.Self },
		Span:     r.span,
		OnStep:   r.onStep,
	}
	for i := range g.Nodes {
		config.Nodes = append(config.Nodes, reptask.New(protocol.Address(i)))
	}
	r.Simulation = sim.New(config)
	for i := range g.Nodes {
		r.Start(i)
		r.tell(i)
	}
	return r.records, r.run()
}

// latency is that of the options.
type latency struct {
	grid    *parallel.Grid
	options *parallel.Options
}

// Micros implements [sim.Latency].
func (l latency) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	return l.grid.MessageMicros(l.options, int(from), int(to))
}

func newRun(w *scheduler.Workload, g *parallel.Grid, o parallel.Options, placed []parallel.Placed) *run {
	r := &run{
		grid: g, options: o, jobs: w.Jobs, index: map[reptask.Job]int{}, known: make([]uint32, len(g.Nodes)),
		running: make([]int, len(g.Nodes)), left: make([]int, len(w.Jobs)), records: make([]scheduler.Record, len(w.Jobs)),
	}
	for i := range r.records {
		r.left[i] = w.Jobs[i].Nodes
		r.records[i] = scheduler.Record{
			Job: i, StartMicros: scheduler.Unknown, EndMicros: scheduler.Unknown, Cluster: scheduler.Unknown,
		}
	}
	for _, p := range placed {
		if p.Excluded != "" {
			r.records[p.Job].Excluded = p.Excluded
			continue
		}
		r.index[p.Name] = p.Job
		r.placed = append(r.placed, p)
	}
	r.open = len(r.placed)
	return r
}

// limits gives every table room for all jobs, and puts off every timer beyond the end of the run.
func (r *run) limits(jobs int) {
	c := &r.config
	c.TaskLimit, c.RoleLimit, c.JobLimit, c.FloorLimit = jobs+1, jobs+1, jobs+1, jobs+1
	c.BeatTicks, c.ResendTicks = math.MaxUint32/8, math.MaxUint32/8
	c.LeaseTicks, c.RegrantTicks = math.MaxUint32/4, math.MaxUint32
}

// run lets time pass. At one time come first messages and ends, then reports, then jobs at their
// owners, then turns.
func (r *run) run() error {
	begin := int64(0)
	if len(r.placed) > 0 {
		begin = r.placed[0].AtMicros
	}
	type turn struct {
		at   int64
		node int
	}
	var turns []turn
	for i, phase := range r.grid.Phases(&r.options) {
		turns = append(turns, turn{begin + phase, i})
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return int(a.at - b.at) })
	report := begin
	for r.open > 0 {
		at := min(report, turns[0].at)
		if r.next < len(r.placed) {
			at = min(at, r.placed[r.next].AtMicros)
		}
		r.RunUntil(at, nil)
		if report == at {
			r.report()
			report += r.options.NewsMicros
		}
		for ; r.next < len(r.placed) && r.placed[r.next].AtMicros == at; r.next++ {
			r.submit(&r.placed[r.next])
		}
		for turns[0].at == at {
			t := turns[0]
			r.balance(t.node)
			turns = append(turns[1:], turn{at + r.options.BalanceMicros, t.node})
		}
		if at > int64(1)<<60 {
			return fmt.Errorf("%d jobs wait without end", r.open)
		}
	}
	return nil
}

// submit gives a job to its owner.
func (r *run) submit(p *parallel.Placed) {
	c := reptask.Command{Kind: reptask.CommandSubmit, Submitted: p.Name.Submitted, Spec: p.Spec}
	for _, i := range p.Candidates {
		c.Candidates = append(c.Candidates, r.grid.Nodes[i].ID)
	}
	r.Command(p.Owner, c)
}

// report makes the present queue lengths known.
func (r *run) report() {
	changed := make([]bool, len(r.known))
	for i := range r.known {
		length := r.State(i).QueueLength()
		changed[i] = (length == 0) != (r.known[i] == 0)
		r.known[i] = length
	}
	for i := range r.known {
		if slices.ContainsFunc(r.grid.Advertised(i), func(k int32) bool { return changed[k] }) {
			r.tell(i)
		}
	}
}

// tell tells a node the known queue lengths of the cluster that it advertises.
func (r *run) tell(node int) {
	c := reptask.Command{Kind: reptask.CommandCluster}
	for _, k := range r.grid.Advertised(node) {
		c.Cluster = append(c.Cluster, reptask.Neighbour{ID: r.grid.Nodes[k].ID, Length: r.known[k]})
	}
	r.Command(node, c)
}

// span is the run time of the process of the task that a node runs. Tasks of a job end together,
// and that of the representative begins earlier than the others, by the time of a message.
func (r *run) span(node int, t protocol.Timer) int64 {
	if t.Kind != reptask.RunTimer {
		return 0
	}
	task, _ := r.State(node).Runs()
	job := &r.jobs[r.index[task.Job]]
	if task.Rep == r.State(node).Self && job.Nodes > 1 {
		return max(1, job.RunMicros) + r.options.LatencyMicros
	}
	return max(1, job.RunMicros)
}
