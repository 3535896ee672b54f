package central_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// queue is a workload whose starts under each policy are written out. They were found by hand.
type queue struct {
	name   string
	nodes  []int
	jobs   []job
	starts map[string][]int64
}

func queues() []queue {
	return []queue{
		{
			// Job 0 ends at 10 and not at 20. At 2, job 1 waits for 20, so job 2 can run until
			// then.
			name: "early end", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 8, run: 10, est: 20},
				{submit: 1, nodes: 10, run: 5, est: 5},
				{submit: 2, nodes: 2, run: 15, est: 18},
				{submit: 3, nodes: 2, run: 3, est: 4},
				{submit: 4, nodes: 1, run: 2, est: 30},
			},
			starts: map[string][]int64{
				"fcfs":         {0, 10, 15, 15, 15},
				"fifo":         {0, 10, 15, 15, 15},
				"fcfs-ideal":   {0, 10, 15, 15, 15},
				"first-fit":    {0, 17, 2, 10, 10},
				"easy":         {0, 17, 2, 10, 22},
				"conservative": {0, 17, 2, 10, 22},
			},
		},
		{
			// Job 1 waits for 10 and leaves two nodes then. Job 2 takes them, so job 3 cannot.
			name: "extra nodes", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 6, run: 10, est: 10},
				{submit: 1, nodes: 8, run: 5, est: 5},
				{submit: 2, nodes: 2, run: 100, est: 100},
				{submit: 2, nodes: 2, run: 100, est: 100},
				{submit: 2, nodes: 2, run: 8, est: 8},
			},
			starts: map[string][]int64{
				"fcfs":         {0, 10, 10, 15, 15},
				"first-fit":    {0, 102, 2, 2, 10},
				"easy":         {0, 10, 2, 15, 2},
				"conservative": {0, 10, 2, 15, 2},
			},
		},
		{
			// Easy lets job 3 delay job 2, which is not the head.
			name: "second in line", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 6, run: 10, est: 10},
				{submit: 1, nodes: 8, run: 10, est: 10},
				{submit: 2, nodes: 9, run: 5, est: 5},
				{submit: 3, nodes: 2, run: 30, est: 30},
			},
			starts: map[string][]int64{
				"fcfs":         {0, 10, 20, 25},
				"easy":         {0, 10, 33, 3},
				"conservative": {0, 10, 20, 25},
			},
		},
		{
			name: "each ends early", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 10, run: 4, est: 10},
				{submit: 1, nodes: 10, run: 3, est: 10},
				{submit: 2, nodes: 10, run: 1, est: 5},
			},
			starts: map[string][]int64{"fcfs": {0, 4, 7}, "easy": {0, 4, 7}, "conservative": {0, 4, 7}},
		},
		{
			name: "order of the queue", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 10, run: 5, est: 10},
				{submit: 1, nodes: 6, run: 8, est: 9},
				{submit: 2, nodes: 5, run: 6, est: 12},
				{submit: 3, nodes: 4, run: 5, est: 7},
				{submit: 4, nodes: 1, run: 9, est: 10},
			},
			starts: map[string][]int64{
				"fcfs":      {0, 5, 13, 13, 13},
				"sjf":       {0, 5, 13, 5, 10},
				"sjf-exact": {0, 11, 5, 5, 11},
				"srtf":      {0, 11, 5, 5, 11},
				"ljf":       {0, 11, 5, 14, 5},
				"smallest":  {0, 11, 5, 5, 5},
			},
		},
		{
			name: "shortest backfilled first", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 8, run: 20, est: 20},
				{submit: 1, nodes: 10, run: 1, est: 1},
				{submit: 2, nodes: 2, run: 10, est: 12},
				{submit: 2, nodes: 2, run: 5, est: 6},
			},
			starts: map[string][]int64{
				"easy":      {0, 20, 2, 12},
				"easy-sjbf": {0, 20, 7, 2},
			},
		},
		{
			// From 10 on, user 7 is predicted by jobs 0 and 1: 4 s, then 4.5 s. Job 5 takes longer
			// than that. Its estimate of 60 s comes into force, so at 30 job 6 has until 76.
			name: "predictions", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 1, run: 3, est: 50, user: 7},
				{submit: 0, nodes: 1, run: 5, est: 50, user: 7},
				{submit: 10, nodes: 8, run: 20, est: 20, user: 1},
				{submit: 11, nodes: 10, run: 5, est: 10, user: 1},
				{submit: 12, nodes: 2, run: 4, est: 60, user: 7},
				{submit: 13, nodes: 2, run: 25, est: 60, user: 7},
				{submit: 21, nodes: 2, run: 40, est: 40, user: 9},
			},
			starts: map[string][]int64{
				"easy":   {0, 0, 10, 30, 35, 35, 35},
				"easy++": {0, 0, 10, 70, 12, 16, 30},
			},
		},
		{
			// Job 1 could only ever run in cluster 0. Jobs 2 and 3 cannot delay it in cluster 1.
			// Job 4 could, in the node of cluster 0 that is free.
			name: "capable clusters", nodes: []int{8, 4},
			jobs: []job{
				{submit: 0, nodes: 7, run: 10},
				{submit: 1, nodes: 6, run: 5},
				{submit: 2, nodes: 4, run: 5},
				{submit: 3, nodes: 3, run: 2},
				{submit: 4, nodes: 1, run: 2},
			},
			starts: map[string][]int64{
				"fcfs":       {0, 10, 10, 15, 15},
				"fcfs-ideal": {0, 10, 2, 7, 7},
				"first-fit":  {0, 10, 2, 7, 4},
			},
		},
		{
			// The head has its reservation in cluster 0 for 10. Job 3 is too long for that one, but
			// not for cluster 1.
			name: "reservation in one cluster", nodes: []int{6, 4},
			jobs: []job{
				{submit: 0, nodes: 4, run: 10, est: 10},
				{submit: 0, nodes: 2, run: 30, est: 30},
				{submit: 1, nodes: 5, run: 5, est: 5},
				{submit: 2, nodes: 2, run: 20, est: 20},
				{submit: 3, nodes: 2, run: 20, est: 20},
			},
			starts: map[string][]int64{
				"fcfs":         {0, 0, 30, 30, 30},
				"easy":         {0, 0, 30, 2, 3},
				"conservative": {0, 0, 30, 2, 3},
			},
		},
		{
			// At 1, job 2 has to wait for 8, and job 3 gets the second before that. At 7, job 1
			// ends early. Easy then starts the head. Conservative keeps its promise to job 3.
			name: "overtaken", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 1, run: 7, est: 7},
				{submit: 0, nodes: 3, run: 7, est: 8},
				{submit: 1, nodes: 9, run: 1, est: 1},
				{submit: 1, nodes: 7, run: 1, est: 1},
			},
			starts: map[string][]int64{
				"easy":         {0, 0, 7, 8},
				"conservative": {0, 0, 8, 7},
			},
		},
		{
			// Job 1 expects to start at 4, then at 8 and at 16, as the estimate of job 0 doubles.
			// Then conservative has time for job 2 at 4 and for job 3 at 8. Easy has no pass at
			// these times.
			name: "exceeded estimate", nodes: []int{10},
			jobs: []job{
				{submit: 0, nodes: 9, run: 10, est: 4},
				{submit: 1, nodes: 10, run: 5, est: 5},
				{submit: 2, nodes: 1, run: 3, est: 3},
				{submit: 3, nodes: 1, run: 5, est: 5},
			},
			starts: map[string][]int64{
				"easy":         {0, 10, 15, 15},
				"conservative": {0, 13, 4, 8},
			},
		},
	}
}

func TestQueuesByHand(t *testing.T) {
	for _, q := range queues() {
		for policy, want := range q.starts {
			t.Run(q.name+"/"+policy, func(t *testing.T) {
				assert.Equal(t, want, starts(run(t, workload(q.jobs), grid(q.nodes...), central.Options{Policy: policy})))
			})
		}
	}
}

func TestEachPolicyHasAQueueByHand(t *testing.T) {
	for _, p := range (central.System{}).Policies() {
		covered := slices.ContainsFunc(queues(), func(q queue) bool { return q.starts[p.Name] != nil })
		switch p.Name {
		case "home-fcfs", "home-easy", "least-loaded", "random": // tests of their own, below
		default:
			assert.True(t, covered, p.Name)
		}
	}
}

// Each job stays in its partition, though the other cluster has room.
func TestHome(t *testing.T) {
	w := workload([]job{
		{submit: 0, nodes: 3, run: 10, est: 10, part: 2},
		{submit: 1, nodes: 4, run: 10, est: 10, part: 2},
		{submit: 2, nodes: 1, run: 8, est: 8, part: 2},
		{submit: 3, nodes: 4, run: 10, est: 10, part: 1},
		{submit: 4, nodes: 1, run: 5, est: 5, part: 2},
	})
	r := run(t, w, grid(4, 4), central.Options{Policy: "home-fcfs"})
	assert.Equal(t, []int64{0, 10, 20, 3, 20}, starts(r))
	assert.Equal(t, []int{1, 1, 1, 0, 1}, clusters(r))
	r = run(t, w, grid(4, 4), central.Options{Policy: "home-easy"})
	assert.Equal(t, []int64{0, 10, 2, 3, 20}, starts(r))
	assert.Equal(t, []int{1, 1, 1, 0, 1}, clusters(r))
}

// Demand per node with the new job, in cluster 0 and in cluster 1: 4/8 and 4/4, 5/8 and 1/4, 6/8
// and 3/4, 8/8 and 3/4, 9/8 and 6/4, and when all have ended 1/8 and 1/4.
func TestLeastLoaded(t *testing.T) {
	w := workload([]job{
		{submit: 0, nodes: 4, run: 10},
		{submit: 1, nodes: 1, run: 10},
		{submit: 2, nodes: 2, run: 10},
		{submit: 3, nodes: 2, run: 10},
		{submit: 4, nodes: 3, run: 10},
		{submit: 40, nodes: 1, run: 10},
	})
	r := run(t, w, grid(8, 4), central.Options{Policy: "least-loaded"})
	assert.Equal(t, []int{0, 1, 0, 1, 0, 0}, clusters(r))
	assert.Equal(t, []int64{0, 1, 2, 3, 10, 40}, starts(r))
}

func TestLeastLoadedOfHugeClusters(t *testing.T) {
	const nodes = math.MaxInt32
	var jobs []job
	for range 8 {
		jobs = append(jobs, job{nodes: nodes, run: 1})
	}
	r := run(t, workload(jobs), grid(nodes, nodes), central.Options{Policy: "least-loaded"})
	assert.Equal(t, []int{0, 1, 0, 1, 0, 1, 0, 1}, clusters(r))
}

func TestRandomDispatch(t *testing.T) {
	var jobs []job
	for i := range 300 {
		jobs = append(jobs, job{submit: int64(i), nodes: 1 + i%3, run: 5, est: 5})
	}
	w := workload(jobs)
	first := run(t, w, grid(2, 3, 3), central.Options{Policy: "random", Seed: 1})
	assert.Equal(t, first, run(t, w, grid(2, 3, 3), central.Options{Policy: "random", Seed: 1}))
	assert.NotEqual(t, first.Digest, run(t, w, grid(2, 3, 3), central.Options{Policy: "random", Seed: 2}).Digest)
	count := [3]int{}
	last := [3]int64{}
	for j, x := range first.Records {
		count[x.Cluster]++
		assert.GreaterOrEqual(t, x.StartMicros, last[x.Cluster], "each cluster is first come, first served")
		last[x.Cluster] = x.StartMicros
		assert.False(t, x.Cluster == 0 && jobs[j].nodes == 3)
	}
	// A third of the small jobs and half of the large ones are expected: 67, 117 and 117.
	assert.InDelta(t, 67, count[0], 20)
	assert.InDelta(t, 117, count[1], 25)
	assert.InDelta(t, 117, count[2], 25)
}

func TestChoice(t *testing.T) {
	p := grid(8, 4, 5, 4)
	for i, speed := range []int{1000, 1000, 2000, 2000} {
		p.Clusters[i].SpeedPermille = speed
	}
	w := workload([]job{{nodes: 3, run: 9, est: 9}, {nodes: 1, run: 9, est: 9}, {nodes: 4, run: 9, est: 9}})
	for _, policy := range []string{"fcfs", "easy", "conservative"} {
		for choice, want := range map[string][]int{
			"best":    {1, 1, 3},
			"first":   {0, 0, 0},
			"fastest": {3, 3, 2},
		} {
			assert.Equal(t, want, clusters(run(t, w, p, central.Options{Policy: policy, Choice: choice})), policy, choice)
		}
		count := [4]int{}
		for seed := range uint64(400) {
			count[clusters(run(t, w, p, central.Options{Policy: policy, Choice: "random", Seed: seed}))[0]]++
		}
		for c := range count {
			assert.InDelta(t, 100, count[c], 35, "%s, cluster %d", policy, c)
		}
	}
}

// With one pass for each event, job 2 starts at 10 before job 0 has given back its nodes to job 1.
func TestPassesByEvent(t *testing.T) {
	jobs := []job{
		{submit: 0, nodes: 8, run: 10, est: 20},
		{submit: 1, nodes: 10, run: 5, est: 5},
		{submit: 10, nodes: 2, run: 9, est: 9},
	}
	assert.Equal(t, []int64{0, 10, 15},
		starts(run(t, workload(jobs), grid(10), central.Options{Policy: "first-fit", Passes: "instant"})))
	assert.Equal(t, []int64{0, 19, 10},
		starts(run(t, workload(jobs), grid(10), central.Options{Policy: "first-fit", Passes: "event"})))
	jobs[0].est = 10 // so that it is known at 10 that job 0 ends
	assert.Equal(t, []int64{0, 10, 15},
		starts(run(t, workload(jobs), grid(10), central.Options{Policy: "first-fit", Passes: "event"})))
}

func TestUnknownUsersAreNotOneUser(t *testing.T) {
	jobs := queues()[6].jobs
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].user = scheduler.Unknown
	}
	assert.Equal(t, starts(run(t, workload(jobs), grid(10), central.Options{Policy: "easy"})),
		starts(run(t, workload(jobs), grid(10), central.Options{Policy: "easy++"})))
}
