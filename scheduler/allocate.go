package scheduler

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/internal/calendar"
)

// Allocate gives the jobs of a run nodes, for policies that only count the nodes of a cluster. Jobs
// choose in the order of starts, and jobs that start at once in the order of ends. A job gets the
// first range of free nodes that is large enough, or else the lowest free nodes. Nodes are
// free from the end of a job on, so a job that runs for no time leaves its nodes to others of the
// same instant. An excluded job has no nodes. It is an error if jobs need more nodes at once than a
// cluster has.
func Allocate(p *Platform, jobs []Job, records []Record) ([]NodeSet, error) {
	clusters, first := make([]freeNodes, len(p.Clusters)), 0
	for i := range clusters {
		clusters[i].free = NodeSet{{first, first + p.Clusters[i].Nodes - 1}}
		first += p.Clusters[i].Nodes
	}
	var order []int
	for i := range records {
		if records[i].Excluded == "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(records[a].StartMicros, records[b].StartMicros),
			cmp.Compare(records[a].EndMicros, records[b].EndMicros))
	})
	sets := make([]NodeSet, len(records))
	for _, i := range order {
		r := &records[i]
		c := &clusters[r.Cluster]
		c.release(r.StartMicros)
		nodes := c.take(jobs[r.Job].Nodes)
		if nodes == nil {
			return nil, fmt.Errorf("job %d (number %d) needs %d nodes of cluster %q at %d µs, of which %d are free",
				r.Job, jobs[r.Job].Number, jobs[r.Job].Nodes, p.Clusters[r.Cluster].Name, r.StartMicros, c.free.Count())
		}
		sets[i] = nodes
		c.busy.Push(calendar.Event[NodeSet]{At: r.EndMicros, Order: uint64(nodes[0].First), Value: nodes})
	}
	return sets, nil
}

// AllocateTasks gives the tasks of a run nodes, as [Allocate] does, and returns those of each job.
func AllocateTasks(p *Platform, w *Workload, tasks []Record) ([]NodeSet, error) {
	table := w.Tasks
	if table == nil {
		return Allocate(p, w.Jobs, tasks)
	}
	jobs, records := make([]Job, len(tasks)), slices.Clone(tasks)
	for i := range records {
		jobs[i] = Job{Number: w.Jobs[tasks[i].Job].Number, Nodes: table.Nodes(tasks[i].Task)}
		records[i].Job = i
	}
	each, err := Allocate(p, jobs, records)
	if err != nil {
		return nil, err
	}
	sets := make([]NodeSet, len(w.Jobs))
	for i, set := range each {
		sets[tasks[i].Job] = sets[tasks[i].Job].Union(set)
	}
	return sets, nil
}

// freeNodes are the free nodes of a cluster, and those of the jobs that run, by the ends of the
// jobs. Jobs that end at once are in the order of their lowest nodes, so that the order is fixed.
type freeNodes struct {
	free NodeSet
	busy calendar.Heap[NodeSet]
}

// release frees the nodes of jobs that have ended.
func (f *freeNodes) release(now int64) {
	for f.busy.NextAt() <= now {
		for _, r := range f.busy.Pop().Value {
			f.give(r)
		}
	}
}

// give frees a range, and joins it with its neighbours.
func (f *freeNodes) give(r NodeRange) {
	i, _ := slices.BinarySearchFunc(f.free, r.First, func(x NodeRange, first int) int { return x.First - first })
	if i < len(f.free) && f.free[i].First == r.Last+1 {
		r.Last = f.free[i].Last
		f.free = slices.Delete(f.free, i, i+1)
	}
	if i > 0 && f.free[i-1].Last+1 == r.First {
		f.free[i-1].Last = r.Last
		return
	}
	f.free = slices.Insert(f.free, i, r)
}

// take takes n nodes; nil if there are not as many.
func (f *freeNodes) take(n int) NodeSet {
	whole := func(r NodeRange) bool { return r.Last-r.First+1 >= n }
	if i := slices.IndexFunc(f.free, whole); i >= 0 {
		return NodeSet{f.cut(i, n)}
	}
	if f.free.Count() < n {
		return nil
	}
	var nodes NodeSet
	for n > 0 {
		r := f.cut(0, min(n, f.free[0].Last-f.free[0].First+1))
		nodes = append(nodes, r)
		n -= r.Last - r.First + 1
	}
	return nodes
}

// cut takes n nodes from the beginning of a free range.
func (f *freeNodes) cut(i, n int) NodeRange {
	r := NodeRange{f.free[i].First, f.free[i].First + n - 1}
	if f.free[i].First = r.Last + 1; f.free[i].First > f.free[i].Last {
		f.free = slices.Delete(f.free, i, i+1)
	}
	return r
}
