package central

import (
	"fmt"
	"math/bits"

	"github.com/canvass-grid/canvass/scheduler"
)

// exclude writes a reason into the records of jobs that can never run.
func (e *engine) exclude(p policy) {
	largest := 0
	for _, c := range e.clusters {
		largest = max(largest, c.Nodes)
	}
	for j := range e.jobs {
		job := &e.jobs[j]
		why := ""
		switch c := job.Partition - 1; {
		case p.queues != home && job.Nodes > largest:
			why = fmt.Sprintf("needs %d nodes; the largest cluster has %d", job.Nodes, largest)
		case p.queues != home:
		case c < 0 || c >= int64(len(e.clusters)):
			why = fmt.Sprintf("its partition is %d; clusters are partitions 1 to %d", job.Partition, len(e.clusters))
		case job.Nodes > e.clusters[c].Nodes:
			why = fmt.Sprintf("needs %d nodes; its cluster, partition %d, has %d", job.Nodes, job.Partition, e.clusters[c].Nodes)
		}
		if why != "" {
			e.records[j].Leave(scheduler.Excluded, why)
		}
	}
}

// checkEstimates demands estimates if the policy needs them.
func (e *engine) checkEstimates(p policy) error {
	if !p.Estimates {
		return nil
	}
	missing := EstimateError{Policy: p.Name}
	sum := int64(0)
	for j := range e.jobs {
		if e.records[j].Excluded != "" {
			continue
		}
		job := &e.jobs[j]
		if job.EstimateMicros < 0 {
			if missing.Jobs == 0 {
				missing.First, missing.Number = j, job.Number
			}
			missing.Jobs++
			continue
		}
		if p.Name != "conservative" {
			continue
		}
		// A reservation begins at the latest when all jobs submitted so far have ended as expected.
		// An estimate that is exceeded grows to less than twice the run time.
		most := max(1, job.EstimateMicros, 2*min(job.RunMicros, latest/2))
		if most > latest-sum || job.SubmitMicros > latest-sum-most {
			return fmt.Errorf("run policy %q: with job %d (number %d), the last submission and all estimates add up to "+
				"more than %d µs; take fewer jobs or lower the estimates", p.Name, j, job.Number, latest)
		}
		sum += most
	}
	if missing.Jobs > 0 {
		return &missing
	}
	return nil
}

// queue opens the queues of a policy.
func (e *engine) queue(p policy) {
	n := 1
	if p.queues >= byCluster {
		n = len(e.clusters)
	}
	e.isTouched, e.demand = make([]bool, n), make([]int64, n)
	jobs := make([][]int32, n)
	switch p.queues {
	case single:
		e.route = func(int32) int { return 0 }
	case home:
		e.route = func(j int32) int { return int(e.jobs[j].Partition) - 1 }
	case lightest:
		e.route = e.lightest
	case drawn:
		dispatch := scheduler.Stream(e.options.Seed, "dispatch to a cluster")
		e.route = func(j int32) int {
			return e.drawn(int(dispatch.Uint64N(uint64(e.large(j)))), j)
		}
	}
	if p.queues == single || p.queues == home {
		for j := range e.jobs {
			if e.records[j].Excluded == "" {
				q := e.route(int32(j))
				jobs[q] = append(jobs[q], int32(j))
			}
		}
	}
	all := make([]int, len(e.clusters))
	for c := range all {
		all[c] = c
	}
	for q := range n {
		places := all
		if n > 1 {
			places = all[q : q+1]
		}
		e.queues = append(e.queues, p.open(base{e, places, jobs[q]}))
	}
}

// lightest finds the cluster with the least demand per node, with this job counted.
func (e *engine) lightest(j int32) int {
	nodes := e.jobs[j].Nodes
	best := -1
	for c := range e.clusters {
		if e.clusters[c].Nodes < nodes {
			continue
		}
		if best < 0 || e.lighter(c, best, nodes) {
			best = c
		}
	}
	return best
}

// lighter compares fractions: demand over nodes. The products may need more than 64 bits.
func (e *engine) lighter(c, than, nodes int) bool {
	high, low := bits.Mul64(uint64(e.demand[c]+int64(nodes)), uint64(e.clusters[than].Nodes))
	otherHigh, otherLow := bits.Mul64(uint64(e.demand[than]+int64(nodes)), uint64(e.clusters[c].Nodes))
	return high < otherHigh || high == otherHigh && low < otherLow
}

// large counts the clusters that are large enough for a job.
func (e *engine) large(j int32) int {
	n := 0
	for _, c := range e.clusters {
		if c.Nodes >= e.jobs[j].Nodes {
			n++
		}
	}
	return n
}

// drawn finds the cluster of a number from the clusters that are large enough for a job.
func (e *engine) drawn(number int, j int32) int {
	for c := range e.clusters {
		if e.clusters[c].Nodes < e.jobs[j].Nodes {
			continue
		}
		if number == 0 {
			return c
		}
		number--
	}
	panic(fmt.Sprintf("central: job %d was drawn for a cluster that does not exist", j))
}
