package central

import "math"

// firstFit starts jobs in order of submission. A job that does not fit lets others pass: all of
// them, or only into clusters that are too small for it (Jackson 2015, section 4.3.2: no job delays
// an older one).
type firstFit struct {
	base
	list *waitlist
	all  bool
}

func openFirstFit(all bool) func(base) discipline {
	return func(b base) discipline { return &firstFit{b, newWaitlist(b.joins, b.position), all} }
}

func (q *firstFit) submit(j int32) { q.list.add(j, q.jobs[j].Nodes, 0) }

// pass looks at no more jobs than it starts, and one for each cluster: the next that is small
// enough for some open cluster.
func (q *firstFit) pass() {
	closed := math.MaxInt // clusters of this many nodes and more are closed: an older job waits for them
	for from := 0; ; {
		from = q.list.next(from, need{wide: q.largest(closed)})
		if from < 0 {
			return
		}
		j := q.list.jobs[from]
		nodes := q.jobs[j].Nodes
		c := q.choose(func(c int) int {
			if q.clusters[c].Nodes >= closed {
				return -1
			}
			return q.free[c] - nodes
		})
		if c >= 0 {
			q.list.remove(j)
			q.start(j, c, q.estimate(j))
		} else {
			closed = min(closed, nodes)
		}
		from++
	}
}

// largest is the size of the largest job that could start now (first-fit), or ever (fcfs-ideal), in
// the open clusters.
func (q *firstFit) largest(closed int) int {
	n := 0
	for _, c := range q.places {
		switch {
		case q.all:
			n = max(n, q.free[c])
		case q.clusters[c].Nodes < closed:
			n = max(n, q.clusters[c].Nodes)
		}
	}
	return n
}
