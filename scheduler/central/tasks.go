package central

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/scheduler"
)

// ofTasks makes a policy that orders the tasks whose predecessors have ended. Its keys are those of
// [keysOf].
func ofTasks(name, rule string) policy {
	return policy{scheduler.Policy{Name: name, Rule: rule, Tasks: true}, single, nil}
}

// keysOf returns the keys of tasks. The ready task with the least key is the head.
func keysOf(policy string, w *scheduler.Workload, t *scheduler.Tasks) []int64 {
	if policy == "srtf" {
		return t.Ranks()
	}
	return bySubmission(w, t)
}

func bySubmission(w *scheduler.Workload, t *scheduler.Tasks) []int64 {
	keys := make([]int64, t.Len())
	for job := range w.Jobs {
		for task, end := t.Of(job); task < end; task++ {
			keys[task] = w.Jobs[job].SubmitMicros
		}
	}
	return keys
}

// taskRun is a run of jobs whose tasks have an order. Nodes that are free and events are those of
// the engine; its queues are not used.
type taskRun struct {
	*engine
	table  *scheduler.Tasks
	keys   []int64              // by task
	places []base               // the clusters of each kind, and then all of them
	ready  calendar.Heap[int32] // tasks by key, those of equal keys by number
	waits  []int32              // predecessors that have not ended, by task
	left   []int32              // tasks that have not ended, by job
	tasks  []scheduler.Record   // by task; those of the engine are by job
}

// runTasks runs a policy of tasks. A workload without tasks has one for each job.
func runTasks(ctx context.Context, w *scheduler.Workload, p *scheduler.Platform, o Options) (*Result, error) {
	r := &taskRun{engine: newEngine(w, p, o), table: w.Tasks}
	if r.table == nil {
		var err error
		if r.table, err = scheduler.Rigid(w); err != nil {
			return nil, fmt.Errorf("run policy %q: %w", o.Policy, err)
		}
	}
	r.keys, r.waits = keysOf(o.Policy, w, r.table), r.table.Predecessors()
	r.left = make([]int32, len(w.Jobs))
	r.place()
	r.tasks = make([]scheduler.Record, r.table.Len())
	if err := r.enlist(); err != nil {
		return nil, fmt.Errorf("run policy %q: %w", o.Policy, err)
	}
	if err := r.run(ctx); err != nil {
		return nil, fmt.Errorf("run policy %q: stopped at %d µs after %d events: %w", o.Policy, r.now, r.events, err)
	}
	return &Result{Records: r.records, Tasks: r.tasks, Digest: scheduler.Digest(r.tasks), Events: r.events}, nil
}

// place lists the clusters of each kind.
func (r *taskRun) place() {
	all := base{engine: r.engine}
	r.places = make([]base, len(r.table.Kinds), len(r.table.Kinds)+1)
	for k := range r.places {
		r.places[k].engine = r.engine
	}
	for c := range r.clusters {
		all.places = append(all.places, c)
		for k, kind := range r.table.Kinds {
			if r.clusters[c].Kind == kind {
				r.places[k].places = append(r.places[k].places, c)
			}
		}
	}
	r.places = append(r.places, all)
}

// placesOf are the clusters in which a task may run.
func (r *taskRun) placesOf(task int32) *base {
	if k := r.table.Kind(task); k != scheduler.AnyKind {
		return &r.places[k]
	}
	return &r.places[len(r.places)-1]
}

// enlist prepares the records, and leaves out jobs with a task that can run nowhere.
func (r *taskRun) enlist() error {
	sum := int64(0)
	for job := range r.jobs {
		first, end := r.table.Of(job)
		r.left[job] = end - first
		why := ""
		for task := first; task < end; task++ {
			r.tasks[task] = scheduler.Record{
				Job: job, Task: task,
				StartMicros: scheduler.Unknown, EndMicros: scheduler.Unknown, Cluster: scheduler.Unknown,
			}
			if why == "" {
				why = r.impossible(task)
			}
			exec := r.table.ExecMicros(task)
			if exec > latest-sum || r.jobs[job].SubmitMicros > latest-sum-exec {
				return fmt.Errorf("with job %d (number %d), the last submission and the times of all tasks add up to more "+
					"than %d µs; take fewer jobs", job, r.jobs[job].Number, latest)
			}
			sum += exec
		}
		if why != "" {
			r.records[job].Leave(scheduler.Excluded, why)
			for task := first; task < end; task++ {
				r.tasks[task].Leave(scheduler.Excluded, why)
			}
		}
	}
	return nil
}

// impossible says why a task can run nowhere; "" if it can.
func (r *taskRun) impossible(task int32) string {
	largest, nodes := 0, r.table.Nodes(task)
	for _, c := range r.placesOf(task).places {
		largest = max(largest, r.clusters[c].Nodes)
	}
	switch k := r.table.Kind(task); {
	case nodes <= largest:
		return ""
	case k != scheduler.AnyKind:
		return fmt.Sprintf("needs %d nodes of kind %s; the largest such cluster has %d", nodes, r.table.Kinds[k], largest)
	}
	return fmt.Sprintf("needs %d nodes; the largest cluster has %d", nodes, largest)
}

// run handles all events: at each time first ends, then submissions, and then the head starts as
// long as there is room. Tasks that run for no time end in another round of the same time.
func (r *taskRun) run(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := min(r.ends.NextAt(), r.nextSubmission())
		if at == never {
			break
		}
		r.now = at
		for r.ends.NextAt() == at {
			r.end(r.ends.Pop().Value)
		}
		for r.nextSubmission() == at {
			r.arrive(r.next)
			r.next++
		}
		for len(r.ready) > 0 && r.startHead() {
		}
	}
	for task := range r.tasks {
		if x := &r.tasks[task]; x.Outcome == scheduler.Done && x.StartMicros < 0 {
			panic(fmt.Sprintf("central: task %d never started", task))
		}
	}
	return nil
}

// arrive lets the tasks of a job that have no predecessors wait for nodes.
func (r *taskRun) arrive(job int) {
	if r.records[job].Outcome != scheduler.Done {
		return
	}
	r.events++
	for task, end := r.table.Of(job); task < end; task++ {
		if r.waits[task] == 0 {
			r.makeReady(task)
		}
	}
}

// makeReady lets a task wait for nodes.
func (r *taskRun) makeReady(task int32) {
	r.ready.Push(calendar.Event[int32]{At: r.keys[task], Order: uint64(task), Value: task})
}

// startHead starts the first of the tasks that are ready, if a cluster has room for it.
func (r *taskRun) startHead() bool {
	task := r.ready[0].Value
	nodes := r.table.Nodes(task)
	c := r.placesOf(task).choose(func(c int) int { return r.free[c] - nodes })
	if c < 0 {
		return false
	}
	r.ready.Pop()
	r.free[c] -= nodes
	x := &r.tasks[task]
	x.StartMicros, x.EndMicros, x.Cluster = r.now, r.now+r.table.ExecMicros(task), c
	r.started++
	r.ends.Push(calendar.Event[int32]{At: x.EndMicros, Order: r.started, Value: task})
	if job := &r.records[x.Job]; job.StartMicros < 0 {
		job.StartMicros, job.Cluster = r.now, c
	}
	return true
}

// end frees the nodes of a task. Those of its successors that wait for no other task are ready.
func (r *taskRun) end(task int32) {
	r.events++
	x := &r.tasks[task]
	r.free[x.Cluster] += r.table.Nodes(task)
	for _, next := range r.table.Successors(task) {
		if r.waits[next]--; r.waits[next] == 0 {
			r.makeReady(next)
		}
	}
	if r.left[x.Job]--; r.left[x.Job] == 0 {
		r.records[x.Job].EndMicros = r.now
	}
}
