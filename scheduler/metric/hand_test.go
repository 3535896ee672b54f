package metric_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// planned is a job and its record, in seconds.
type planned struct {
	submit, run int64
	nodes       int
	user        int64
	start       int64
	cluster     int
	excluded    string
}

func made(jobs ...planned) (*scheduler.Workload, []scheduler.Record) {
	w := &scheduler.Workload{}
	var records []scheduler.Record
	for i, j := range jobs {
		w.Jobs = append(w.Jobs, scheduler.Job{
			Number: int64(i) + 1, SubmitMicros: j.submit * scheduler.Second, RunMicros: j.run * scheduler.Second,
			Nodes: j.nodes, User: j.user,
		})
		r := scheduler.Record{Job: i, Excluded: j.excluded}
		if r.Excluded == "" {
			r.Cluster, r.StartMicros = j.cluster, j.start*scheduler.Second
			r.EndMicros = r.StartMicros + j.run*scheduler.Second
		}
		records = append(records, r)
	}
	return w, records
}

// Two clusters of four and two nodes. Job 3 could have started at once, and job 4 overtakes it. Job
// 4 overtakes job 2 as well, but in a cluster that is too small for job 2.
func fiveJobs() (*scheduler.Workload, *scheduler.Platform, []scheduler.Record) {
	w, records := made(
		planned{submit: 0, run: 100, nodes: 4, user: 1, start: 0, cluster: 0},
		planned{submit: 10, run: 4, nodes: 2, user: 2, start: 10, cluster: 1},
		planned{submit: 20, run: 20, nodes: 3, user: 1, start: 100, cluster: 0},
		planned{submit: 30, run: 5, nodes: 1, user: 2, start: 70, cluster: 1},
		planned{submit: 40, run: 1000, nodes: 1, user: 3, start: 60, cluster: 1},
	)
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Name: "a", Nodes: 4}, {Name: "b", Nodes: 2}}}
	return w, p, records
}

func near(t *testing.T, want, got metric.Distribution) {
	t.Helper()
	const digits = 5e-6
	assert.InDelta(t, want.Mean, got.Mean, digits*want.Mean, "mean")
	assert.InDelta(t, want.Median, got.Median, 1e-12, "median")
	assert.InDelta(t, want.P90, got.P90, 1e-12, "p90")
	assert.InDelta(t, want.P95, got.P95, 1e-12, "p95")
	assert.InDelta(t, want.P99, got.P99, 1e-12, "p99")
	assert.InDelta(t, want.Max, got.Max, 1e-12, "max")
	assert.InDelta(t, want.SD, got.SD, digits*want.SD, "sd")
	assert.InDelta(t, want.AreaMean, got.AreaMean, digits*want.AreaMean, "area mean")
}

// Areas: 400, 8, 60, 5, 1,000 node-seconds, 1,473 in all.
func TestFiveJobsByHand(t *testing.T) {
	w, p, records := fiveJobs()
	s, err := metric.Summarise(w, p, records, metric.Options{Trim: "none"})
	require.NoError(t, err)
	assert.Equal(t, "none", s.Trim)
	assert.Equal(t, []int{5, 5, 5}, []int{s.Submitted, s.Done, s.Counted})
	assert.Equal(t, map[string]int{}, s.Excluded)

	// 0, 0, 80, 40, 20
	near(t, metric.Distribution{
		Mean: 28, Median: 20, P90: 80, P95: 80, P99: 80, Max: 80,
		SD: math.Sqrt(1120), AreaMean: 25000.0 / 1473,
	}, metric.Distribution(s.Wait))
	// 100, 4, 100, 45, 1020
	near(t, metric.Distribution{
		Mean: 253.8, Median: 100, P90: 1020, P95: 1020, P99: 1020, Max: 1020,
		SD: math.Sqrt(185092.2), AreaMean: 1066257.0 / 1473,
	}, metric.Distribution(s.Response))
	// 1, 1, 5, 4.5, 1.02: job 1 has a response of 4 s and counts as 1, job 3 has 45 s over 10 s
	near(t, metric.Distribution{
		Mean: 2.504, Median: 1.02, P90: 5, P95: 5, P99: 5, Max: 5,
		SD: math.Sqrt(4.23508), AreaMean: 1750.5 / 1473,
	}, metric.Distribution(s.BoundedSlowdown))
	// 1, 1, 5, 5, 1.02
	near(t, metric.Distribution{
		Mean: 2.604, Median: 1.02, P90: 5, P95: 5, P99: 5, Max: 5,
		SD: math.Sqrt(4.78408), AreaMean: 1753.0 / 1473,
	}, metric.Distribution(s.JacksonSlowdown))
	// 1, 1, 5/3, 4.5, 1.02
	near(t, metric.Distribution{
		Mean: 1.8373333, Median: 1.02, P90: 4.5, P95: 4.5, P99: 4.5, Max: 4.5,
		SD: math.Sqrt(2.297302), AreaMean: 1550.5 / 1473,
	}, metric.Distribution(s.PerProcessorSlowdown))

	assert.Equal(t, int64(1), s.ModeCeilJackson) // 1, 1, 5, 5, 2
	assert.InDelta(t, 0.4, s.NearOneShare, 1e-12)
	assert.InDelta(t, 1060.0, s.Makespan, 1e-12)
	assert.InDelta(t, 1473.0/(6*1060), s.Utilisation, 1e-12)
	assert.InDelta(t, 168.0/(6*40), *s.SpanUtilisation, 1e-12) // 160 of job 0, 8 of job 1
	assert.InDelta(t, 5*3600.0/1060, s.Throughput, 1e-12)
	assert.InDelta(t, 140.0/1060, s.MeanQueue, 1e-12)
	assert.Equal(t, 3, s.MaxQueue)
	// From 20 s to 60 s two nodes are free, to 70 s one, to 75 s none, to 100 s one.
	assert.InDelta(t, 80+10+0+25, s.IdleWaiting, 1e-12)

	assert.Equal(t, 3, s.Users) // with mean bsld 3, 2.75, 1.02
	assert.InDelta(t, 6.77*6.77/(3*(9+7.5625+1.0404)), *s.JainUsers, 1e-12)
	assert.InDelta(t, 4.23508, s.BSLDVariance, 1e-9)
	assert.InDelta(t, 4, *s.MaxOverMedian, 1e-12)
	assert.InDelta(t, 0.2, s.Overtaken, 1e-12)
}

func TestFiveJobsByClass(t *testing.T) {
	w, p, records := fiveJobs()
	s, err := metric.Summarise(w, p, records, metric.Options{})
	require.NoError(t, err)
	type row struct {
		label string
		jobs  int
		wait  float64
	}
	rows := func(classes []metric.Class) (list []row) {
		for _, c := range classes {
			list = append(list, row{c.Label, c.Counted, c.Wait.Mean})
		}
		return list
	}
	assert.Equal(t, []row{{"1", 2, 30}, {"2-3", 2, 40}, {"4-7", 1, 0}}, rows(s.BySize))
	assert.Equal(t, []row{{"<10 s", 2, 20}, {"<1 min", 1, 80}, {"<10 min", 1, 0}, {"<1 h", 1, 20}}, rows(s.ByRun))
}

// A run time of exactly 10 s is in the second class.
func TestEdgesOfClasses(t *testing.T) {
	edges := []int64{9, 10, 59, 60, 599, 600, 3599, 3600, 35999, 36000}
	var jobs []planned
	for _, run := range edges {
		jobs = append(jobs, planned{run: run, nodes: 1, user: scheduler.Unknown})
	}
	w, records := made(jobs...)
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 10}}}
	s, err := metric.Summarise(w, p, records, metric.Options{})
	require.NoError(t, err)
	var labels []string
	var counts []int
	for _, c := range s.ByRun {
		labels, counts = append(labels, c.Label), append(counts, c.Counted)
	}
	assert.Equal(t, []string{"<10 s", "<1 min", "<10 min", "<1 h", "<10 h", ">=10 h"}, labels)
	assert.Equal(t, []int{1, 2, 2, 2, 2, 1}, counts)
	assert.Nil(t, s.SpanUtilisation)
	assert.Nil(t, s.JainUsers)
	assert.Nil(t, s.MaxOverMedian)
	assert.Zero(t, s.Users)
}

// Names of fields are part of the format of rows.
func TestNamesHaveUnits(t *testing.T) {
	w, p, records := fiveJobs()
	s, err := metric.Summarise(w, p, records, metric.Options{})
	require.NoError(t, err)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	want := []string{
		"trim", "submitted_jobs", "done_jobs", "excluded_jobs", "counted_jobs", "by_size", "by_run",
		"mode_shape", "mode_ceil_sjackson", "share_sjackson_below_1_01", "makespan_seconds", "utilisation",
		"span_utilisation",
		"throughput_jobs_per_hour", "mean_queue_jobs", "max_queue_jobs", "idle_while_waiting_node_seconds",
		"users", "jain_users_bsld", "variance_bsld", "max_over_median_wait", "share_overtaken",
	}
	for _, measure := range []string{"wait_seconds", "response_seconds", "bsld", "sjackson", "bsld_per_processor"} {
		for _, statistic := range []string{"mean_", "median_", "p90_", "p95_", "p99_", "max_", "sd_", "area_mean_"} {
			want = append(want, statistic+measure)
		}
	}
	var got []string
	for name := range fields {
		got = append(got, name)
	}
	assert.ElementsMatch(t, want, got)
	assert.Equal(t, 28.0, fields["mean_wait_seconds"])
	var again metric.Summary
	require.NoError(t, json.Unmarshal(text, &again))
	assert.Equal(t, s, again)
}
