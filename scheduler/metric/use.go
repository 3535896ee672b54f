package metric

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// microsPerHour is for throughput.
const microsPerHour = 3600 * scheduler.Second

// use fills in how the run used the platform. It goes through all events in order of time and
// refuses a run in which a cluster has more nodes busy than it has.
func (r *run) use(s *Summary) error {
	nodes, makespan, span := int64(r.platform.Nodes()), r.end-r.first, r.last-r.first
	var work, within, waits, jobs sum
	for i := range r.using.jobs {
		j := &r.using.jobs[i]
		work.add(j.nodes, j.run())
		within.add(j.nodes, max(0, min(j.end, r.last)-min(j.start, r.last)))
	}
	for i := range r.jobs {
		waits.add(r.jobs[i].wait())
	}
	jobs.add(int64(len(r.jobs)), microsPerHour)
	s.Makespan = seconds(makespan)
	s.Utilisation = work.over(nodes, makespan)
	if span > 0 {
		u := within.over(nodes, span)
		s.SpanUtilisation = &u
	}
	s.Throughput = jobs.over(makespan)
	s.MeanQueue = waits.over(makespan)
	idle, longest, err := r.sweep(nodes)
	s.IdleWaiting, s.MaxQueue = idle, longest
	return err
}

// sweep goes through all events. It returns the node-seconds that are free while jobs wait, and the
// length of the longest queue.
func (r *run) sweep(nodes int64) (idleNodeSeconds float64, longest int, err error) {
	var idle sum
	busy, u := make([]int64, len(r.platform.Clusters)), r.using
	submitted, started, begun, ended := 0, 0, 0, 0 // jobs, and tasks that use nodes
	before, free := r.first, nodes
	for ended < len(u.jobs) {
		now := u.jobs[u.byEnd[ended]].end
		if submitted < len(r.jobs) {
			now = min(now, r.jobs[submitted].submit)
		}
		if begun < len(u.jobs) {
			now = min(now, u.jobs[u.byStart[begun]].start)
		}
		if submitted > started {
			idle.add(free, now-before)
		}
		for ; submitted < len(r.jobs) && r.jobs[submitted].submit == now; submitted++ {
		}
		for ; started < len(r.jobs) && r.jobs[r.byStart[started]].start == now; started++ {
		}
		first := begun
		for ; begun < len(u.jobs) && u.jobs[u.byStart[begun]].start == now; begun++ {
			j := &u.jobs[u.byStart[begun]]
			busy[j.cluster] += j.nodes
			free -= j.nodes
		}
		for ; ended < len(u.jobs) && u.jobs[u.byEnd[ended]].end == now; ended++ {
			j := &u.jobs[u.byEnd[ended]]
			busy[j.cluster] -= j.nodes
			free += j.nodes
		}
		for _, i := range u.byStart[first:begun] {
			if c := u.jobs[i].cluster; busy[c] > int64(r.platform.Clusters[c].Nodes) {
				cluster := &r.platform.Clusters[c]
				return 0, 0, fmt.Errorf("%w: when job %d starts at %d µs, %d nodes of cluster %q are busy, which has %d",
					ErrRecords, u.jobs[i].index, now, busy[c], cluster.Name, cluster.Nodes)
			}
		}
		before, longest = now, max(longest, submitted-started)
	}
	return idle.over(scheduler.Second), longest, nil
}
