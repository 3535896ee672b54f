package central

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/scheduler"
)

// engine holds the state of a run that is the same for all policies.
type engine struct {
	jobs     []scheduler.Job
	clusters []scheduler.Cluster
	options  Options
	draw     *rand.Rand // for the choice of a cluster

	now      int64
	next     int   // the first job that is not yet submitted
	free     []int // nodes, by cluster
	records  []scheduler.Record
	expected []int64              // when a running job is expected to end; never if there is no estimate
	ends     calendar.Heap[int32] // of running jobs by their end; equal ends in the order of the starts
	overruns calendar.Heap[int32] // of running jobs by their expected end, if that is before their end
	started  uint64
	events   uint64

	queues    []discipline
	route     func(j int32) int // the queue that a job joins
	position  []int32           // of jobs in a waitlist
	touched   []int             // queues with something new
	isTouched []bool            // by queue
	demand    []int64           // nodes of waiting and running jobs, by queue
	follows   bool              // the policy follows running jobs by their estimates
	wake      func() int64      // when a pass is due though nothing happens; nil if never
	view      *View             // of a policy from outside this package; nil for the others
}

func newEngine(w *scheduler.Workload, p *scheduler.Platform, o Options) *engine {
	e := &engine{
		jobs: w.Jobs, clusters: p.Clusters, options: o, draw: scheduler.Stream(o.Seed, "choice of a cluster"),
		free: make([]int, len(p.Clusters)), records: make([]scheduler.Record, len(w.Jobs)),
		expected: make([]int64, len(w.Jobs)), position: make([]int32, len(w.Jobs)),
	}
	for i, c := range p.Clusters {
		e.free[i] = c.Nodes
	}
	for j := range e.records {
		e.records[j] = scheduler.Record{
			Job: j, StartMicros: scheduler.Unknown, EndMicros: scheduler.Unknown, Cluster: scheduler.Unknown,
		}
	}
	return e
}

// run handles all events.
func (e *engine) run(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := min(e.ends.NextAt(), e.overruns.NextAt(), e.nextSubmission())
		if e.wake != nil && !(at == never && e.isIdle()) {
			at = min(at, e.wake())
		}
		if at == never {
			break
		}
		if at < e.now {
			panic(fmt.Sprintf("central: an event at %d µs comes after %d µs", at, e.now))
		}
		e.now = at
		if e.options.Passes == "event" {
			e.eachEvent()
		} else {
			e.instant()
		}
		if e.wake != nil && e.wake() <= e.now {
			e.events++
			e.queues[0].pass()
			if e.wake() <= e.now {
				panic(fmt.Sprintf("central: a reservation at %d µs was not used", e.now))
			}
		}
		if err := e.failure(); err != nil {
			return err
		}
	}
	if e.view != nil {
		e.view.stalled()
	}
	if err := e.failure(); err != nil {
		return err
	}
	for j := range e.records {
		if r := &e.records[j]; r.Excluded == "" && r.StartMicros < 0 {
			panic(fmt.Sprintf("central: job %d never started", j))
		}
	}
	return nil
}

// isIdle reports whether a policy from outside this package has no job that waits. If none runs or
// will be submitted either, no decision can have an effect.
func (e *engine) isIdle() bool { return e.view != nil && e.view.waits() == 0 }

// failure is that of a policy from outside this package.
func (e *engine) failure() error {
	if e.view != nil && e.view.failure != nil {
		return e.view.failure
	}
	return nil
}

func (e *engine) nextSubmission() int64 {
	if e.next < len(e.jobs) {
		return e.jobs[e.next].SubmitMicros
	}
	return never
}

// instant handles all events of the present time, and then each queue with something new once. Jobs
// that run for no time end in another round of the same time.
func (e *engine) instant() {
	for e.ends.NextAt() == e.now {
		j := e.ends.Pop().Value
		e.release(j)
		e.complete(j)
	}
	e.correct()
	for e.nextSubmission() == e.now {
		e.submit()
	}
	e.pass()
}

// eachEvent handles the events of the present time one by one, each with its own pass.
func (e *engine) eachEvent() {
	e.correct()
	var ending []int32
	for e.ends.NextAt() == e.now {
		j := e.ends.Pop().Value
		ending = append(ending, j)
		if e.expected[j] == e.now {
			e.release(j)
		}
	}
	for e.nextSubmission() == e.now {
		e.submit()
		e.pass()
	}
	for _, j := range ending {
		if e.expected[j] != e.now {
			e.release(j)
		}
		e.complete(j)
		e.pass()
	}
}

// submit lets the next job join its queue, unless it is excluded.
func (e *engine) submit() {
	j := int32(e.next)
	e.next++
	if e.records[j].Excluded != "" {
		return
	}
	e.events++
	q := e.route(j)
	e.demand[q] += int64(e.jobs[j].Nodes)
	e.queues[q].submit(j)
	e.touch(q)
}

// start runs a job in a cluster from now on. All policies start their jobs here.
func (e *engine) start(j int32, cluster int, estimate int64) {
	if why := e.refusal(int(j), cluster); why != "" {
		panic(fmt.Sprintf("central: job %d starts in cluster %d, but %s", j, cluster, why))
	}
	job, r := &e.jobs[j], &e.records[j]
	e.free[cluster] -= job.Nodes
	r.StartMicros, r.EndMicros, r.Cluster = e.now, e.now+job.RunMicros, cluster
	e.started++
	e.ends.Push(calendar.Event[int32]{At: r.EndMicros, Order: e.started, Value: j})
	e.expected[j] = after(e.now, estimate)
	if e.follows && e.expected[j] < r.EndMicros {
		e.overruns.Push(calendar.Event[int32]{At: e.expected[j], Order: e.started, Value: j})
	}
}

// refusal says why a job cannot start in a cluster now, and what to do; "" if it can.
func (e *engine) refusal(j, cluster int) string {
	switch {
	case j < 0 || j >= e.next:
		return "no such job has been submitted; start jobs of the queue"
	case e.records[j].Excluded != "":
		return "it " + e.records[j].Excluded + ", so it is in no queue; start jobs of the queue"
	case e.records[j].StartMicros >= 0:
		return fmt.Sprintf("it started at %s already; start each job once", seconds(e.records[j].StartMicros))
	case cluster < 0 || cluster >= len(e.free):
		return fmt.Sprintf("clusters are 0 to %d; name one of them", len(e.free)-1)
	case e.jobs[j].Nodes > e.free[cluster]:
		return fmt.Sprintf("the job needs %d nodes and the cluster has %d free; compare them before",
			e.jobs[j].Nodes, e.free[cluster])
	}
	return ""
}

// release gives back the nodes of a job.
func (e *engine) release(j int32) {
	nodes, cluster := e.jobs[j].Nodes, e.records[j].Cluster
	e.free[cluster] += nodes
	q := e.queueOf(j)
	e.demand[q] -= int64(nodes)
	e.queues[q].release(j)
}

func (e *engine) complete(j int32) {
	e.events++
	q := e.queueOf(j)
	e.queues[q].complete(j)
	e.touch(q)
}

// correct postpones the expected ends of jobs that run longer than expected: first to the user's
// estimate, if that of the policy was smaller, and after that by doubling the estimate.
func (e *engine) correct() {
	for e.overruns.NextAt() == e.now {
		x := e.overruns.Pop()
		j := x.Value
		e.events++
		r, was := &e.records[j], e.expected[j]
		estimate := 2 * (was - r.StartMicros)
		if users := e.estimate(j); users > was-r.StartMicros {
			estimate = users
		}
		e.expected[j] = after(r.StartMicros, estimate)
		if e.expected[j] < r.EndMicros {
			e.overruns.Push(calendar.Event[int32]{At: e.expected[j], Order: x.Order, Value: j})
		}
		e.queues[e.queueOf(j)].correct(j, was)
	}
}

// pass lets each queue with something new start jobs.
func (e *engine) pass() {
	slices.Sort(e.touched)
	for _, q := range e.touched {
		e.isTouched[q] = false
		e.queues[q].pass()
	}
	e.touched = e.touched[:0]
}

// touch notes that a queue has something new.
func (e *engine) touch(q int) {
	if !e.isTouched[q] {
		e.isTouched[q] = true
		e.touched = append(e.touched, q)
	}
}

// queueOf finds the queue of a job that has started. If there are several, each is for a cluster
// and has its index.
func (e *engine) queueOf(j int32) int {
	if len(e.queues) == 1 {
		return 0
	}
	return e.records[j].Cluster
}

// estimate is how long a job may be expected to run: at least a microsecond, so that it takes its
// nodes away from others; never ending if there is no estimate.
func (e *engine) estimate(j int32) int64 {
	if est := e.jobs[j].EstimateMicros; est >= 0 {
		return max(1, est)
	}
	return never
}

// after adds a duration to a time.
func after(at, duration int64) int64 {
	if duration > never-at {
		return never
	}
	return at + duration
}
