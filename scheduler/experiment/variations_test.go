package experiment_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// made makes rows of the cells of an experiment in its smallest size, with mean slowdowns.
func made(
	t *testing.T, e *experiment.Experiment, seeds string, slowdown func(r lab.Run) float64,
) []*lab.Row {
	t.Helper()
	some, err := lab.Seeds(seeds)
	require.NoError(t, err)
	runs, err := e.Runs("ci", some)
	require.NoError(t, err)
	var rows []*lab.Row
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
	rows := made(t, e, "10", func(r lab.Run) float64 {
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
	heats := e.Heats(made(t, e, "2", func(r lab.Run) float64 {
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
	rows := made(t, e, "3", func(lab.Run) float64 { return 1 })
	class := func(label string, mean float64) metric.Class {
		c := metric.Class{Label: label}
		c.JacksonSlowdown.Mean = mean
		return c
	}
	for _, r := range rows {
		r.Summary.BySize = []metric.Class{class("1", 5), class("2-3", 5)}
		if r.Settings.Get("policy") == "qb+dlb" && r.Settings.Get("clustering") == "actual" {
			r.Summary.BySize = []metric.Class{class("1", 3+float64(r.Seed)), class("2-3", 4+float64(r.Seed))}
		}
		if r.Settings.Get("policy") == "easy" {
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
		if r.Settings.Get("policy") == "first-fit" {
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
	judged := e.Judge(made(t, e, "10", func(r lab.Run) float64 {
		value := 100 * float64(r.Seed) // differs far more than the readings do
		if r.Cell.Get("position") == "kth" && r.Cell.Get("minimum") == "pareto" && r.Cell.Get("moves") == "once" {
			value -= 2 + 0.1*float64(r.Seed%3)
		}
		return value
	}))
	for _, j := range judged {
		differs := j.Claim == "the mean slowdown of qb+dlb position=kth beside that of qb+dlb (input S)"
		require.Len(t, j.Estimates, 1)
		assert.Equal(t, differs, *j.Estimates[0].High < 1, "%+v", j)
		assert.Equal(t, !differs, strings.HasSuffix(j.Found, "; all pairs are equal"), "%+v", j)
	}
}

// The cost of a job is judged by the time of the run, and a run that loses a job deviates.
func TestCostOfAJob(t *testing.T) {
	e := chosen(t, "x/scale")
	runs, err := e.Runs("desk", []uint64{1})
	require.NoError(t, err)
	var rows []*lab.Row
	for _, r := range runs {
		row := rowOf(e.Name, r.Cell)
		row.Decentralised = &parallel.Counts{Events: 1000}
		row.Summary.Submitted, row.Summary.Done, row.ElapsedSeconds = 13_600, 13_600, 2
		if r.Cell.Get("platform") == "graded:40" {
			row.Summary.Submitted, row.Summary.Done, row.ElapsedSeconds = 100_000, 99_000, 20
			row.Summary.Excluded = map[string]int{"too large": 1_000}
			if r.Cell.Get("over-provisioning") == "total" {
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
