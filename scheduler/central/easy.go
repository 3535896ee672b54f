package central

import (
	"cmp"
	"slices"
)

// easy is aggressive backfilling (Lifka 1995): the oldest waiting job has a reservation, and any
// other job may start at once if that reservation stays possible.
type easy struct {
	base
	order   order
	joined  int // jobs of joins that have joined so far
	head    int // those before this one have started
	list    *waitlist
	running [][]running // by cluster, in order of expected end
	history history     // only for order byPrediction
}

// order is that in which jobs other than the head are tried.
type order int

const (
	byAge order = iota
	byEstimate
	byPrediction
)

// running is a running job and when it is expected to end.
type running struct {
	end   int64
	job   int32
	nodes int
}

func (a running) compare(b running) int {
	return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.job, b.job))
}

func openEasy(o order) func(base) discipline {
	return func(b base) discipline {
		b.follows = true
		q := &easy{base: b, order: o, running: make([][]running, len(b.clusters))}
		jobs := b.joins
		switch o {
		case byEstimate:
			jobs = slices.Clone(jobs)
			slices.SortStableFunc(jobs, func(i, j int32) int { return cmp.Compare(b.estimate(i), b.estimate(j)) })
		case byPrediction:
			q.history = history{}
		}
		q.list = newWaitlist(jobs, b.position)
		return q
	}
}

func (q *easy) submit(j int32) {
	q.joined++
	q.list.add(j, q.jobs[j].Nodes, q.engine.estimate(j))
}

func (q *easy) release(j int32) { q.forget(j, q.expected[j]) }

func (q *easy) complete(j int32) {
	if q.order == byPrediction {
		q.history.add(&q.jobs[j])
	}
}

func (q *easy) correct(j int32, was int64) {
	q.forget(j, was)
	q.follow(j)
}

// follow adds a job to the running ones of its cluster.
func (q *easy) follow(j int32) {
	list := &q.running[q.records[j].Cluster]
	x := running{q.expected[j], j, q.jobs[j].Nodes}
	i, _ := slices.BinarySearchFunc(*list, x, running.compare)
	*list = slices.Insert(*list, i, x)
}

// forget removes it; was is when it was expected to end.
func (q *easy) forget(j int32, was int64) {
	list := &q.running[q.records[j].Cluster]
	i, found := slices.BinarySearchFunc(*list, running{end: was, job: j}, running.compare)
	if !found {
		panic("central: a running job is not in the list of its cluster")
	}
	*list = slices.Delete(*list, i, i+1)
}

// estimate is how long a job is expected to run, as far as this policy knows.
func (q *easy) estimate(j int32) int64 {
	estimate := q.engine.estimate(j)
	if q.order == byPrediction {
		return q.history.predict(&q.jobs[j], estimate)
	}
	return estimate
}

func (q *easy) begin(j int32, cluster int, estimate int64) {
	q.list.remove(j)
	q.start(j, cluster, estimate)
	q.follow(j)
}

func (q *easy) pass() {
	for ; q.head < q.joined; q.head++ {
		j := q.joins[q.head]
		if q.records[j].StartMicros >= 0 {
			continue
		}
		c := q.room(j)
		if c < 0 {
			q.backfill(j)
			return
		}
		q.begin(j, c, q.estimate(j))
	}
}

// hold is the reservation of the head.
type hold struct {
	cluster int
	shadow  int64 // when enough nodes are expected to be free for the head
	extra   int   // nodes that the head leaves free at that time
}

// backfill starts jobs other than the head. If the head has no reservation, since the jobs that run
// are never expected to end, no job is known not to delay it.
func (q *easy) backfill(head int32) {
	h := q.reserve(head)
	if h.shadow == never {
		return
	}
	if q.order == byPrediction {
		q.backfillPredicted(&h)
		return
	}
	for i := q.list.next(0, q.need(&h)); i >= 0; i = q.list.next(i+1, q.need(&h)) {
		j := q.list.jobs[i]
		q.try(j, q.estimate(j), &h)
	}
}

// backfillPredicted looks at all jobs that are small enough and sorts the jobs that can start,
// since predictions change while jobs wait. A job that cannot start now cannot start later in the
// same pass.
func (q *easy) backfillPredicted(h *hold) {
	var fit []running
	n := q.need(h)
	small := need{wide: max(n.wide, n.narrow)}
	for i := q.list.next(0, small); i >= 0; i = q.list.next(i+1, small) {
		j := q.list.jobs[i]
		if estimate := q.estimate(j); n.fits(least{q.jobs[j].Nodes, estimate}) {
			fit = append(fit, running{end: estimate, job: j})
		}
	}
	slices.SortFunc(fit, running.compare)
	for _, x := range fit {
		q.try(x.job, x.end, h)
	}
}

// reserve finds the earliest time at which the head can start as far as is known now; of equal
// clusters, the first.
func (q *easy) reserve(head int32) hold {
	nodes := q.jobs[head].Nodes
	best := hold{cluster: -1, shadow: never}
	for _, c := range q.places {
		if q.clusters[c].Nodes < nodes {
			continue
		}
		free, shadow := q.free[c], int64(never)
		for _, r := range q.running[c] {
			if free >= nodes && r.end > shadow {
				break
			}
			free, shadow = free+r.nodes, r.end
		}
		if shadow < best.shadow {
			best = hold{c, shadow, free - nodes}
		}
	}
	return best
}

// need says which jobs can start beside the reservation.
func (q *easy) need(h *hold) need {
	n := need{
		wide: min(h.extra, q.free[h.cluster]), narrow: q.free[h.cluster], by: h.shadow - q.now,
	}
	for _, c := range q.places {
		if c != h.cluster {
			n.wide = max(n.wide, q.free[c])
		}
	}
	return n
}

// try starts a job if it can start beside the reservation.
func (q *easy) try(j int32, estimate int64, h *hold) {
	nodes := q.jobs[j].Nodes
	short := estimate <= h.shadow-q.now
	c := q.choose(func(c int) int {
		if c == h.cluster && !short && nodes > h.extra {
			return -1
		}
		return q.free[c] - nodes
	})
	if c < 0 {
		return
	}
	q.begin(j, c, estimate)
	if c == h.cluster && !short {
		h.extra -= nodes
	}
}
