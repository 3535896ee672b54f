package central_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// drawJobs draws jobs of bounded size. Estimates are exact, too long, or of any length.
func drawJobs(t *rapid.T, most, nodes, partitions int, estimates string) []job {
	return rapid.Custom(func(t *rapid.T) []job {
		var list []job
		submit := int64(0)
		for range rapid.IntRange(1, most).Draw(t, "jobs") {
			submit += rapid.Int64Range(0, 3).Draw(t, "gap")
			j := job{
				submit: submit, nodes: rapid.IntRange(1, nodes).Draw(t, "nodes"),
				run: rapid.Int64Range(1, 12).Draw(t, "run"), user: rapid.Int64Range(-1, 2).Draw(t, "user"),
				part: int64(rapid.IntRange(1, partitions).Draw(t, "partition")),
			}
			j.est = j.run
			switch estimates {
			case "long":
				j.est += rapid.Int64Range(0, 9).Draw(t, "excess")
			case "any":
				j.run = rapid.Int64Range(0, 12).Draw(t, "run, or none")
				j.est = rapid.Int64Range(0, 20).Draw(t, "estimate")
			}
			list = append(list, j)
		}
		return list
	}).Draw(t, "workload")
}

func drawGrid(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.IntRange(1, 9), 1, 4).Draw(t, "clusters")
}

func drawOptions(t *rapid.T, policies ...string) central.Options {
	if len(policies) == 0 {
		for _, p := range (central.System{}).Policies() {
			policies = append(policies, p.Name)
		}
	}
	return central.Options{
		Policy: rapid.SampledFrom(policies).Draw(t, "policy"), Choice: rapid.SampledFrom(central.Choices()).Draw(t, "choice"),
		Passes: rapid.SampledFrom(central.Passes()).Draw(t, "passes"), Seed: rapid.Uint64Range(0, 3).Draw(t, "seed"),
	}
}

// Each job runs once, after its submission, for its run time, in a cluster that has room for all
// that run there; or it is excluded. Equal arguments give equal results.
func TestSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawGrid(t)
		w := workload(drawJobs(t, 40, slices.Max(nodes)+1, len(nodes), "any"))
		o := drawOptions(t)
		r := run(t, w, grid(nodes...), o)
		require.Equal(t, r, run(t, w, grid(nodes...), o))
		checkSound(t, w, nodes, r, o.Policy == "home-fcfs" || o.Policy == "home-easy")
	})
}

func checkSound(t *rapid.T, w *scheduler.Workload, nodes []int, r *central.Result, home bool) {
	for i, x := range r.Records {
		j := w.Jobs[i]
		require.Equal(t, i, x.Job)
		can := j.Nodes <= slices.Max(nodes)
		if home {
			can = j.Nodes <= nodes[j.Partition-1]
		}
		require.Equal(t, can, x.Excluded == "")
		if !can {
			require.EqualValues(t, []int64{-1, -1, -1}, []int64{x.StartMicros, x.EndMicros, int64(x.Cluster)})
			continue
		}
		require.GreaterOrEqual(t, x.StartMicros, j.SubmitMicros)
		require.Equal(t, x.StartMicros+j.RunMicros, x.EndMicros)
		if home {
			require.EqualValues(t, j.Partition-1, x.Cluster)
		}
		if j.RunMicros == 0 {
			continue // it has its nodes before or after others that start at this time
		}
		// The most nodes of a cluster are in use when some job has just started.
		used := j.Nodes
		for k, y := range r.Records {
			if k != i && y.Excluded == "" && y.Cluster == x.Cluster &&
				y.StartMicros <= x.StartMicros && x.StartMicros < y.EndMicros {
				used += w.Jobs[k].Nodes
			}
		}
		require.LessOrEqual(t, used, nodes[x.Cluster])
	}
}

// When a job becomes the head and cannot start, the jobs that run then say when it can start at the
// latest. It does.
func TestEasyNeverDelaysTheHead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawGrid(t)
		w := workload(drawJobs(t, 30, slices.Max(nodes), 1, "exact"))
		r := run(t, w, grid(nodes...), drawOptions(t, "easy", "easy-sjbf"))
		becameHead := int64(0)
		for j := range w.Jobs {
			becameHead = max(becameHead, w.Jobs[j].SubmitMicros)
			shadow := int64(math.MaxInt64)
			for c := range nodes {
				shadow = min(shadow, firstShadow(w, r, j, c, nodes[c], becameHead))
			}
			require.LessOrEqual(t, r.Records[j].StartMicros, shadow, "job %d", j)
			becameHead = max(becameHead, r.Records[j].StartMicros)
		}
	})
}

// The nodes that the head leaves free at its reservation are taken once: of two jobs that each fit
// into them the second one waits. A job that ends when the reservation begins takes none of them; a
// job that ends a second later does.
func TestEasyTakesWhatTheHeadLeavesOnce(t *testing.T) {
	for first, second := range map[int64]int64{98: 2, 99: 101, 300: 110} {
		r := run(t, workload([]job{
			{nodes: 5, run: 100, est: 100}, {submit: 1, nodes: 7, run: 10, est: 10},
			{submit: 2, nodes: 3, run: first, est: first}, {submit: 2, nodes: 2, run: 300, est: 300},
		}), grid(10), central.Options{Policy: "easy"})
		assert.Equal(t, []int64{0, 100, 2, second}, starts(r), "the first runs for %d s", first)
	}
}

// firstShadow is the first time from which a job can run in a cluster, beside jobs that started
// before it became the head, or are older.
func firstShadow(w *scheduler.Workload, r *central.Result, head, cluster, free int, at int64) int64 {
	var running []scheduler.Record
	for j, x := range r.Records {
		if x.Cluster == cluster && x.EndMicros > at && (x.StartMicros < at || j < head && x.StartMicros == at) {
			running = append(running, x)
			free -= w.Jobs[j].Nodes
		}
	}
	slices.SortFunc(running, func(a, b scheduler.Record) int { return cmp.Compare(a.EndMicros, b.EndMicros) })
	for _, x := range running {
		if free >= w.Jobs[head].Nodes {
			return at
		}
		at = x.EndMicros
		free += w.Jobs[x.Job].Nodes
	}
	if free >= w.Jobs[head].Nodes {
		return at
	}
	return math.MaxInt64
}

func TestEasyWithoutEndsIsFCFS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawGrid(t)
		w := workload(drawJobs(t, 40, slices.Max(nodes), 1, "exact"))
		for j := range w.Jobs {
			w.Jobs[j].EstimateMicros = math.MaxInt64
		}
		o := drawOptions(t, "easy", "easy-sjbf")
		easy := run(t, w, grid(nodes...), o)
		o.Policy = "fcfs"
		require.Equal(t, run(t, w, grid(nodes...), o), easy)
	})
}

// With at most two waiting jobs, the reservation of the second one changes nothing. This needs
// exact estimates: see the queue "overtaken" in policy_test.go.
func TestConservativeAndEasyAgreeOnTwoJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t, 6, 4, 1, "exact")
		for i := range jobs { // all but two start at once
			jobs[i].submit = 0
		}
		two := drawJobs(t, 2, 24, 1, "exact")
		r := run(t, workload(append(jobs, two...)), grid(24), central.Options{Policy: "easy"})
		require.Equal(t, starts(r), starts(run(t, workload(append(jobs, two...)), grid(24),
			central.Options{Policy: "conservative"})))
	})
}

func TestTwiceTheTimesGiveTwiceTheStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := drawGrid(t)
		estimates := rapid.SampledFrom([]string{"long", "any"}).Draw(t, "estimates")
		jobs := drawJobs(t, 40, slices.Max(nodes), len(nodes), estimates)
		o := drawOptions(t)
		for i := range jobs {
			jobs[i].est = max(1, jobs[i].est) // an estimate of zero counts as a microsecond
			if o.Policy == "easy++" {
				jobs[i].run = max(1, jobs[i].run) // a prediction is at least a second
			}
		}
		once := run(t, workload(jobs), grid(nodes...), o)
		for i := range jobs {
			jobs[i].submit, jobs[i].run, jobs[i].est = 2*jobs[i].submit, 2*jobs[i].run, 2*jobs[i].est
		}
		twice := run(t, workload(jobs), grid(nodes...), o)
		for j, x := range once.Records {
			if x.Excluded != "" {
				continue
			}
			require.Equal(t, 2*x.StartMicros, twice.Records[j].StartMicros)
			require.Equal(t, x.Cluster, twice.Records[j].Cluster)
		}
		require.Equal(t, once.Events, twice.Events)
	})
}
