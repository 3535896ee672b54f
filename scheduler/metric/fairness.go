package metric

import (
	"maps"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// fairness fills in how evenly the counted jobs were treated. The measures are there already.
func (s *Summary) fairness(counted []job) {
	s.BSLDVariance = float64(s.BoundedSlowdown.SD * s.BoundedSlowdown.SD)
	if s.Wait.Median > 0 {
		ratio := s.Wait.Max / s.Wait.Median
		s.MaxOverMedian = &ratio
	}
	type user struct {
		total float64
		jobs  int
	}
	users := map[int64]user{}
	for i := range counted {
		if j := &counted[i]; j.user != scheduler.Unknown {
			u := users[j.user]
			users[j.user] = user{u.total + j.bsld(), u.jobs + 1}
		}
	}
	if s.Users = len(users); s.Users == 0 {
		return
	}
	total, squares := 0.0, 0.0
	for _, name := range slices.Sorted(maps.Keys(users)) { // a fixed order: sums of floats depend on it
		x := users[name].total / float64(users[name].jobs)
		total += x
		squares += float64(x * x)
	}
	index := float64(total*total) / float64(float64(len(users))*squares)
	s.JainUsers = &index
}

// overtakenShare is the share of the counted jobs that a younger job overtook in a cluster that is
// large enough for the older one.
func (r *run) overtakenShare(counted []job) float64 {
	sizes := make([]int64, len(r.platform.Clusters))
	for i, c := range r.platform.Clusters {
		sizes[i] = int64(c.Nodes)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	// By size of cluster: the youngest job that has started in a cluster of at least that size.
	youngest := slices.Repeat([]int{-1}, len(sizes))
	overtaken := map[int]bool{} // by index in the workload
	for first := 0; first < len(r.byStart); {
		// Jobs that start at the same time do not overtake each other.
		now, next := r.jobs[r.byStart[first]].start, first
		for ; next < len(r.byStart) && r.jobs[r.byStart[next]].start == now; next++ {
			i := r.byStart[next]
			large, _ := slices.BinarySearch(sizes, r.jobs[i].nodes)
			if youngest[large] > i {
				overtaken[r.jobs[i].index] = true
			}
		}
		for _, i := range r.byStart[first:next] {
			size := int64(r.platform.Clusters[r.jobs[i].cluster].Nodes)
			for s := 0; s < len(sizes) && sizes[s] <= size; s++ {
				youngest[s] = max(youngest[s], i)
			}
		}
		first = next
	}
	count := 0
	for i := range counted {
		if overtaken[counted[i].index] {
			count++
		}
	}
	return float64(count) / float64(len(counted))
}
