package central_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// job is a job of a test, in seconds.
type job struct {
	submit   int64
	nodes    int
	run, est int64
	user     int64
	part     int64
}

func workload(jobs []job) *scheduler.Workload {
	w := &scheduler.Workload{Name: "test"}
	for i, j := range jobs {
		w.Jobs = append(w.Jobs, scheduler.Job{
			Number: int64(100 + i), SubmitMicros: j.submit * scheduler.Second, RunMicros: j.run * scheduler.Second,
			EstimateMicros: j.est * scheduler.Second, Nodes: j.nodes, User: j.user, Partition: j.part,
		})
	}
	return w
}

func grid(nodes ...int) *scheduler.Platform {
	p := &scheduler.Platform{Name: "test"}
	for _, n := range nodes {
		p.Clusters = append(p.Clusters, scheduler.Cluster{Nodes: n, SpeedPermille: 1000})
	}
	return p
}

func run(t require.TestingT, w *scheduler.Workload, p *scheduler.Platform, o central.Options) *central.Result {
	r, err := central.Run(context.Background(), w, p, o)
	require.NoError(t, err)
	require.Len(t, r.Records, len(w.Jobs))
	return r
}

// starts are in seconds.
func starts(r *central.Result) []int64 {
	var list []int64
	for _, x := range r.Records {
		list = append(list, x.StartMicros/scheduler.Second)
	}
	return list
}

func clusters(r *central.Result) []int {
	var list []int
	for _, x := range r.Records {
		list = append(list, x.Cluster)
	}
	return list
}

func TestUnknownNamesSuggestOthers(t *testing.T) {
	for _, test := range []struct {
		options central.Options
		want    string
	}{
		{central.Options{Policy: "esay"}, `policy "esay" is not known; did you mean "easy"`},
		{central.Options{}, `policy "" is not known; choose one of fcfs, fcfs-ideal, first-fit, easy, `},
		{central.Options{Policy: "easy", Choice: "bets"}, `choice "bets" is not known; did you mean "best"?`},
		{central.Options{Policy: "easy", Passes: "events"}, `passes "events" is not known; did you mean "event"?`},
	} {
		_, err := central.Run(context.Background(), workload(nil), grid(1), test.options)
		var unknown *central.UnknownError
		require.ErrorAs(t, err, &unknown)
		assert.Contains(t, err.Error(), test.want)
	}
	_, err := central.Run(context.Background(), workload(nil), grid(1), central.Options{Policy: "conservativ"})
	var unknown *central.UnknownError
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, "policy", unknown.Option)
	assert.Equal(t, []string{"conservative"}, unknown.Nearest)
}

func TestPoliciesNeedEstimates(t *testing.T) {
	w := workload([]job{{nodes: 1, run: 1, est: 2}, {nodes: 9, run: 1}, {nodes: 1, run: 1}, {nodes: 1, run: 1}})
	for _, i := range []int{1, 2, 3} {
		w.Jobs[i].EstimateMicros = scheduler.Unknown
	}
	for _, p := range (central.System{}).Policies() {
		assert.NotEmpty(t, p.Rule)
		_, err := central.Run(context.Background(), w, grid(4), central.Options{Policy: p.Name})
		if !p.Estimates {
			assert.NoError(t, err, p.Name)
			continue
		}
		var missing *central.EstimateError
		if !errors.As(err, &missing) {
			assert.Equal(t, "home-easy", p.Name, "here all jobs are excluded, since no partition is known")
			continue
		}
		// The job that is too large is excluded and needs none.
		assert.Equal(t, central.EstimateError{Policy: p.Name, Jobs: 2, First: 2, Number: 102}, *missing)
		assert.Contains(t, err.Error(), "2 jobs have none, first job 2 (number 102)")
		assert.Contains(t, err.Error(), "fcfs, fcfs-ideal, first-fit, sjf-exact, smallest")
	}
}

func TestJobsThatCannotRunAreExcluded(t *testing.T) {
	w := workload([]job{{nodes: 5, run: 1, part: 1}, {nodes: 4, run: 1, part: 2}, {nodes: 3, run: 1, part: 3}})
	for _, p := range (central.System{}).Policies() {
		r := run(t, w, grid(3, 4), central.Options{Policy: p.Name})
		assert.Equal(t, scheduler.Unknown, r.Records[0].Cluster)
		assert.EqualValues(t, scheduler.Unknown, r.Records[0].StartMicros)
		assert.EqualValues(t, scheduler.Unknown, r.Records[0].EndMicros)
		assert.Empty(t, r.Records[1].Excluded)
		if p.Name == "home-fcfs" || p.Name == "home-easy" {
			assert.Equal(t, "needs 5 nodes; its cluster, partition 1, has 3", r.Records[0].Excluded)
			assert.Equal(t, "its partition is 3; clusters are partitions 1 to 2", r.Records[2].Excluded)
		} else {
			assert.Equal(t, "needs 5 nodes; the largest cluster has 4", r.Records[0].Excluded)
			assert.Empty(t, r.Records[2].Excluded)
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	good := job{submit: 1, nodes: 1, run: 1, est: 1}
	for _, test := range []struct {
		name   string
		change func(*scheduler.Workload, *scheduler.Platform)
		want   string
	}{
		{"no cluster", func(_ *scheduler.Workload, p *scheduler.Platform) { p.Clusters = nil }, "has no cluster"},
		{"no nodes", func(_ *scheduler.Workload, p *scheduler.Platform) { p.Clusters[1].Nodes = 0 }, `cluster 1 ("")`},
		{"too many nodes", func(_ *scheduler.Workload, p *scheduler.Platform) { p.Clusters[0].Nodes = math.MaxInt32 + 1 },
			"has 2147483648 nodes"},
		{"job without nodes", func(w *scheduler.Workload, _ *scheduler.Platform) { w.Jobs[1].Nodes = 0 },
			"job 1 (number 101) has 0 nodes"},
		{"negative run", func(w *scheduler.Workload, _ *scheduler.Platform) { w.Jobs[1].RunMicros = -1 }, "run time -1 µs"},
		{"not sorted", func(w *scheduler.Workload, _ *scheduler.Platform) { w.Jobs[0].SubmitMicros = 1e9 },
			"sort the workload"},
		{"before the log", func(w *scheduler.Workload, _ *scheduler.Platform) { w.Jobs[0].SubmitMicros = -1 }, "before 0"},
		{"overflow of runs", func(w *scheduler.Workload, _ *scheduler.Platform) {
			w.Jobs[0].RunMicros, w.Jobs[1].RunMicros = 1<<61, 1<<61
		}, "add up to more than"},
		{"overflow of a submission", func(w *scheduler.Workload, _ *scheduler.Platform) {
			w.Jobs[1].SubmitMicros = math.MaxInt64
		}, "add up to more than"},
		{"overflow of estimates", func(w *scheduler.Workload, _ *scheduler.Platform) {
			w.Jobs[1].EstimateMicros = math.MaxInt64
		}, "lower the estimates"},
	} {
		w, p := workload([]job{good, good}), grid(2, 2)
		run(t, w, p, central.Options{Policy: "conservative"})
		test.change(w, p)
		_, err := central.Run(context.Background(), w, p, central.Options{Policy: "conservative"})
		require.ErrorContains(t, err, test.want, test.name)
	}
}

// endsAfter is a context that ends after it was asked so often.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}

func TestAContextEndsTheRun(t *testing.T) {
	w := workload([]job{{submit: 3, nodes: 1, run: 2}, {submit: 4, nodes: 1, run: 2}})
	r, err := central.Run(&endsAfter{context.Background(), 2}, w, grid(2), central.Options{Policy: "fcfs"})
	require.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, `run policy "fcfs": stopped at 4000000 µs after 2 events`)
	assert.Nil(t, r)
}

func TestTheDigestIsOfStartsAndClusters(t *testing.T) {
	w := workload([]job{{nodes: 1, run: 1, part: 1}, {nodes: 1, run: 1, part: 1}})
	here := run(t, w, grid(2, 2), central.Options{Policy: "fcfs", Choice: "first"})
	assert.Len(t, here.Digest, 16)
	assert.Equal(t, here.Digest, run(t, w, grid(2, 2), central.Options{Policy: "home-fcfs"}).Digest)
	w.Jobs[1].Partition = 2
	there := run(t, w, grid(2, 2), central.Options{Policy: "home-fcfs"})
	assert.Equal(t, starts(here), starts(there))
	assert.NotEqual(t, here.Digest, there.Digest)
	assert.NotEqual(t, here.Digest, run(t, w, grid(1), central.Options{Policy: "fcfs"}).Digest)
}

func TestAnEmptyWorkloadEndsAtOnce(t *testing.T) {
	for _, p := range (central.System{}).Policies() {
		r := run(t, workload(nil), grid(2, 3), central.Options{Policy: p.Name})
		assert.Zero(t, r.Events)
	}
}

// Jobs of no time end before anything else happens, and the next ones start at the same time.
func TestJobsOfNoTime(t *testing.T) {
	jobs := []job{{nodes: 2}, {nodes: 2}, {nodes: 2, est: 3}, {submit: 1, nodes: 1, run: 1, est: 1}}
	for i := range jobs {
		jobs[i].part = 1
	}
	for _, p := range (central.System{}).Policies() {
		for _, passes := range central.Passes() {
			r := run(t, workload(jobs), grid(2), central.Options{Policy: p.Name, Passes: passes})
			assert.Equal(t, []int64{0, 0, 0, 1}, starts(r), "%s, passes %s", p.Name, passes)
			assert.EqualValues(t, 8, r.Events)
		}
	}
}
