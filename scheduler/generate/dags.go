package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

const (
	mostWidth   = 8   // a task needs at most this part of the nodes
	mostBefore  = 3   // direct predecessors of a task
	rootShare   = 0.2 // of the tasks after the first have no predecessor
	leastPoints = 5   // of a curve
	mostPoints  = 10
)

// dags draws jobs of up to twice the mean number of tasks. A task needs up to an eighth of the
// nodes, for an exponential time, and follows up to three earlier tasks. Submissions are as far
// apart in the mean as makes the load. A rigid view of a job has its widest task and its critical
// path.
func dags(v values, seed uint64) (*scheduler.Workload, error) {
	shapes, times := scheduler.Stream(seed, "dags shapes"), scheduler.Stream(seed, "dags submits")
	curves := scheduler.Stream(seed, "dags curves")
	nodes, count := int(v["nodes"]), int(v["N"])
	w := &scheduler.Workload{Nodes: nodes, Jobs: make([]scheduler.Job, count)}
	w.Tasks, w.Curves = scheduler.NewTasks(), scheduler.NewCurves()
	total := 0.0 // microseconds of nodes
	for i := range count {
		tasks := make([]scheduler.Task, 1+shapes.IntN(2*int(v["tasks"])-1))
		width, work := 1, int64(0)
		for k := range tasks {
			tasks[k] = scheduler.Task{
				ExecMicros: max(1, micros(exponential(shapes, v["mean"]))), Nodes: 1 + shapes.IntN(max(1, nodes/mostWidth)),
				Kind: scheduler.AnyKind,
			}
			width = max(width, tasks[k].Nodes)
			work += tasks[k].ExecMicros * int64(tasks[k].Nodes)
			follow(shapes, tasks, k)
		}
		if err := w.Tasks.Add(tasks); err != nil {
			return nil, fmt.Errorf("generate dags: %w", err)
		}
		total += float64(work)
		if err := w.Curves.Add(work/scheduler.Second, curve(curves)); err != nil { // in seconds of nodes
			return nil, fmt.Errorf("generate dags: %w", err)
		}
		w.Jobs[i].Nodes = width
	}
	gap := total / float64(count) / float64(nodes) / v["load"] / float64(scheduler.Second)
	submit := int64(0)
	for i, path := range w.Tasks.CriticalPaths() {
		submit += micros(exponential(times, gap))
		w.Jobs[i] = newJob(submit, path, w.Jobs[i].Nodes)
	}
	return w, nil
}

// follow draws the predecessors of a task among those before it.
func follow(r *rand.Rand, tasks []scheduler.Task, k int) {
	if k == 0 || r.Float64() < rootShare {
		return
	}
	for range 1 + r.IntN(mostBefore) {
		before := &tasks[r.IntN(k)]
		if !slices.Contains(before.Successors, int32(k)) {
			before.Successors = append(before.Successors, int32(k))
		}
	}
}

// curve draws the value of a job: the whole of it up to a stretch between 2 and 4, and nothing from
// one between 6 and 10 on.
func curve(r *rand.Rand) []scheduler.CurvePoint {
	between := func(low, high int64) int64 { return low + r.Int64N(high-low) }
	first, last := between(2*scheduler.Million, 4*scheduler.Million), between(6*scheduler.Million, 10*scheduler.Million)
	points := make([]scheduler.CurvePoint, between(leastPoints, mostPoints+1))
	var stretches, parts []int64
	for len(stretches) < len(points)-2 {
		if at := between(first+1, last); !slices.Contains(stretches, at) {
			stretches, parts = append(stretches, at), append(parts, r.Int64N(scheduler.Million+1))
		}
	}
	slices.Sort(stretches)
	slices.Sort(parts)
	points[0] = scheduler.CurvePoint{StretchPPM: first, PartPPM: scheduler.Million}
	for i, at := range stretches {
		points[i+1] = scheduler.CurvePoint{StretchPPM: at, PartPPM: parts[len(parts)-1-i]}
	}
	points[len(points)-1].StretchPPM = last
	return points
}
