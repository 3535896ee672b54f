package central

import (
	"cmp"
	"fmt"
	"slices"
)

// conservative gives each job a reservation when it is submitted, at the earliest time that delays
// no other reservation. After a job has ended early, each waiting job in order of submission moves
// to an earlier time if there is one now, unless Options.Compress names another way.
type conservative struct {
	base
	profiles []profile // by cluster: the nodes that running jobs and reservations leave free
	plans    []plan    // of waiting jobs in order of submission
	fresh    []int32   // jobs submitted since the last pass
	ended    bool      // a job has ended since the last pass
	first    int64     // the earliest reservation

	// given is, by cluster, the latest time up to which nodes were given back since the last time all
	// jobs were tried. A job can move to no time from then on, since its place there is no better than
	// when it was tried last. Passing is the same for nodes given back while jobs were tried, after
	// earlier jobs had been tried.
	given, passing []int64
}

// plan is a reservation.
type plan struct {
	job      int32
	cluster  int
	start    int64
	nodes    int
	duration int64
}

func openConservative(b base) discipline {
	b.follows = true
	q := &conservative{
		base: b, first: never, given: make([]int64, len(b.clusters)), passing: make([]int64, len(b.clusters)),
	}
	for _, c := range b.clusters {
		q.profiles = append(q.profiles, newProfile(c.Nodes))
	}
	b.wake = func() int64 { return q.first }
	return q
}

func (q *conservative) submit(j int32) { q.fresh = append(q.fresh, j) }

// release gives back what the job has reserved beyond its end.
func (q *conservative) release(j int32) {
	c, until := q.records[j].Cluster, q.expected[j]
	q.profiles[c].trim(q.now)
	q.profiles[c].give(q.now, until, q.jobs[j].Nodes)
	if until > q.now {
		q.given[c] = max(q.given[c], until)
	}
}

func (q *conservative) complete(int32) { q.ended = true }

// correct makes all reservations anew, since a job runs longer than expected. They may be later
// than before: that is the price of a wrong estimate.
func (q *conservative) correct(j int32, was int64) {
	for _, p := range q.plans {
		q.profiles[p.cluster].give(p.start, p.start+p.duration, p.nodes)
	}
	q.profiles[q.records[j].Cluster].take(was, q.expected[j], q.jobs[j].Nodes)
	for i := range q.plans {
		q.reserve(&q.plans[i])
	}
	clear(q.given)
	q.note()
}

func (q *conservative) pass() {
	for c := range q.profiles {
		q.profiles[c].trim(q.now)
	}
	if q.ended {
		q.ended = false
		switch q.options.Compress {
		case compressEach:
			q.compress()
		case compressOrder:
			q.giveUp()
			q.keepOrder()
		case compressAnew:
			q.giveUp()
			q.planAnew()
		}
	}
	for _, j := range q.fresh {
		p := plan{job: j, nodes: q.jobs[j].Nodes, duration: q.estimate(j)}
		q.reserve(&p)
		q.plans = append(q.plans, p)
	}
	q.fresh = q.fresh[:0]
	waiting := q.plans[:0]
	for _, p := range q.plans {
		if p.start > q.now {
			waiting = append(waiting, p)
		} else {
			q.start(p.job, p.cluster, p.duration)
		}
	}
	q.plans = waiting
	q.note()
}

// note finds the earliest reservation.
func (q *conservative) note() {
	q.first = never
	for _, p := range q.plans {
		q.first = min(q.first, p.start)
	}
}

// reserve makes the earliest reservation that is possible.
func (q *conservative) reserve(p *plan) {
	p.start = never
	for _, c := range q.places {
		p.start = min(p.start, q.earliest(c, p, p.start))
	}
	q.settle(p)
}

// earliest finds a start before a limit in a cluster.
func (q *conservative) earliest(c int, p *plan, limit int64) int64 {
	if q.clusters[c].Nodes < p.nodes {
		return limit
	}
	return q.profiles[c].earliest(q.now, limit, never, p.nodes, p.duration)
}

// settle chooses among the clusters in which a job can start at its time, and takes the nodes.
func (q *conservative) settle(p *plan) {
	p.cluster = q.choose(func(c int) int {
		if q.clusters[c].Nodes < p.nodes || q.profiles[c].earliest(p.start, p.start+1, never, p.nodes, p.duration) > p.start {
			return -1
		}
		return q.profiles[c].steps[q.profiles[c].index(p.start)].free - p.nodes
	})
	q.profiles[p.cluster].take(p.start, p.start+p.duration, p.nodes)
}

// compress moves reservations to earlier times.
func (q *conservative) compress() {
	clear(q.passing)
	for i := range q.plans {
		p := &q.plans[i]
		if p.start > q.now && q.movable(p) {
			q.move(p)
		}
	}
	q.given, q.passing = q.passing, q.given
}

// giveUp gives up the reservations of all jobs that do not start now.
func (q *conservative) giveUp() {
	for _, p := range q.plans {
		if p.start > q.now {
			q.profiles[p.cluster].give(p.start, p.start+p.duration, p.nodes)
		}
	}
}

// keepOrder makes reservations anew, in the order of the former ones. A job stays in its cluster.
func (q *conservative) keepOrder() {
	var order []*plan
	for i := range q.plans {
		if q.plans[i].start > q.now {
			order = append(order, &q.plans[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *plan) int { return cmp.Compare(a.start, b.start) })
	ahead := make([]int64, len(q.clusters)) // the start of the last job, by cluster
	for _, p := range order {
		profile := &q.profiles[p.cluster]
		p.start = profile.earliest(max(q.now, ahead[p.cluster]), never, never, p.nodes, p.duration)
		ahead[p.cluster] = p.start
		profile.take(p.start, p.start+p.duration, p.nodes)
	}
}

// planAnew makes reservations anew, in order of submission.
func (q *conservative) planAnew() {
	for i := range q.plans {
		if p := &q.plans[i]; p.start > q.now {
			q.reserve(p)
		}
	}
}

// movable reports whether a job may be able to start earlier. In its own cluster it looks at the
// time up to the present reservation only, which needs no change of the profile.
func (q *conservative) movable(p *plan) bool {
	for _, c := range q.places {
		limit := min(p.start, q.given[c])
		if q.clusters[c].Nodes < p.nodes || limit <= q.now {
			continue
		}
		until := int64(never)
		if c == p.cluster {
			until = p.start
		}
		if q.profiles[c].earliest(q.now, limit, until, p.nodes, p.duration) < limit {
			return true
		}
	}
	return false
}

// move gives up a reservation and makes the best one.
func (q *conservative) move(p *plan) {
	c, start := p.cluster, p.start
	q.profiles[c].give(start, start+p.duration, p.nodes)
	earliest := int64(never)
	for _, c := range q.places {
		earliest = min(earliest, q.earliest(c, p, earliest))
	}
	if earliest > start {
		panic(fmt.Sprintf("central: the reservation of job %d moves from %d µs to %d µs", p.job, start, earliest))
	}
	if earliest == start {
		q.profiles[c].take(start, start+p.duration, p.nodes)
		return
	}
	p.start = earliest
	q.settle(p)
	q.given[c] = max(q.given[c], start+p.duration)
	q.passing[c] = max(q.passing[c], start+p.duration)
}
