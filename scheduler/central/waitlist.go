package central

import "math"

// waitlist holds waiting jobs at fixed positions and finds the first after a position that fits.
//
// It is a binary tree of minima over the positions. A subtree is passed over if even the least
// number of nodes in it, and the least estimate, do not fit. By nodes alone a search takes
// logarithmic time. With estimates it may look into subtrees in vain, since the two minima may be
// of different jobs.
type waitlist struct {
	jobs     []int32 // by position
	position []int32 // by job
	size     int     // leaves, a power of two
	tree     []least // the root is at 1, the leaves from size on
}

type least struct {
	nodes    int
	estimate int64
}

// need describes a fitting job: one of at most wide nodes, or one of at most narrow nodes whose
// estimate is at most by.
type need struct {
	wide, narrow int
	by           int64
}

func (n need) fits(l least) bool {
	return l.nodes <= n.wide || l.nodes <= n.narrow && l.estimate <= n.by
}

// newWaitlist makes an empty list for jobs in the order of their positions. The second slice has
// room for all jobs of the run. Lists share it, since a job is in one list.
func newWaitlist(jobs, position []int32) *waitlist {
	w := &waitlist{jobs: jobs, position: position, size: 1}
	for w.size < len(jobs) {
		w.size *= 2
	}
	for i, j := range jobs {
		position[j] = int32(i)
	}
	w.tree = make([]least, 2*w.size)
	for i := range w.tree {
		w.tree[i] = least{math.MaxInt, never}
	}
	return w
}

func (w *waitlist) add(j int32, nodes int, estimate int64) {
	i := w.size + int(w.position[j])
	w.tree[i] = least{nodes, estimate}
	for i /= 2; i > 0; i /= 2 {
		w.tree[i].nodes = min(w.tree[i].nodes, nodes)
		w.tree[i].estimate = min(w.tree[i].estimate, estimate)
	}
}

func (w *waitlist) remove(j int32) {
	i := w.size + int(w.position[j])
	w.tree[i] = least{math.MaxInt, never}
	for i /= 2; i > 0; i /= 2 {
		a, b := w.tree[2*i], w.tree[2*i+1]
		w.tree[i] = least{min(a.nodes, b.nodes), min(a.estimate, b.estimate)}
	}
}

// next finds the first position at or after from whose job fits; -1 if there is none.
func (w *waitlist) next(from int, n need) int {
	if from >= w.size {
		return -1
	}
	i := w.size + from
	for {
		if n.fits(w.tree[i]) {
			if i >= w.size {
				return i - w.size
			}
			i *= 2
			continue
		}
		for i%2 == 1 { // the right child of its parent: all below the parent is done
			i /= 2
		}
		if i == 0 {
			return -1
		}
		i++
	}
}
