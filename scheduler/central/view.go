package central

import (
	"fmt"
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// View is all that a policy can see of a run: the jobs that have been submitted, without their run
// times, and the nodes that are free. It changes with the run, and with each [View.Start].
type View struct {
	of       base
	clusters []scheduler.Cluster

	waiting   []int32 // in order of submission; started jobs are removed now and then
	started   int     // jobs of waiting that have started
	running   []int32 // in the order of their starts
	submitted []int32 // since the last decision
	ended     []int32 // likewise
	wakeAt    int64
	failure   *PolicyError
}

// Job is a job as a scheduler sees it: without its run time.
type Job struct {
	Index          int   // its name within the run
	Number         int64 // as its log numbers it
	SubmitMicros   int64 // since the log's beginning, as all times
	EstimateMicros int64 // at least 1; [scheduler.Unknown] if there is none
	Nodes          int   // it needs this many at once, in one cluster
	User           int64 // Unknown if the log does not say; so are the next four
	Group          int64
	Executable     int64
	Queue          int64
	Partition      int64
}

// Running is a job that runs.
type Running struct {
	Job
	Cluster     int
	StartMicros int64
}

func newView(b base) *View {
	return &View{of: b, clusters: slices.Clone(b.clusters), wakeAt: never}
}

// Now is the present time, in microseconds since the log's beginning.
func (v *View) Now() int64 { return v.of.now }

// Seed is the seed of the run, for a policy that draws: see [scheduler.Stream].
func (v *View) Seed() uint64 { return v.of.options.Seed }

// Clusters lists the clusters. A cluster's index is its name within the run.
func (v *View) Clusters() []scheduler.Cluster { return v.clusters }

// Free is how many nodes of a cluster are free.
func (v *View) Free(cluster int) int { return v.of.free[cluster] }

// Choose returns the cluster with that many free nodes which the option Choice prefers, or -1 if no
// cluster has so many.
func (v *View) Choose(nodes int) int {
	return v.of.choose(func(c int) int { return v.of.free[c] - nodes })
}

// Queue lists the waiting jobs, in order of submission. Jobs may be started meanwhile: those do not
// wait any more.
func (v *View) Queue() iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for _, j := range v.waiting {
			if v.of.records[j].StartMicros < 0 && !yield(v.job(j)) {
				return
			}
		}
	}
}

// Running lists the jobs that run, in the order of their starts. No job may be started meanwhile.
func (v *View) Running() iter.Seq[Running] {
	return func(yield func(Running) bool) {
		for _, j := range v.running {
			r := &v.of.records[j]
			if !yield(Running{v.job(j), r.Cluster, r.StartMicros}) {
				return
			}
		}
	}
}

// Submitted lists the jobs that have been submitted since the last decision, in that order.
func (v *View) Submitted() iter.Seq[Job] { return v.list(v.submitted) }

// Ended lists the jobs that have ended since the last decision, in that order.
func (v *View) Ended() iter.Seq[Job] { return v.list(v.ended) }

// Start starts a waiting job in a cluster, now. If that is not possible, the run ends with a
// [PolicyError]. No start after it has an effect then.
func (v *View) Start(job, cluster int) {
	if v.failure != nil {
		return
	}
	if why := v.of.refusal(job, cluster); why != "" {
		v.failAt(job, fmt.Sprintf("it starts %s in cluster %d, but %s", v.called(job), cluster, why), nil)
		return
	}
	j := int32(job)
	v.of.start(j, cluster, v.of.estimate(j))
	v.running = append(v.running, j)
	v.started++
}

// Wake asks for a decision at a time later than now, even if nothing happens then. Any decision
// before that time cancels it, and so does the end of the last job, if none waits or will come.
func (v *View) Wake(atMicros int64) {
	what := ""
	switch {
	case atMicros <= v.of.now:
		what = "which is not later; wake later, or not at all"
	case atMicros > latest:
		what = fmt.Sprintf("and no run lasts until then; wake at %s at the latest, or not at all", seconds(latest))
	default:
		v.wakeAt = atMicros
		return
	}
	v.fail(fmt.Sprintf("it asks to be woken at %s, %s", seconds(atMicros), what), nil)
}

// waits counts the jobs that wait.
func (v *View) waits() int { return len(v.waiting) - v.started }

// job is a job without its run time.
func (v *View) job(j int32) Job {
	x := &v.of.jobs[j]
	estimate := int64(scheduler.Unknown)
	if x.EstimateMicros >= 0 {
		estimate = v.of.estimate(j)
	}
	return Job{
		int(j), x.Number, x.SubmitMicros, estimate, x.Nodes, x.User, x.Group, x.Executable, x.Queue, x.Partition,
	}
}

func (v *View) list(jobs []int32) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for _, j := range jobs {
			if !yield(v.job(j)) {
				return
			}
		}
	}
}

// compact removes started jobs from the list of waiting ones, once half of the list has started.
func (v *View) compact() {
	if 2*v.started <= len(v.waiting) {
		return
	}
	v.waiting = slices.DeleteFunc(v.waiting, func(j int32) bool { return v.of.records[j].StartMicros >= 0 })
	v.started = 0
}

// called names a job by index and number, if there is one.
func (v *View) called(job int) string {
	if job < 0 || job >= len(v.of.jobs) {
		return fmt.Sprintf("job %d", job)
	}
	return fmt.Sprintf("job %d (number %d)", job, v.of.jobs[job].Number)
}

// fail notes an error of the policy, and names the oldest job that waits.
func (v *View) fail(what string, err error) {
	job := scheduler.Unknown
	for oldest := range v.Queue() {
		job = oldest.Index
		what += fmt.Sprintf(" (jobs that wait: %d, the oldest is %s)", v.waits(), v.called(job))
		break
	}
	v.failAt(job, what, err)
}

// failAt notes an error about a job. The first error counts.
func (v *View) failAt(job int, what string, err error) {
	if v.failure == nil {
		v.failure = &PolicyError{Policy: v.of.options.Policy, Micros: v.of.now, Job: job, What: what, Err: err}
		v.wakeAt = never
	}
}

// stalled fails if jobs wait that nothing will ever start.
func (v *View) stalled() {
	if v.failure == nil && v.waits() > 0 {
		v.fail("it has stalled: no job runs or will be submitted, and it asks for no wake-up; start the jobs, or "+
			"wake when they may start", nil)
	}
}
