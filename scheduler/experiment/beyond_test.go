package experiment_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// made makes rows of the cells of an experiment in its smallest size, with mean slowdowns.
func made(
	t *testing.T, e *experiment.Experiment, seeds string, slowdown func(r experiment.Run) float64,
) []*experiment.Row {
	t.Helper()
	some, err := experiment.Seeds(seeds)
	require.NoError(t, err)
	runs, err := e.Runs("ci", some)
	require.NoError(t, err)
	var rows []*experiment.Row
	for _, r := range runs {
		row := rowOf(e.Name, r.Cell)
		row.Seed = r.Seed
		row.Summary.JacksonSlowdown.Mean = slowdown(r)
		rows = append(rows, row)
	}
	return rows
}

// The best over-provisioning is that with the smallest mean, and a value that differs from seed to
// seed in both directions is within chance.
func TestBestOverProvisioning(t *testing.T) {
	e := chosen(t, "x/sweep")
	rows := made(t, e, "10", func(r experiment.Run) float64 {
		mean := map[string]float64{"none": 50, "2": 10, "total": 11}[r.Cell.Get("over-provisioning")]
		return mean + float64(r.Seed*r.Seed%7)
	})
	for _, r := range rows { // only the sums of total and 2 are near each other
		if r.Settings.Get("over-provisioning") == "total" && r.Seed%2 == 0 {
			r.Summary.JacksonSlowdown.Mean -= 1.5
		}
	}
	judged := e.Judge(rows)
	require.Len(t, judged, 4)
	for _, j := range judged {
		assert.True(t, strings.HasPrefix(j.Found, "2 ("), j.Found)
		assert.Contains(t, j.Found, ", and within chance total (")
		assert.Contains(t, j.Found, "; worse are none (")
		assert.Equal(t, experiment.None, j.Verdict)
	}
}

// A heat map has a cell for each clustering and over-provisioning, and one map for each load.
func TestHeatsOfTheSweep(t *testing.T) {
	e := chosen(t, "x/sweep")
	heats := e.Heats(made(t, e, "2", func(r experiment.Run) float64 {
		return float64(10*len(r.Cell.Get("clustering")) + len(r.Cell.Get("over-provisioning")) + 2*int(r.Seed))
	}))
	require.Len(t, heats, 2)
	assert.Equal(t, "mean slowdown at load 0.9, sharcnet-like:N=250", heats[0].Title)
	assert.Equal(t, []string{"none", "2", "total"}, heats[0].XTicks)
	assert.Equal(t, []string{"actual", "disjoint:64"}, heats[0].YTicks)
	assert.Equal(t, [][]float64{{67, 64, 68}, {117, 114, 118}}, heats[0].Cells)
	assert.Nil(t, chosen(t, "x/reach").Heats(nil))
}

// Classes are compared by the means over seeds, and a class without jobs leaves its cell empty.
func TestClassesOfBackfilling(t *testing.T) {
	e := chosen(t, "x/backfill")
	rows := made(t, e, "3", func(experiment.Run) float64 { return 1 })
	class := func(label string, mean float64) metric.Class {
		c := metric.Class{Label: label}
		c.JacksonSlowdown.Mean = mean
		return c
	}
	for _, r := range rows {
		r.Summary.BySize = []metric.Class{class("1", 5), class("2-3", 5)}
		if r.Settings.Policy == "qb+dlb" && r.Settings.Clustering == "actual" {
			r.Summary.BySize = []metric.Class{class("1", 3+float64(r.Seed)), class("2-3", 4+float64(r.Seed))}
		}
		if r.Settings.Policy == "easy" {
			r.Summary.BySize = r.Summary.BySize[1:]
		}
	}
	found := map[string]string{}
	for _, j := range e.Judge(rows) {
		found[j.Claim] = j.Found
	}
	text := "classes of size and run time in which qb+dlb has a smaller mean slowdown than %s (input S)"
	assert.Equal(t, "by size: none; by run time: none", found[fmt.Sprintf(text, "first-fit")])
	for _, r := range rows {
		if r.Settings.Policy == "first-fit" {
			r.Summary.BySize[0].JacksonSlowdown.Mean = 5.1
		}
	}
	for _, j := range e.Judge(rows) {
		found[j.Claim] = j.Found
	}
	assert.Equal(t, "by size: 1; by run time: none", found[fmt.Sprintf(text, "first-fit")])
	by := e.Heats(rows)[0]
	assert.Equal(t, []string{"1", "2-3"}, by.XTicks)
	assert.Equal(t, "easy", by.YTicks[2])
	assert.True(t, math.IsNaN(by.Cells[2][0]))
	assert.InDelta(t, 5, by.Cells[2][1], 0)
}

// Differences between sides are those of the same seeds.
func TestSidesAreComparedBySeed(t *testing.T) {
	e := chosen(t, "x/variants")
	judged := e.Judge(made(t, e, "10", func(r experiment.Run) float64 {
		value := 100 * float64(r.Seed) // differs far more than the readings do
		if r.Cell.Get("position") == "kth" && r.Cell.Get("minimum") == "pareto" && r.Cell.Get("moves") == "once" {
			value -= 2 + 0.1*float64(r.Seed%3)
		}
		return value
	}))
	for _, j := range judged {
		chance := j.Claim != "the mean slowdown of qb+dlb position=kth beside that of qb+dlb (input S)"
		assert.Equal(t, chance, strings.HasSuffix(j.Found, "; the difference is within chance"), "%+v", j)
	}
}

// Latencies between clusters are at least those within, groups of one cluster stay together, and
// unreadable files are refused.
func TestLatenciesBetweenClusters(t *testing.T) {
	run := func(settings ...string) (*experiment.Row, error) {
		c := experiment.Cell{
			Workload: "sharcnet-like:N=60", Select: "filter:size<=32", Platform: "uniform:2x64", Policy: "qb+dlb",
		}
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			require.NoError(t, c.Set(name, value))
		}
		o, err := (&experiment.Lab{}).Run(t.Context(), "", &c, 1)
		if err != nil {
			return nil, err
		}
		return o.Row, nil
	}
	digests := map[string]bool{}
	for _, s := range []string{"between=same", "between=70ms", "between=plane", "between=plane*10"} {
		row, err := run(s)
		require.NoError(t, err)
		digests[row.StartsDigest] = true
	}
	assert.Len(t, digests, 4, "the latency changes nothing")
	same, err := run("between=same", "latency=2s", "clustering=disjoint:32")
	require.NoError(t, err)
	sites, err := run("between=plane", "latency=2s", "clustering=disjoint:32")
	require.NoError(t, err)
	assert.Equal(t, same.StartsDigest, sites.StartsDigest, "sites are nearer than the latency within a cluster")
	for setting, want := range map[string]string{
		"between=70us":    "a message from cluster 0 to 1 takes 70 µs: use 1000, as within a cluster",
		"between=plane*0": "use a whole number of times from 1 to 1000",
		"between=moon":    "use same, a time such as 50ms, or the sites plane, median, mean or lowest",
	} {
		_, err := run(setting)
		var mistake *usage.Error
		require.ErrorAs(t, err, &mistake)
		assert.ErrorContains(t, err, want)
	}
	_, err = run("between=median")
	assert.ErrorIs(t, err, experiment.ErrNoData)
}

// The cost of a job is judged by the time of the run, and a run that loses a job deviates.
func TestCostOfAJob(t *testing.T) {
	e := chosen(t, "x/scale")
	runs, err := e.Runs("desk", []uint64{1})
	require.NoError(t, err)
	var rows []*experiment.Row
	for _, r := range runs {
		row := rowOf(e.Name, r.Cell)
		row.Decentralised = &parallel.Counts{Events: 1000}
		row.Summary.Submitted, row.Summary.Done, row.ElapsedSeconds = 13_600, 13_600, 2
		if r.Cell.Platform == "graded:40" {
			row.Summary.Submitted, row.Summary.Done, row.ElapsedSeconds = 100_000, 99_000, 20
			row.Summary.Excluded = map[string]int{"too large": 1_000}
			if r.Cell.Over == "total" {
				row.ElapsedSeconds = 23
			}
		}
		rows = append(rows, row)
	}
	verdicts := func() (all []experiment.Verdict) {
		for _, j := range e.Judge(rows) {
			all = append(all, j.Verdict)
		}
		return all
	}
	yes, no := experiment.Reproduced, experiment.Deviates
	assert.Equal(t, []experiment.Verdict{yes, yes, no, yes, no}, verdicts())
	rows[0].Summary.Done--
	assert.Equal(t, []experiment.Verdict{no, yes, no, yes, no}, verdicts())
}

// Jobs that require fast machines run elsewhere, but only where machines differ.
func TestDemandsOfJobs(t *testing.T) {
	digest := func(platform, demands string) string {
		c := experiment.Cell{
			Workload: "sharcnet-like:N=60", Select: "filter:size<=32", Platform: platform, Policy: "qb+dlb", Demands: demands,
		}
		o, err := (&experiment.Lab{}).Run(t.Context(), "", &c, 1)
		require.NoError(t, err)
		return o.Row.StartsDigest
	}
	assert.NotEqual(t, digest("hetero:1,300", "none"), digest("hetero:1,300", "drawn"))
	assert.Equal(t, digest("uniform:2x64", "none"), digest("uniform:2x64", "drawn"))
	c := experiment.Cell{Workload: "sharcnet-like:N=60", Platform: "uniform:2x64", Policy: "qb", Demands: "much"}
	_, err := (&experiment.Lab{}).Run(t.Context(), "", &c, 1)
	var mistake *usage.Error
	require.ErrorAs(t, err, &mistake)
	assert.Equal(t, `demands is "much": use none or drawn`, mistake.Error())
}
