package report_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// rowOf is a row with a mean wait, and starts that no other row has.
func rowOf(policy string, seed uint64, wait float64) *lab.Row {
	r := &lab.Row{
		Settings: lab.MustCell("workload=lublin:N=9,nodes=16", "policy="+policy), Seed: seed,
		JobsDigest: string(rune('a' + seed)), StartsDigest: policy + string(rune('a'+seed)),
	}
	r.Summary.Wait.Mean = wait
	return r
}

// Differences are 2, 4 and 0, so their mean is 2, with a standard deviation of 2. Student's t with
// two degrees of freedom is 4.302652729911275. Logarithms of the ratios 1.2, 1.4 and 1 have their
// own interval.
func TestAgainstByHand(t *testing.T) {
	rows := []*lab.Row{
		rowOf("easy", 1, 10), rowOf("fcfs", 1, 12), rowOf("fcfs", 2, 14), rowOf("easy", 2, 10), rowOf("fcfs", 3, 10),
		rowOf("easy", 3, 10), rowOf("fcfs", 4, 99), // without its baseline
	}
	all, err := report.Baseline{"policy=easy"}.Against(rows, []string{"mean_wait_seconds", "mean(wait)"})
	require.NoError(t, err)
	require.Len(t, all, 2)
	v := all[0]
	assert.Equal(t, []uint64{1, 2, 3}, v.Seeds)
	assert.Equal(t, lab.Workloads, v.Over)
	assert.InDelta(t, 12, *v.Mean, 1e-12)
	assert.InDelta(t, 10, *v.Baseline, 1e-12)
	half := 4.302652729911275 * 2 / math.Sqrt(3)
	assert.InDelta(t, 2, v.Difference.Value, 1e-12)
	assert.InDelta(t, 2-half, *v.Difference.Low, 1e-9)
	assert.InDelta(t, 2+half, *v.Difference.High, 1e-9)
	logs := []float64{math.Log(1.2), math.Log(1.4), 0}
	mean := (logs[0] + logs[1] + logs[2]) / 3
	sd := math.Sqrt(((logs[0]-mean)*(logs[0]-mean) + (logs[1]-mean)*(logs[1]-mean) + mean*mean) / 2)
	half = 4.302652729911275 * sd / math.Sqrt(3)
	assert.InDelta(t, math.Exp(mean), v.Ratio.Value, 1e-12)
	assert.InDelta(t, math.Exp(mean-half), *v.Ratio.Low, 1e-9)
	assert.InDelta(t, math.Exp(mean+half), *v.Ratio.High, 1e-9)
	assert.Equal(t, [3]int{0, 1, 2}, [3]int{v.Lower, v.Equal, v.Higher})

	undefined := all[1] // no row has it
	assert.Empty(t, undefined.Seeds)
	assert.Nil(t, undefined.Difference)
	table := report.VersusTable(all, rows)
	assert.Equal(t, []string{
		"policy=fcfs", "mean_wait_seconds", "3", "12", "10", "2 (-2.968 to 6.968)", "1.1888 (0.7823 to 1.806)", "0, 1, 2",
	}, table[1])
	assert.Equal(t, []string{"policy=fcfs", "mean(wait)", "0", "-", "-", "-", "-", "0, 0, 0"}, table[2])
}

// Seeds that all have the same run are one.
func TestEqualRunsAreOne(t *testing.T) {
	rows := []*lab.Row{rowOf("easy", 1, 0), rowOf("easy", 2, 0), rowOf("sjf", 1, 3), rowOf("sjf", 2, 3)}
	for _, r := range rows {
		r.Settings = r.Settings.With("workload=swf:a.swf")
		r.JobsDigest, r.StartsDigest = "same", r.Settings.Get("policy")
	}
	all, err := report.Baseline{"policy=easy"}.Against(rows, []string{"mean_wait_seconds"})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, lab.OneRun, all[0].Over)
	assert.Len(t, all[0].Seeds, 1)
	assert.Nil(t, all[0].Difference.Low, "one run has no interval")
	assert.Nil(t, all[0].Ratio, "nothing is a multiple of 0")
}

func TestABaselineIsRunOnce(t *testing.T) {
	over := []lab.Values{{Name: "policy", Values: []string{"fcfs", "sjf"}}}
	runs, err := lab.Product([]lab.Cell{lab.MustCell("workload=lublin:N=9,nodes=16", "estimate=exact")}, over,
		[]uint64{1, 2})
	require.NoError(t, err)
	all, err := report.Baseline{"policy=easy"}.Runs(runs)
	require.NoError(t, err)
	assert.Len(t, all, 6)
	again, err := report.Baseline{"policy=easy"}.Runs(all)
	require.NoError(t, err)
	assert.Len(t, again, 6)
	_, err = report.Baseline{"policy"}.Runs(runs)
	require.ErrorContains(t, err, "write NAME=VALUE")
	_, err = report.Baseline{"polcy=easy"}.Runs(runs)
	require.ErrorContains(t, err, `did you mean "policy"`)

	campaign := lab.Campaign{Lab: &lab.Lab{}, Rows: lab.NoRows(), Workers: 2}
	rows, err := campaign.Do(context.Background(), all)
	require.NoError(t, err)
	compared, err := report.Baseline{"policy=easy"}.Against(rows, []string{"mean_wait_seconds"})
	require.NoError(t, err)
	require.Len(t, compared, 2)
	assert.Len(t, compared[0].Seeds, 2)
}
