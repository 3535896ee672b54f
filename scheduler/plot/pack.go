package plot

import (
	"cmp"
	"container/heap"
	"slices"
)

// Pack gives tasks node numbers, for records that only say how many nodes of a cluster a job had.
// FirstNode of its argument is ignored. Nodes[i] is the number of nodes of cluster i. A task gets
// the first neighbouring free nodes that are enough; if there are none, it is split over the lowest
// free ones, and each part is a Task. The result is in the order of starts. It is an error if tasks
// need more nodes at once than a cluster has.
func Pack(nodes []int, tasks []Task) ([]Task, error) {
	c := newCheck("pack", "tasks", "")
	checkNodes(c, nodes)
	for i, t := range tasks {
		checkTask(c, i, t, nodes)
	}
	if c.err != nil {
		return nil, c.err
	}
	order := make([]int, len(tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tasks[a].StartSeconds, tasks[b].StartSeconds),
			cmp.Compare(tasks[a].EndSeconds, tasks[b].EndSeconds))
	})
	rows := make([]allocation, len(nodes))
	for i, n := range nodes {
		rows[i].free = []interval{{0, n}}
	}
	var out []Task
	for _, i := range order {
		t := tasks[i]
		row := &rows[t.Cluster]
		row.release(t.StartSeconds)
		parts := row.take(t.Nodes)
		c.require(parts != nil, "task %d (%q) needs %d nodes of cluster %d at %g s, but %d of its %d are free",
			i+1, t.Label, t.Nodes, t.Cluster, t.StartSeconds, row.count(), nodes[t.Cluster])
		if c.err != nil {
			return nil, c.err
		}
		for _, p := range parts {
			t.FirstNode, t.Nodes = p.from, p.to-p.from
			out = append(out, t)
			heap.Push(&row.busy, t)
		}
	}
	return out, nil
}

// interval is the nodes from..to-1.
type interval struct{ from, to int }

// allocation is the nodes of a cluster: the free ones in order, with gaps, and the tasks that run.
type allocation struct {
	free []interval
	busy byEnd
}

func (a *allocation) count() int {
	n := 0
	for _, f := range a.free {
		n += f.to - f.from
	}
	return n
}

// release frees the nodes of tasks that have ended.
func (a *allocation) release(now float64) {
	for len(a.busy) > 0 && a.busy[0].EndSeconds <= now {
		t := heap.Pop(&a.busy).(Task)
		add := interval{t.FirstNode, t.FirstNode + t.Nodes}
		i, _ := slices.BinarySearchFunc(a.free, add.from, func(f interval, from int) int { return f.from - from })
		if i < len(a.free) && a.free[i].from == add.to {
			add.to = a.free[i].to
			a.free = slices.Delete(a.free, i, i+1)
		}
		if i > 0 && a.free[i-1].to == add.from {
			a.free[i-1].to = add.to
		} else {
			a.free = slices.Insert(a.free, i, add)
		}
	}
}

// take takes n nodes, or none if there are not enough.
func (a *allocation) take(n int) []interval {
	if i := slices.IndexFunc(a.free, func(f interval) bool { return f.to-f.from >= n }); i >= 0 {
		return []interval{a.cut(i, n)}
	}
	if a.count() < n {
		return nil
	}
	var parts []interval
	for n > 0 {
		p := a.cut(0, min(n, a.free[0].to-a.free[0].from))
		parts = append(parts, p)
		n -= p.to - p.from
	}
	return parts
}

// cut takes n nodes from the beginning of a free interval.
func (a *allocation) cut(i, n int) interval {
	p := interval{a.free[i].from, a.free[i].from + n}
	if a.free[i].from = p.to; a.free[i].from == a.free[i].to {
		a.free = slices.Delete(a.free, i, i+1)
	}
	return p
}

// byEnd is a heap of running tasks; among tasks that end at once, the lowest node is first.
type byEnd []Task

func (h byEnd) Len() int { return len(h) }
func (h byEnd) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].EndSeconds, h[j].EndSeconds), cmp.Compare(h[i].FirstNode, h[j].FirstNode)) < 0
}
func (h byEnd) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byEnd) Push(t any)   { *h = append(*h, t.(Task)) }
func (h *byEnd) Pop() any {
	t := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return t
}
