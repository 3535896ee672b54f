package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
)

// placed is a job in a test of Allocate.
type placed struct {
	cluster, nodes int
	start, end     int64
}

func allocate(sizes []int, all ...placed) ([]scheduler.NodeSet, error) {
	p := &scheduler.Platform{}
	for _, n := range sizes {
		p.Clusters = append(p.Clusters, scheduler.Cluster{Name: "c", Nodes: n})
	}
	var jobs []scheduler.Job
	var records []scheduler.Record
	for i, x := range all {
		jobs = append(jobs, scheduler.Job{Number: int64(i) + 1, Nodes: x.nodes, RunMicros: x.end - x.start})
		records = append(records, scheduler.Record{Job: i, Cluster: x.cluster, StartMicros: x.start, EndMicros: x.end})
	}
	return scheduler.Allocate(p, jobs, records)
}

func TestAllocateSplitsWhereItMust(t *testing.T) {
	sets, err := allocate([]int{3, 5},
		placed{1, 1, 0, 10}, placed{1, 2, 0, 20}, placed{1, 2, 10, 30}, placed{1, 1, 0, 30})
	require.NoError(t, err)
	assert.Equal(t, []scheduler.NodeSet{{{3, 3}}, {{4, 5}}, {{3, 3}, {7, 7}}, {{6, 6}}}, sets)
}

// A job that runs for no time gets nodes before a longer job of the same instant.
func TestAllocateLetsAJobWithoutRunTimePass(t *testing.T) {
	sets, err := allocate([]int{2}, placed{0, 2, 5, 9}, placed{0, 2, 5, 5}, placed{0, 1, 5, 5}, placed{0, 2, 9, 9})
	require.NoError(t, err)
	assert.Equal(t, []scheduler.NodeSet{{{0, 1}}, {{0, 1}}, {{0, 0}}, {{0, 1}}}, sets)
}

func TestAllocateRefusesTooMuch(t *testing.T) {
	_, err := allocate([]int{1, 5}, placed{1, 3, 0, 10}, placed{1, 3, 9, 12})
	require.ErrorContains(t, err, `job 1 (number 2) needs 3 nodes of cluster "c" at 9 µs, of which 2 are free`)
}

func TestAllocateGivesAnExcludedJobNothing(t *testing.T) {
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 1}}}
	records := []scheduler.Record{{Excluded: "too large", Cluster: -1}}
	sets, err := scheduler.Allocate(p, []scheduler.Job{{Nodes: 9}}, records)
	require.NoError(t, err)
	assert.Empty(t, sets[0])
}

// Jobs get exactly their nodes, and no node has two at once, if and only if there are enough.
func TestAllocatePutsOneJobOnANode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 8), 1, 3).Draw(t, "sizes")
		var all []placed
		for range rapid.IntRange(0, 30).Draw(t, "jobs") {
			cluster := rapid.IntRange(0, len(sizes)-1).Draw(t, "cluster")
			start := rapid.Int64Range(0, 20).Draw(t, "start")
			all = append(all, placed{
				cluster, rapid.IntRange(1, sizes[cluster]).Draw(t, "nodes"), start,
				start + rapid.Int64Range(1, 5).Draw(t, "length"),
			})
		}
		enough := true
		for now := range int64(25) {
			busy := make([]int, len(sizes))
			for _, x := range all {
				if x.start <= now && now < x.end {
					busy[x.cluster] += x.nodes
				}
			}
			for c := range sizes {
				enough = enough && busy[c] <= sizes[c]
			}
		}
		sets, err := allocate(sizes, all...)
		require.Equal(t, enough, err == nil, "%v", err)
		taken := map[[2]int64]bool{}
		for i, set := range sets {
			require.Equal(t, all[i].nodes, set.Count())
			first := 0
			for _, n := range sizes[:all[i].cluster] {
				first += n
			}
			for _, r := range set {
				require.GreaterOrEqual(t, r.First, first)
				require.Less(t, r.Last, first+sizes[all[i].cluster])
				for n := r.First; n <= r.Last; n++ {
					for now := all[i].start; now < all[i].end; now++ {
						at := [2]int64{int64(n), now}
						require.False(t, taken[at], "two jobs on %v", at)
						taken[at] = true
					}
				}
			}
		}
	})
}
