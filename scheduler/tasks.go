package scheduler

import (
	"fmt"
	"math"
	"slices"
)

// Tasks has the tasks of the jobs of a workload. A task runs when its predecessors have ended, on
// nodes of one cluster. Tasks are numbered through the jobs, so that those of a job are a range.
type Tasks struct {
	Kinds []string // of nodes: a task needs any, or one of these

	first      []int32 // task, by job, and one more
	edges      []int32 // where the successors of a task begin, by task, and one more
	successors []int32 // tasks
	exec       []int64
	nodes      []int32
	kind       []int16
}

// Task is one task of a job.
type Task struct {
	ExecMicros int64
	Nodes      int     // it needs this many at once
	Kind       int     // of [Tasks.Kinds], or [AnyKind]
	Successors []int32 // tasks of the same job, by their places in it
}

// AnyKind is the kind of a task that runs on every node.
const AnyKind = -1

// NewTasks returns a table without jobs.
func NewTasks(kinds ...string) *Tasks {
	return &Tasks{Kinds: kinds, first: []int32{0}, edges: []int32{0}}
}

// Add adds the tasks of the next job. They are in an order in which they could run one after the
// other: successors come later. The table is not changed if there is an error.
func (t *Tasks) Add(tasks []Task) error {
	job, base := t.Jobs(), int32(t.Len())
	if len(tasks) == 0 {
		return fmt.Errorf("job %d has no task; give it one", job)
	}
	edges := len(t.successors)
	for i := range tasks {
		if err := t.check(tasks, i); err != nil {
			return fmt.Errorf("job %d, task %d: %w", job, i, err)
		}
		edges += len(tasks[i].Successors)
	}
	if len(tasks) > math.MaxInt32-t.Len() || edges > math.MaxInt32 {
		return fmt.Errorf("with job %d there are more than %d tasks or edges; make fewer jobs", job, math.MaxInt32)
	}
	for i := range tasks {
		x := &tasks[i]
		t.exec, t.nodes = append(t.exec, x.ExecMicros), append(t.nodes, int32(x.Nodes))
		t.kind = append(t.kind, int16(x.Kind))
		for _, next := range x.Successors {
			t.successors = append(t.successors, base+next)
		}
		t.edges = append(t.edges, int32(len(t.successors)))
	}
	t.first = append(t.first, int32(t.Len()))
	return nil
}

func (t *Tasks) check(tasks []Task, i int) error {
	x := &tasks[i]
	switch {
	case x.ExecMicros < 0:
		return fmt.Errorf("it runs for %d µs; use 0 or more", x.ExecMicros)
	case x.Nodes < 1 || x.Nodes > math.MaxInt32:
		return fmt.Errorf("it needs %d nodes; use 1 to %d", x.Nodes, math.MaxInt32)
	case x.Kind != AnyKind && (x.Kind < 0 || x.Kind >= len(t.Kinds)):
		return fmt.Errorf("it needs nodes of kind %d, of %d kinds; use a kind of the table, or AnyKind", x.Kind, len(t.Kinds))
	}
	seen := map[int32]bool{}
	for _, next := range x.Successors {
		if int(next) <= i || int(next) >= len(tasks) {
			return fmt.Errorf("its successor is task %d of %d; number tasks so that successors come later", next, len(tasks))
		}
		if seen[next] {
			return fmt.Errorf("task %d is its successor twice; name it once", next)
		}
		seen[next] = true
	}
	return nil
}

// Rigid returns a table in which each job of a workload is one task.
func Rigid(w *Workload) (*Tasks, error) {
	t := NewTasks()
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if err := t.Add([]Task{{ExecMicros: j.RunMicros, Nodes: j.Nodes, Kind: AnyKind}}); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Jobs counts the jobs.
func (t *Tasks) Jobs() int { return len(t.first) - 1 }

// Len counts the tasks.
func (t *Tasks) Len() int { return len(t.exec) }

// Of returns the tasks of a job: from first up to but not including end.
func (t *Tasks) Of(job int) (first, end int32) { return t.first[job], t.first[job+1] }

// JobOf finds the job of a task.
func (t *Tasks) JobOf(task int32) int {
	after, _ := slices.BinarySearch(t.first, task+1)
	return after - 1
}

// ExecMicros is how long a task runs.
func (t *Tasks) ExecMicros(task int32) int64 { return t.exec[task] }

// Nodes is how many nodes a task needs.
func (t *Tasks) Nodes(task int32) int { return int(t.nodes[task]) }

// Kind is the kind of nodes that a task needs, or [AnyKind].
func (t *Tasks) Kind(task int32) int { return int(t.kind[task]) }

// Successors lists the tasks that cannot start before a task has ended. The list must not be
// changed.
func (t *Tasks) Successors(task int32) []int32 { return t.successors[t.edges[task]:t.edges[task+1]] }

// Predecessors counts the predecessors of each task.
func (t *Tasks) Predecessors() []int32 {
	counts := make([]int32, t.Len())
	for _, next := range t.successors {
		counts[next]++
	}
	return counts
}

// CriticalPaths returns for each job the time that it takes at least, however many nodes there are.
func (t *Tasks) CriticalPaths() []int64 {
	ranks, paths := t.Ranks(), make([]int64, t.Jobs())
	for job := range paths {
		first, end := t.Of(job)
		paths[job] = slices.Max(ranks[first:end])
	}
	return paths
}

// Ranks returns for each task the time from its start to the end of the job that no number of nodes
// can shorten: its own time and the largest of its successors' ranks.
func (t *Tasks) Ranks() []int64 {
	ranks := make([]int64, t.Len())
	for task := int32(t.Len()) - 1; task >= 0; task-- {
		longest := int64(0)
		for _, next := range t.Successors(task) {
			longest = max(longest, ranks[next])
		}
		ranks[task] = t.exec[task] + longest
	}
	return ranks
}
