package central

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/scheduler"
)

const (
	never = calendar.Never // later than any time of a run

	// latest bounds all times of a run, so that no sum of two of them overflows.
	latest = int64(1) << 62
)

// Options choose a policy. Only the policy has no default.
type Options struct {
	Policy string // one of [System.Policies]
	Choice string // which of several clusters that have room, a name of [Choices]; "" is "best"
	Passes string // when the policy runs, a name of [Passes]; "" is "instant"
	Seed   uint64 // of random choices: choice "random" and policy "random"

	// Compress is the way in which conservative changes reservations after an early end, a name of
	// [Compressions]; "" is "each".
	Compress string
}

func (o Options) withDefaults() Options {
	o.Choice, o.Passes, o.Compress = cmp.Or(o.Choice, "best"), cmp.Or(o.Passes, "instant"), cmp.Or(o.Compress, "each")
	return o
}

// check refuses unknown names other than that of the policy.
func (o Options) check() error {
	if err := known("choice", o.Choice, Choices()); err != nil {
		return err
	}
	if err := known("compress", o.Compress, Compressions()); err != nil {
		return err
	}
	return known("passes", o.Passes, Passes())
}

// Choices lists how a cluster is chosen where several have room. Equally good clusters are taken in
// the order of the platform.
//
//   - best: the one with the fewest nodes left over.
//   - first: the first of the platform.
//   - fastest: the one with the fastest nodes, of these the one with the fewest nodes left over.
//   - random: each with the same probability.
func Choices() []string { return []string{"best", "first", "fastest", "random"} }

// Compressions lists the ways in which conservative changes reservations when a job has ended
// early.
//
//   - each: one waiting job after the other, in order of submission, moves to an earlier time if
//     there is one beside all other reservations. None is moved to a later time. pyss does so.
//   - order: jobs keep the order of their reservations, and each moves to the earliest time that is
//     not before the job ahead of it. None is moved to a later time. Alea does so.
//   - anew: all reservations are given up, and made anew in order of submission. Older jobs start
//     earlier, and younger ones may start later than they were promised.
//   - never: each job keeps its reservation. Nodes that became free serve jobs submitted later.
func Compressions() []string {
	return []string{compressEach, compressOrder, compressAnew, compressNever}
}

// The names of [Compressions].
const (
	compressEach  = "each"
	compressOrder = "order"
	compressAnew  = "anew"
	compressNever = "never"
)

// Passes lists when the policy runs.
//
//   - instant: once at each time at which something happens, after all completions and then all
//     submissions of that time.
//   - event: after each event, as pyss does, the simulator of the Parallel Workloads Archive.
//     Submissions come before completions of the same time. Jobs that end at this time exactly as
//     estimated have already given back their nodes then; no job does where there are no estimates.
func Passes() []string { return []string{"instant", "event"} }

// Result has the records of the jobs of a run.
type Result struct {
	Records []scheduler.Record // by job; start, end and cluster of an excluded job are Unknown
	Tasks   []scheduler.Record // by task; nil if the policy runs rigid jobs
	Digest  string             // the first 16 hexadecimal digits of the SHA-256 of all starts and clusters
	Events  uint64             // submissions, completions, exceeded estimates, and reservations that came due
}

// Run runs a policy on a workload, from its first submission until its last job has ended. Workload
// and platform are not changed.
//
// An unknown name in the options is an [UnknownError]. A job without an estimate is an
// [EstimateError], if the policy needs estimates. A policy from outside this package that decides
// something impossible is a [PolicyError]. Other errors name the job or cluster that is not
// as it must be. When the context ends, Run returns its error after the present event.
func Run(ctx context.Context, w *scheduler.Workload, p *scheduler.Platform, o Options) (*Result, error) {
	o = o.withDefaults()
	chosen, err := find(o)
	if err != nil {
		return nil, err
	}
	return run(ctx, w, p, chosen, o)
}

// run runs a policy that has been found.
func run(ctx context.Context, w *scheduler.Workload, p *scheduler.Platform, chosen policy, o Options) (*Result, error) {
	if err := check(w, p); err != nil {
		return nil, fmt.Errorf("run policy %q: %w", o.Policy, err)
	}
	if chosen.Tasks {
		return runTasks(ctx, w, p, o)
	}
	if w.Tasks != nil {
		return nil, fmt.Errorf("run policy %q: the jobs of workload %q have tasks with an order, and this policy runs "+
			"rigid jobs; use fifo or srtf", o.Policy, w.Name)
	}
	e := newEngine(w, p, o)
	e.exclude(chosen)
	if err := e.checkEstimates(chosen); err != nil {
		return nil, err
	}
	e.queue(chosen)
	err := e.run(ctx)
	if refused := (*PolicyError)(nil); errors.As(err, &refused) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("run policy %q: stopped at %d µs after %d events: %w", o.Policy, e.now, e.events, err)
	}
	return &Result{Records: e.records, Digest: scheduler.Digest(e.records), Events: e.events}, nil
}

// check refuses workloads and platforms that the rest of the package does not expect.
func check(w *scheduler.Workload, p *scheduler.Platform) error {
	if len(p.Clusters) == 0 {
		return fmt.Errorf("platform %q has no cluster; give it one", p.Name)
	}
	for i, c := range p.Clusters {
		if c.Nodes < 1 || c.Nodes > math.MaxInt32 {
			return fmt.Errorf("cluster %d (%q) of platform %q has %d nodes; give it 1 to %d",
				i, c.Name, p.Name, c.Nodes, math.MaxInt32)
		}
	}
	if len(w.Jobs) > math.MaxInt32 {
		return fmt.Errorf("workload %q has %d jobs; split it into parts of at most %d", w.Name, len(w.Jobs), math.MaxInt32)
	}
	if err := cmp.Or(w.CheckTables(), p.CheckMachines()); err != nil {
		return err
	}
	if w.Needs != nil || p.Machines != nil {
		return fmt.Errorf("workload %q or platform %q tells nodes of a cluster apart, and policies of this package do not; "+
			"use neither needs nor machines", w.Name, p.Name)
	}
	last, sum := int64(0), int64(0)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		switch {
		case j.Nodes < 1:
			return fmt.Errorf("job %d (number %d) has %d nodes; drop it or give it 1", i, j.Number, j.Nodes)
		case j.RunMicros < 0:
			return fmt.Errorf("job %d (number %d) has run time %d µs; drop it or give it 0", i, j.Number, j.RunMicros)
		case j.SubmitMicros < last:
			return fmt.Errorf("job %d (number %d) is submitted at %d µs, before 0 or the job ahead of it; sort the workload",
				i, j.Number, j.SubmitMicros)
		case j.RunMicros > latest-sum || j.SubmitMicros > latest-sum-j.RunMicros:
			return fmt.Errorf("with job %d (number %d), the last submission and all run times add up to more than "+
				"%d µs; take fewer jobs", i, j.Number, latest)
		}
		last = j.SubmitMicros
		sum += j.RunMicros
	}
	return nil
}
