package grid

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/load"
	peersim "github.com/canvass-grid/canvass/sim/peer"
)

// Result has the records of the jobs of a run, and its cost.
type Result struct {
	Records []scheduler.Record  // by job
	Hosts   []scheduler.NodeSet // the nodes of the attempt that ended, by job
	Digest  string              // as that of parallel.Run
	Counts  parallel.Counts     // as far as the cores show them; Events are their steps
	Cores   parallel.CoreCounts
}

// run is a run in progress.
type run struct {
	*sim.Simulation[peer.State, peer.Message, peer.Command]
	grid    *parallel.Grid
	options Options
	config  peer.Config
	jobs    []scheduler.Job
	specs   []reptask.Spec
	widest  int // nodes of the largest cluster that a node advertises

	arrivals []arrival
	next     int                 // of arrivals
	names    map[reptask.Job]int // jobs by name, if they are placed
	news     news
	loads    []clusterLoad
	idled    []version // at the last turn of a node, if it moved nothing

	open     int
	attempts map[attempt]*progress
	clients  *load.Clients
	fates    []fate // by job
	holds    []hold // by node

	records []scheduler.Record
	hosts   []scheduler.NodeSet
	counts  parallel.Counts
	sent    *load.Account
	asked   uint64 // nodes that a search has moved on to
	cores   parallel.CoreCounts
	coming  *load.Coming
	failed  int64 // when a node failed last
	err     error
}

// arrival is a job that comes to the grid: at its entry node or, if it is placed, at its owner.
type arrival struct {
	at     int64
	job    int
	placed *parallel.Placed // nil: its client submits it
}

// Run runs a workload until its last job has ended. When the context ends, Run returns its error.
func Run(ctx context.Context, w *scheduler.Workload, g *parallel.Grid, o Options) (*Result, error) {
	r, err := newRun(w, g, o)
	if err != nil {
		return nil, err
	}
	if err := (founding{r}).found(); err != nil {
		return nil, err
	}
	if err := r.run(ctx); err != nil {
		return nil, fmt.Errorf("run policy %q on cores: %w", o.Policy.Name, err)
	}
	stats := r.Stats()
	r.counts.Events, r.cores.Dropped = stats.Steps+stats.Remembered, stats.Dropped
	r.counts.Hops, r.counts.Seeks = r.sent.Of(hopKind).Messages, r.counts.Seeks+r.asked
	r.cores.Messages, r.cores.Again = r.sent.ByName(stats.Sent), r.clients.Again()
	return &Result{r.records, r.hosts, scheduler.Digest(r.records), r.counts, r.cores}, nil
}

func newRun(w *scheduler.Workload, g *parallel.Grid, o Options) (*run, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	nodes := len(g.Nodes)
	r := &run{
		grid: g, options: o, jobs: w.Jobs, names: map[reptask.Job]int{}, records: make([]scheduler.Record, len(w.Jobs)),
		hosts: make([]scheduler.NodeSet, len(w.Jobs)),
		news:  newNews(nodes), loads: make([]clusterLoad, nodes), sent: newAccount(),
		idled: make([]version, nodes), holds: make([]hold, nodes),
		attempts: map[attempt]*progress{}, fates: make([]fate, len(w.Jobs)), failed: -mended,
	}
	for i := range nodes {
		r.widest = max(r.widest, len(g.Advertised(i)))
	}
	for i := range r.records {
		r.records[i] = scheduler.Record{
			Job: i, StartMicros: scheduler.Unknown, EndMicros: scheduler.Unknown, Cluster: scheduler.Unknown,
		}
	}
	if err := r.arrive(w); err != nil {
		return nil, err
	}
	if err := (founding{r}).configure(); err != nil {
		return nil, err
	}
	network := sim.Network{Latency: latency{g, &r.options.Options}, Drop: o.Loss}
	config := sim.Config[peer.State, peer.Message, peer.Command]{
		Core: &core{peer.Core{Config: r.config}, r}, Seed: o.Seed, TickMicros: tickMicros, Network: network,
		Effects:  true, // a step takes what the cluster has reported, and counts messages
		Identity: func(s *peer.State) protocol.NodeID { return s.ID() },
		Stopped:  func(s *peer.State) bool { return s.Gone() },
		Span:     r.span,
		OnStep:   r.onStep,
	}
	if o.faulty() {
		config.Due, config.Unchanged = r.due, peersim.Unchanged
	}
	for i := range g.Nodes {
		config.Nodes = append(config.Nodes, peer.New(protocol.Address(i), g.Nodes[i].Coordinate))
	}
	r.Simulation = sim.New(config)
	return r, nil
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

// slowest is the longest latency of a message.
func (r *run) slowest() int64 {
	longest := r.options.LatencyMicros
	if between := r.options.Between; between != nil {
		for a := range r.grid.Platform.Clusters {
			for b := range r.grid.Platform.Clusters {
				longest = max(longest, between(a, b))
			}
		}
	}
	return longest
}

// arrive lists the jobs in the order in which they come to the grid.
func (r *run) arrive(w *scheduler.Workload) error {
	placed, err := r.grid.Place(w, &r.options.Options)
	if err != nil {
		return err
	}
	r.specify(placed)
	if !r.options.Placed {
		for i := range r.jobs {
			if int64(len(r.jobs)) > jobMask || r.jobs[i].SubmitMicros < 0 || r.jobs[i].SubmitMicros > mostSubmit {
				return fmt.Errorf("%w: job %d is submitted at %d µs, and there are %d jobs; use 0 to %d µs and at most %d jobs",
					ErrOptions, i, r.jobs[i].SubmitMicros, len(r.jobs), int64(mostSubmit), int64(jobMask))
			}
			r.arrivals = append(r.arrivals, arrival{at: r.jobs[i].SubmitMicros, job: i})
		}
		slices.SortStableFunc(r.arrivals, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
		r.open = len(r.arrivals)
		return nil
	}
	for i := range placed {
		p := &placed[i]
		if p.Excluded != "" {
			r.records[p.Job].Leave(scheduler.Excluded, p.Excluded)
			continue
		}
		r.names[p.Name] = p.Job
		r.arrivals = append(r.arrivals, arrival{p.AtMicros, p.Job, p})
	}
	r.open = len(r.arrivals)
	return nil
}

// turn is when a node balances next.
type turn struct {
	at   int64
	node int
}

// run lets time pass. At one time come first messages and ends, then reports, then jobs, then
// turns.
func (r *run) run(ctx context.Context) error {
	begin := int64(0)
	if len(r.arrivals) > 0 {
		begin = r.arrivals[0].at
	}
	var turns []turn
	for i, phase := range r.grid.Phases(&r.options.Options) {
		turns = append(turns, turn{begin + phase, i})
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	r.RunUntil(begin-1, nil)
	churn{r}.disturb()
	report, first, latest := begin, 0, r.latest()
	if r.options.NewsMicros == 0 {
		report = math.MaxInt64 // each node reports when its queue changes
	}
	for r.open > 0 {
		if err := cmp.Or(ctx.Err(), r.err); err != nil {
			return err
		}
		at := min(report, turns[first].at)
		if r.next < len(r.arrivals) {
			at = min(at, r.arrivals[r.next].at)
		}
		r.RunUntil(at, nil)
		if report == at {
			r.report()
			report += r.options.NewsMicros
		}
		for ; r.next < len(r.arrivals) && r.arrivals[r.next].at == at; r.next++ {
			r.come(&r.arrivals[r.next])
		}
		for ; turns[first].at == at; first = (first + 1) % len(turns) {
			r.balance(turns[first].node)
			turns[first].at += r.options.BalanceMicros
		}
		if at > latest {
			return fmt.Errorf("at %d µs %d jobs have not ended, and all could have run one after the other", at, r.open)
		}
	}
	return nil
}

// latest is a time by which all jobs must have ended: each may run alone, and begin a hundred times
// where nodes fail.
func (r *run) latest() int64 {
	sum := int64(86_400) * scheduler.Second
	times := int64(2)
	if r.options.faulty() {
		times = 100
	}
	for i := range r.jobs {
		sum += r.jobs[i].RunMicros + 1_000*r.slowest() + r.options.BalanceMicros + r.options.NewsMicros
	}
	last := int64(0)
	if n := len(r.arrivals); n > 0 {
		last = r.arrivals[n-1].at
	}
	return last + min(sum, 1<<54)*times
}

// span is the run time of the process of the task that a node runs. Tasks of a job end together,
// and that of the representative begins earlier than the others, by the time of a message.
func (r *run) span(node int, t protocol.Timer) int64 {
	if t != peer.RunTimer() {
		return 0
	}
	task, runs := r.State(node).Tasks.Runs()
	if !runs {
		return 0
	}
	job := &r.jobs[r.jobOf(task.Job)]
	if task.Rep == r.State(node).ID() && job.Nodes > 1 {
		return max(1, job.RunMicros) + r.options.LatencyMicros
	}
	return max(1, job.RunMicros)
}
