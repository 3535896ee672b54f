package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// drawRun draws a schedule that could have happened: each job starts in a drawn cluster at the
// first time after a drawn delay at which enough nodes are free for its whole run. Times are whole
// seconds.
func drawRun(t *rapid.T) ([]planned, *scheduler.Platform) {
	p := &scheduler.Platform{}
	var busy [][]int // by cluster and second
	for i, n := range rapid.SliceOfN(rapid.IntRange(1, 6), 1, 3).Draw(t, "sizes") {
		p.Clusters = append(p.Clusters, scheduler.Cluster{Name: fmt.Sprint("c", i), Nodes: n})
		busy = append(busy, make([]int, 5000))
	}
	var jobs []planned
	submit := int64(0)
	for range rapid.IntRange(1, 30).Draw(t, "jobs") {
		submit += rapid.Int64Range(0, 5).Draw(t, "between")
		j := planned{submit: submit, run: rapid.Int64Range(0, 40).Draw(t, "run")}
		j.user = rapid.Int64Range(-1, 3).Draw(t, "user")
		j.cluster = rapid.IntRange(0, len(p.Clusters)-1).Draw(t, "cluster")
		j.nodes = rapid.IntRange(1, p.Clusters[j.cluster].Nodes).Draw(t, "nodes")
		if rapid.IntRange(0, 9).Draw(t, "excluded") == 0 {
			j.excluded = "drawn"
		} else {
			j.start = submit + rapid.Int64Range(0, 20).Draw(t, "delay")
			room := func(at int64) bool {
				return !slices.ContainsFunc(busy[j.cluster][at:at+j.run], func(b int) bool {
					return b+j.nodes > p.Clusters[j.cluster].Nodes
				})
			}
			for !room(j.start) {
				j.start++
			}
			for s := range j.run {
				busy[j.cluster][j.start+s] += j.nodes
			}
		}
		jobs = append(jobs, j)
	}
	return jobs, p
}

func (j planned) end() int64    { return j.start + j.run }
func (j planned) ran() bool     { return j.excluded == "" }
func (j planned) bsld() float64 { return max(1, float64(j.end()-j.submit)/max(float64(j.run), 10)) }

// truth are the statistics of a run by their definitions, in the slowest way: second by second and
// job by job.
type truth struct {
	idle, waiting, work, within int64
	longest                     int
	overtaken                   map[int]bool
	first, last, end            int64
}

func truthOf(jobs []planned, p *scheduler.Platform) truth {
	out := truth{overtaken: map[int]bool{}, first: math.MaxInt64}
	for i, j := range jobs {
		if !j.ran() {
			continue
		}
		out.first, out.last, out.end = min(out.first, j.submit), j.submit, max(out.end, j.end())
		for k, younger := range jobs {
			if k > i && younger.ran() && younger.start < j.start && p.Clusters[younger.cluster].Nodes >= j.nodes {
				out.overtaken[i] = true
			}
		}
	}
	for s := out.first; s < out.end; s++ {
		busy, queue := 0, 0
		for _, j := range jobs {
			if j.ran() && j.start <= s && s < j.end() {
				busy += j.nodes
			}
			if j.ran() && j.submit <= s && s < j.start {
				queue++
			}
		}
		out.work += int64(busy)
		if s < out.last {
			out.within += int64(busy)
		}
		out.waiting += int64(queue)
		out.longest = max(out.longest, queue)
		if queue > 0 {
			out.idle += int64(p.Nodes() - busy)
		}
	}
	return out
}

func TestRunsAgreeWithTheirDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, p := drawRun(t)
		w, records := made(jobs...)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(records), func(i, j int) {
			records[i], records[j] = records[j], records[i]
		})
		s, err := metric.Summarise(w, p, records, metric.Options{})
		var waits, slowdowns []float64
		for _, j := range jobs {
			if j.ran() {
				waits, slowdowns = append(waits, float64(j.start-j.submit)), append(slowdowns, j.bsld())
			}
		}
		if len(waits) == 0 {
			require.ErrorIs(t, err, metric.ErrNoJobs)
			return
		}
		require.NoError(t, err)
		n := float64(len(waits))
		require.Equal(t, []int{len(jobs), len(waits)}, []int{s.Submitted, s.Done})
		require.Equal(t, len(jobs)-len(waits), s.Excluded["drawn"])

		want := truthOf(jobs, p)
		require.InDelta(t, float64(want.idle), s.IdleWaiting, 1e-9)
		require.Equal(t, want.longest, s.MaxQueue)
		require.InDelta(t, float64(len(want.overtaken))/n, s.Overtaken, 1e-12)
		if makespan := float64(want.end - want.first); makespan > 0 {
			require.InDelta(t, float64(want.waiting)/makespan, s.MeanQueue, 1e-9)
			require.InDelta(t, float64(want.work)/makespan/float64(p.Nodes()), s.Utilisation, 1e-9)
			require.InDelta(t, n/makespan*3600, s.Throughput, 1e-6)
		}
		if span := float64(want.last - want.first); span > 0 {
			require.InDelta(t, float64(want.within)/span/float64(p.Nodes()), *s.SpanUtilisation, 1e-9)
		}
		mean := func(x []float64) (m float64) {
			for _, v := range x {
				m += v / n
			}
			return m
		}
		require.InDelta(t, mean(waits), s.Wait.Mean, 1e-9)
		require.InDelta(t, mean(slowdowns), s.BoundedSlowdown.Mean, 1e-9)
		// Jackson's slowdown is larger by at most 1, and only for short jobs.
		require.GreaterOrEqual(t, s.JacksonSlowdown.Mean, s.BoundedSlowdown.Mean-1e-12)
		require.LessOrEqual(t, s.JacksonSlowdown.Mean, s.BoundedSlowdown.Mean+1+1e-12)
		mode, nearOne := jacksonTruth(jobs)
		require.Equal(t, mode, s.ModeCeilJackson)
		require.InDelta(t, nearOne, s.NearOneShare, 1e-12)
		requireQuantiles(t, waits, metric.Distribution(s.Wait))
		requireQuantiles(t, slowdowns, metric.Distribution(s.BoundedSlowdown))
	})
}

// jacksonTruth is the least of the most frequent slowdowns, rounded up, and the share below 1.01.
func jacksonTruth(jobs []planned) (mode int64, nearOne float64) {
	var all []int64
	for _, j := range jobs {
		if !j.ran() {
			continue
		}
		slowdown := 1 + float64(j.start-j.submit)/max(float64(j.run), 10)
		all = append(all, int64(math.Ceil(slowdown)))
		if slowdown < 1.01 {
			nearOne++
		}
	}
	count := func(x int64) (n int) {
		for _, y := range all {
			if x == y {
				n++
			}
		}
		return n
	}
	mode = all[0]
	for _, x := range all {
		if count(x) > count(mode) || count(x) == count(mode) && x < mode {
			mode = x
		}
	}
	return mode, nearOne / float64(len(all))
}

// requireQuantiles compares with the definition: the least value that is not below the given
// percentage.
func requireQuantiles(t *rapid.T, values []float64, d metric.Distribution) {
	for percent, got := range map[int]float64{50: d.Median, 90: d.P90, 95: d.P95, 99: d.P99, 100: d.Max} {
		reached := func(x float64) bool {
			count := 0
			for _, v := range values {
				if v <= x {
					count++
				}
			}
			return count*100 >= percent*len(values)
		}
		want := math.Inf(1)
		for _, v := range values {
			if reached(v) {
				want = min(want, v)
			}
		}
		require.InDelta(t, want, got, 1e-12, "%d %% of %v", percent, values)
	}
}

func TestPercentileIsNearestRank(t *testing.T) {
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for percent, want := range map[int]float64{
		-5: 1, 0: 1, 1: 1, 10: 1, 11: 2, 50: 5, 90: 9, 91: 10, 99: 10, 100: 10, 101: 10,
	} {
		assert.Equal(t, want, metric.Percentile(ten, percent), "%d %%", percent)
	}
	assert.True(t, math.IsNaN(metric.Percentile(nil, 50)))
}

// Trimming goes by the order of the ends. Counted jobs are found again by their waits, which
// differ.
func TestTrimming(t *testing.T) {
	const n = 250
	var jobs []planned
	for i := range int64(n) {
		jobs = append(jobs, planned{submit: 10 * i, start: 11 * i, run: 100 - i%7, nodes: 1})
	}
	w, records := made(jobs...)
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: n}}}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(jobs[a].end() - jobs[b].end()) })
	for trim, drop := range map[string]func(rank, i int) bool{
		"none":     func(int, int) bool { return false },
		"standard": func(rank, i int) bool { return rank < 2 || jobs[i].end() > 10*(n-1) },
		"10:5":     func(rank, _ int) bool { return rank < 25 || rank >= n-12 },
		"0:99":     func(rank, _ int) bool { return rank >= n-247 },
	} {
		var waits []float64
		for rank, i := range order {
			if !drop(rank, i) {
				waits = append(waits, float64(jobs[i].start-jobs[i].submit))
			}
		}
		slices.Sort(waits)
		s, err := metric.Summarise(w, p, records, metric.Options{Trim: trim})
		require.NoError(t, err)
		assert.Equal(t, trim, s.Trim)
		assert.Equal(t, len(waits), s.Counted, trim)
		assert.Equal(t, n, s.Done)
		assert.InDelta(t, metric.Percentile(waits, 50), s.Wait.Median, 1e-12, trim)
		assert.InDelta(t, waits[len(waits)-1], s.Wait.Max, 1e-12, trim)
		assert.InDelta(t, 11*(n-1)+100-float64((n-1)%7), s.Makespan, 1e-9, "the run is not trimmed")
	}
}

func TestTrimsThatAreRefused(t *testing.T) {
	w, p, records := fiveJobs()
	for _, trim := range []string{"nothing", "5", ":", "-1:0", "50:50", "1.5:2", "1:2:3"} {
		_, err := metric.Summarise(w, p, records, metric.Options{Trim: trim})
		var refused *metric.TrimError
		require.ErrorAs(t, err, &refused, trim)
		assert.Equal(t, trim, refused.Trim)
	}
	_, err := metric.Summarise(w, p, records[:5], metric.Options{Trim: "standard"})
	require.NoError(t, err)
	// A job that ends at the last submission is counted, a job that ends later is not.
	w, records = made(planned{run: 9, nodes: 1}, planned{run: 10, nodes: 1}, planned{run: 11, nodes: 1},
		planned{submit: 10, start: 10, run: 1, nodes: 1})
	s, err := metric.Summarise(w, p, records, metric.Options{Trim: "standard"})
	require.NoError(t, err)
	assert.Equal(t, 2, s.Counted)
	// All jobs end after the only submission: the standard trimming leaves nothing.
	w, records = made(planned{run: 5, nodes: 1}, planned{run: 6, nodes: 1})
	_, err = metric.Summarise(w, p, records, metric.Options{Trim: "standard"})
	require.ErrorIs(t, err, metric.ErrNoJobs)
}

func TestRecordsThatAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(w *scheduler.Workload, r []scheduler.Record){
		"record 1 is of job 5, want 0 to 4": func(_ *scheduler.Workload, r []scheduler.Record) { r[1].Job = 5 },
		"job 0 has two records, want one":   func(_ *scheduler.Workload, r []scheduler.Record) { r[1].Job = 0 },
		"job 2 is submitted before job 1, want jobs sorted by submission": func(w *scheduler.Workload, _ []scheduler.Record) {
			w.Jobs[2].SubmitMicros = 0
		},
		"job 0 (number 1 in its log) needs 0 nodes, want at least 1": func(w *scheduler.Workload, _ []scheduler.Record) {
			w.Jobs[0].Nodes = 0
		},
		"job 0 (number 1 in its log) ran in cluster 2, want 0 to 1": func(_ *scheduler.Workload, r []scheduler.Record) {
			r[0].Cluster = 2
		},
		`job 0 (number 1 in its log) needs 4 nodes and ran in cluster "b", which has 2`: func(
			_ *scheduler.Workload, r []scheduler.Record,
		) {
			r[0].Cluster = 1
		},
		"job 1 (number 2 in its log) started at 9999999 µs, before its submission at 10000000 µs": func(
			_ *scheduler.Workload, r []scheduler.Record,
		) {
			r[1].StartMicros--
			r[1].EndMicros--
		},
		"job 1 (number 2 in its log) started at 10000000 µs and ended at 14000001 µs, want a run of 4000000 µs": func(
			_ *scheduler.Workload, r []scheduler.Record,
		) {
			r[1].EndMicros++
		},
		"job 1 (number 2 in its log) has a time beyond 2^62 µs": func(_ *scheduler.Workload, r []scheduler.Record) {
			r[1].EndMicros = 1 << 62
		},
		`when job 2 starts at 99000000 µs, 7 nodes of cluster "a" are busy, which has 4`: func(
			_ *scheduler.Workload, r []scheduler.Record,
		) {
			r[2].StartMicros -= scheduler.Second
			r[2].EndMicros -= scheduler.Second
		},
	} {
		w, p, records := fiveJobs()
		spoil(w, records)
		_, err := metric.Summarise(w, p, records, metric.Options{})
		require.ErrorIs(t, err, metric.ErrRecords)
		assert.EqualError(t, err, "the records do not fit the workload and the platform: "+want)
	}
	// One node too few is enough.
	w, records := made(planned{run: 9, nodes: 2}, planned{run: 1, start: 8, nodes: 2})
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 3}, {Nodes: 9}}}
	_, err := metric.Summarise(w, p, records, metric.Options{})
	require.ErrorIs(t, err, metric.ErrRecords)

	w, p, records = fiveJobs()
	_, err = metric.Summarise(w, p, records[:4], metric.Options{})
	require.EqualError(t, err,
		"the records do not fit the workload and the platform: 4 records for 5 jobs, want one for each")
}

// Products and sums of these areas and waits do not fit into 64 bits.
func TestSumsDoNotOverflow(t *testing.T) {
	const long = int64(1) << 60 / scheduler.Second
	const nodes = 1 << 20
	const all = nodes - 1 + 3 + nodes/2 // of the three jobs
	w, records := made(
		planned{run: long, nodes: nodes - 1},
		planned{run: long, nodes: 3, start: long},
		planned{run: long, nodes: nodes / 2, start: 2 * long},
	)
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: nodes}}}
	s, err := metric.Summarise(w, p, records, metric.Options{})
	require.NoError(t, err)
	assert.InEpsilon(t, float64(long), s.Wait.Mean, 1e-15)
	assert.InEpsilon(t, float64(long)*(3+nodes)/all, s.Wait.AreaMean, 1e-15)
	assert.InEpsilon(t, float64(all)/(3*nodes), s.Utilisation, 1e-15)
	assert.InEpsilon(t, 1.0, s.MeanQueue, 1e-15)
	assert.InEpsilon(t, 2.0, s.BoundedSlowdown.Mean, 1e-15)
	assert.InEpsilon(t, float64(long)*(1+nodes-3), s.IdleWaiting, 1e-15)
}
