package parallel

import (
	"math"
	"slices"

	"github.com/canvass-grid/canvass/protocol/reptask"
)

// wakes is when nodes sleep and wake. A turn of a node that can move none of its jobs would find
// the same in the next period, if nothing has changed until then. So the node sleeps: it has no
// turns. It is woken when a job comes or waits longer, or when a report says that a cluster in its
// view might do now for one of its jobs. Its decisions and their times stay the same.
type wakes struct {
	views    [][]int32 // by host: the advertised clusters that it belongs to
	watchers [][]int32 // by advertised cluster: the nodes with it in their view
	homes    []int32   // by advertised cluster: the platform's cluster that its nodes belong to
	wants    []want    // by node, as at its last turn

	marked []int32 // scratch: clusters to look at
	marks  []bool  // which these are
	// If positions are not added up, the hosts where some have changed since nodes were woken for it.
	stirred []int32
}

// want is the condition that a sleeping node waits for. While it sleeps, no job of it comes to want
// more.
type want struct {
	room  int32  // free nodes for the smallest job that DLB may move
	most  int32  // the longest queue that is short enough for a job that QB may move, less than 0 if there is none
	steps []step // the same by size
}

// step is the longest queue that is short enough for a job of at least this size. A larger size has
// a larger one, else it is left out.
type step struct{ size, longest int32 }

func newWakes(e *engine) wakes {
	w := wakes{
		views: make([][]int32, len(e.hosts)), watchers: make([][]int32, len(e.grid.views)),
		homes: make([]int32, len(e.grid.views)), wants: make([]want, len(e.nodes)), marks: make([]bool, len(e.grid.views)),
	}
	for view, members := range e.grid.views {
		w.homes[view] = int32(e.grid.Nodes[members[0]].Cluster)
		for _, host := range members {
			w.views[host] = append(w.views[host], int32(view))
		}
	}
	for i := range e.nodes {
		for _, view := range e.nodes[i].views {
			w.watchers[view] = append(w.watchers[view], int32(i))
		}
	}
	return w
}

// mark collects the advertised clusters of hosts.
func (w *wakes) mark(hosts []int32) []int32 {
	w.marked = w.marked[:0]
	for _, host := range hosts {
		for _, view := range w.views[host] {
			if !w.marks[view] {
				w.marks[view] = true
				w.marked = append(w.marked, view)
			}
		}
	}
	for _, view := range w.marked {
		w.marks[view] = false
	}
	return w.marked
}

// sleep takes the turns of a node that can move none of its jobs, and notes what could change that.
func (e *engine) sleep(node int32) {
	e.turns.remove(node)
	w := &e.wakes.wants[node]
	w.room, w.most, w.steps = math.MaxInt32, -1, w.steps[:0]
	for _, job := range e.nodes[node].idle {
		j := &e.jobs[job]
		if e.options.Policy.DLB && e.config.MayMove(j.moves, reptask.ByDLB) {
			w.room = min(w.room, j.size)
		}
		if e.options.Policy.QB && e.config.MayMove(j.moves, reptask.ByQB) {
			w.add(j.size, e.shortEnough(j, job))
		}
	}
}

// shortEnough is the longest queue for which QB would move a job, less than 0 for none. If the
// job's queue positions are not summed, any might do at the next turn.
func (e *engine) shortEnough(j *job, number int32) int32 {
	switch {
	case e.sums == nil:
		return math.MaxInt32
	case e.sums[number] <= 0:
		return -1
	}
	return int32((e.sums[number] - 1) / int64(len(j.members)))
}

// add notes a job of this size, for which a queue of that length is short enough.
func (w *want) add(size, longest int32) {
	if longest <= w.upTo(size) {
		return
	}
	w.most = max(w.most, longest)
	w.steps = slices.DeleteFunc(w.steps, func(s step) bool { return s.size >= size && s.longest <= longest })
	i := 0
	for i < len(w.steps) && w.steps[i].size < size {
		i++
	}
	w.steps = slices.Insert(w.steps, i, step{size, longest})
}

// upTo is the longest queue that is short enough for a job of at most this size.
func (w *want) upTo(size int32) int32 {
	longest := int32(-1)
	for i := 0; i < len(w.steps) && w.steps[i].size <= size; i++ {
		longest = w.steps[i].longest
	}
	return longest
}

// meets reports whether an advertised cluster of this size may do for a job: with enough free nodes
// and no queue that is too long.
func (w *want) meets(size, free, longest int32) bool {
	return free >= w.room || longest <= w.most && longest <= w.upTo(size)
}

// wake gives a node that has jobs its turns back.
func (e *engine) wake(node int32) {
	if len(e.nodes[node].idle) > 0 {
		e.turns.resume(node, e.now)
	}
}

// spread reports changed queue lengths to all nodes, and wakes the nodes that may use them.
func (e *engine) spread() {
	e.news.number++
	views := e.wakes.mark(e.news.changed)
	e.news.changed = e.news.changed[:0]
	for _, view := range views {
		e.loads[view].known = false
		size, home := int32(len(e.grid.views[view])), e.wakes.homes[view]
		for _, node := range e.wakes.watchers[view] {
			if len(e.nodes[node].idle) == 0 || e.turns.has(node) {
				continue
			}
			l := e.load(view)
			free, longest := l.free, l.longest+1
			if e.wakes.homes[e.grid.Nodes[node].View] == home { // some tasks may be the job's own
				free, longest = l.free+l.single, l.longest
			}
			if e.wakes.wants[node].meets(size, free, longest) {
				e.turns.resume(node, e.now)
			}
		}
	}
}

// stir notes that queue positions change at a node.
func (e *engine) stir(node int32) {
	if e.options.Policy.QB && e.sums == nil {
		e.wakes.stirred = append(e.wakes.stirred, node)
	}
}

// settle wakes nodes when all messages of this time have arrived, for data that they get at once.
func (e *engine) settle() {
	if e.news.period == 0 && len(e.news.changed) > 0 {
		e.spread()
	}
	if len(e.wakes.stirred) == 0 {
		return
	}
	for _, view := range e.wakes.mark(e.wakes.stirred) {
		for _, node := range e.grid.views[view] { // a node belongs to the cluster that it advertises
			e.wake(node)
		}
	}
	e.wakes.stirred = e.wakes.stirred[:0]
}
