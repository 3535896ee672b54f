package experiment_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// claimsByShape has one claim for each way of estimating.
func claimsByShape() map[string]*experiment.Claim {
	all := map[string]*experiment.Claim{}
	for _, e := range experiment.All() {
		for i := range e.Claims {
			c := &e.Claims[i]
			if c.Numbers() > 0 {
				all[fmt.Sprint(c.Estimator, c.Metric.Range, c.Numbers())] = c
			}
		}
	}
	return all
}

// No interval of any claim holds an impossible value, and each holds its estimate.
func TestIntervalsOfClaimsArePossible(t *testing.T) {
	shapes := claimsByShape()
	require.Greater(t, len(shapes), 5)
	for shape, c := range shapes {
		t.Run(shape, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				seeds := rapid.IntRange(1, 20).Draw(t, "seeds")
				r := c.Metric.Range
				value := rapid.OneOf(rapid.Float64Range(max(r.Low, -1e6), min(r.High, 1e6)), rapid.Just(max(r.Low, 0)))
				var values [][]float64
				for range c.Numbers() {
					values = append(values, rapid.SliceOfN(value, seeds, seeds).Draw(t, "values"))
				}
				possible := r
				switch c.Estimator {
				case experiment.Ratio:
					possible = metric.AtLeast0
				case experiment.Difference:
					possible = metric.AnyNumber
				}
				for _, e := range c.Estimates(values) {
					slack := 1e-9 * (1 + math.Abs(e.Value))
					if e.Low < min(possible.Low, 0) || e.Bounded() && e.Low < possible.Low-slack || e.High > possible.High {
						t.Fatalf("%+v of %v, and possible is %+v", e, values, possible)
					}
					if e.Value < e.Low-slack || e.Value > e.High+slack {
						t.Fatalf("%+v of %v", e, values)
					}
				}
			})
		})
	}
}

// Estimators fit numbers, and relations fit estimators: a claim that does not would be judged by a
// number of another kind.
func TestClaimsFitTogether(t *testing.T) {
	for _, e := range experiment.All() {
		for i := range e.Claims {
			c := &e.Claims[i]
			if c.Numbers() == 0 {
				assert.Empty(t, c.Relation.Kind, "%s: %s", e.Name, c.Text)
				continue
			}
			compares := c.Estimator == experiment.Ratio || c.Estimator == experiment.Difference
			assert.Equal(t, compares, c.Numbers() > 1, "%s: %s", e.Name, c.Text)
			for _, r := range []experiment.Relation{c.Relation, c.Band} {
				switch r.Kind {
				case experiment.Less, experiment.Monotone, experiment.Rank, experiment.Crossing:
					assert.Equal(t, experiment.Ordered(r.Kind, c.Estimator), r, "%s: %s", e.Name, c.Text)
				case experiment.Times:
					assert.Equal(t, experiment.Ratio, c.Estimator, "%s: %s", e.Name, c.Text)
				}
			}
			assert.True(t, c.Relation.Kind == "" || c.Published != (experiment.Quote{}), "nothing is published: %s", c.Text)
		}
	}
}

func estimates(intervals ...[2]float64) (all []metric.Estimate) {
	for _, x := range intervals {
		all = append(all, metric.Estimate{Value: (x[0] + x[1]) / 2, Low: x[0], High: x[1], Seeds: 10})
	}
	return all
}

func TestRelations(t *testing.T) {
	below, above, both := [2]float64{0.5, 0.9}, [2]float64{1.1, 2}, [2]float64{0.9, 1.1}
	less := experiment.Ordered(experiment.Less, experiment.Ratio)
	falling := experiment.Ordered(experiment.Monotone, experiment.Ratio)
	rank := experiment.Ordered(experiment.Rank, experiment.Ratio)
	crossing := experiment.Ordered(experiment.Crossing, experiment.Ratio)
	times := experiment.Relation{Kind: experiment.Times, Low: 0.4, High: 1}
	smaller := experiment.Ordered(experiment.Less, experiment.Difference)
	for _, c := range []struct {
		relation experiment.Relation
		found    [][2]float64
		want     experiment.Verdict
	}{
		{less, [][2]float64{below}, yes}, {less, [][2]float64{above}, no}, {less, [][2]float64{both}, open},
		{less, [][2]float64{{1, 1}}, open},
		{smaller, [][2]float64{{-3, -1}}, yes}, {smaller, [][2]float64{below}, no}, {smaller, [][2]float64{{-1, 1}}, open},
		{times, [][2]float64{below}, yes}, {times, [][2]float64{above}, no}, {times, [][2]float64{both}, open},
		{times, [][2]float64{{0.1, 0.3}}, no}, {times, [][2]float64{{0.1, 3}}, open},
		{falling, [][2]float64{above, above}, yes}, {falling, [][2]float64{above, both}, open},
		{falling, [][2]float64{both, below}, no},
		{rank, [][2]float64{below, below}, yes}, {rank, [][2]float64{below, both}, open},
		{rank, [][2]float64{above, below}, no},
		{crossing, [][2]float64{below, both, above}, yes}, {crossing, [][2]float64{above, below}, open},
		{crossing, [][2]float64{below, below}, no}, {crossing, [][2]float64{above, above}, no},
		{crossing, [][2]float64{below, both}, open},
	} {
		assert.Equal(t, c.want, c.relation.Holds(estimates(c.found...)), "%+v %v", c.relation, c.found)
	}
}

// ordered are rows of central/order in which seeds draw jobs, with mean waits by policy.
func ordered(seeds int, wait func(policy string, seed int) float64) (rows []*lab.Row) {
	for _, policy := range []string{"fcfs", "easy"} {
		for seed := range seeds {
			row := rowOf("central/order", lab.MustCell("workload=lublin:N=1000,nodes=128", "policy="+policy))
			row.Seed, row.Summary.Wait.Mean = uint64(seed), wait(policy, seed)
			row.JobsDigest, row.StartsDigest = fmt.Sprint(seed), policy+fmt.Sprint(seed)
			rows = append(rows, row)
		}
	}
	return rows
}

// Both numbers of a ratio are of the same seed. A claim names the draws that it is over, and needs
// ten seeds.
func TestARatioIsJudgedBySeed(t *testing.T) {
	e := chosen(t, "central/order")
	wait := func(policy string, seed int) float64 {
		if policy == "easy" {
			return math.Pow10(seed%4) * (0.5 + 0.01*float64(seed%3))
		}
		return math.Pow10(seed % 4)
	}
	j := e.Judge(ordered(10, wait))[0]
	assert.Equal(t, experiment.Reproduced, j.Verdict)
	assert.Equal(t, lab.Workloads, j.Over)
	assert.Equal(t, "workloads, 10 seeds", j.OverSeeds())
	require.Len(t, j.Estimates, 1)
	assert.InDelta(t, 0.51, j.Estimates[0].Value, 0.01)
	assert.Greater(t, *j.Estimates[0].Low, 0.49)
	assert.True(t, j.Chance)
	j = e.Judge(ordered(9, wait))[0]
	assert.Equal(t, experiment.Undetermined, j.Verdict)
	assert.Contains(t, j.Found, "fewer than 10 seeds: 9")
	j = e.Judge(ordered(10, func(_ string, seed int) float64 { return float64(seed + 1) }))[0]
	assert.Equal(t, experiment.CannotTell, j.Verdict, "no pair differs")
}

// Twenty seeds with equal runs are one run.
func TestEqualRunsAreOne(t *testing.T) {
	e := chosen(t, "central/order")
	rows := ordered(20, func(policy string, _ int) float64 { return map[string]float64{"fcfs": 2, "easy": 1}[policy] })
	for _, r := range rows {
		r.JobsDigest, r.StartsDigest = "jobs", r.Settings.Get("policy")
	}
	j := e.Judge(rows)[0]
	assert.Equal(t, lab.OneRun, j.Over)
	assert.Equal(t, 1, j.Seeds)
	assert.Equal(t, "one run", j.OverSeeds())
	assert.False(t, j.Chance, "it is no sample")
}

// No job can leave its cluster if there is one, so a comparison of policies that only move jobs
// tests nothing.
func TestOneClusterTellsNothing(t *testing.T) {
	e := chosen(t, "jackson/4.4")
	runs, err := e.Runs("desk", []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	require.NoError(t, err)
	var rows []*lab.Row
	for i, r := range runs {
		row := rowOf(e.Name, r.Cell)
		row.Seed, row.Summary.JacksonSlowdown.Mean = r.Seed, 1.5+float64(i%7)/10
		row.Summary.JacksonSlowdown.Max = 2 + float64(i%7)
		rows = append(rows, row)
	}
	cannot := 0
	for _, j := range e.Judge(rows) {
		if j.Verdict == experiment.CannotTell {
			cannot++
			assert.Contains(t, j.Claim, "(input fs1)")
			assert.Contains(t, j.Found, "there is one cluster, so no job can move")
		}
	}
	assert.Positive(t, cannot)
}

// Of 40 intervals one is expected to be wholly beyond a bound. Claims without an interval, and
// claims that could not fail, do not count.
func TestDeviationsByChance(t *testing.T) {
	judged := make([]experiment.Judgement, 0, 90)
	for i := range 80 {
		j := experiment.Judgement{Verdict: experiment.Reproduced, Chance: true, Estimates: make([]experiment.Found, 1)}
		if i < 3 {
			j.Verdict = experiment.Deviates
		}
		judged = append(judged, j)
	}
	judged = append(judged, experiment.Judgement{Verdict: experiment.Reproduced, Estimates: make([]experiment.Found, 1)},
		experiment.Judgement{Verdict: experiment.CannotTell, Chance: true, Estimates: make([]experiment.Found, 1)})
	text := experiment.ByChance(judged)
	assert.Contains(t, text, "80 of the claims rest on 80 intervals of 95 %, and 3 of them deviate.")
	assert.Contains(t, text, ", 2.0 would still be expected")
	for i := range judged {
		judged[i].Exact = i%2 == 0
	}
	assert.Contains(t, experiment.ByChance(judged), ", 3.0 would still be expected")
}

// The fields of a judgement are data for other programs.
func TestFieldsOfJudgements(t *testing.T) {
	wait := func(policy string, seed int) float64 { return float64(seed+1) * float64(len(policy)) }
	text, err := json.Marshal(chosen(t, "central/order").Judge(ordered(10, wait))[0])
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	assert.ElementsMatch(t, []string{
		"experiment", "claim", "published", "relation", "found", "estimator", "estimates", "interval_over", "seeds",
		"verdict",
	}, slices.Collect(maps.Keys(fields)))
	assert.Equal(t, []any{map[string]any{"value": 1.0, "low": 1.0, "high": 1.0}}, fields["estimates"])
	assert.Equal(t, "workloads", fields["interval_over"])
	assert.Equal(t, "cannot tell", fields["verdict"])
}

// Each verdict is explained once.
func TestVerdictsAreExplained(t *testing.T) {
	seen := map[experiment.Verdict]bool{}
	for _, m := range experiment.Verdicts() {
		assert.False(t, seen[m.Verdict])
		seen[m.Verdict] = true
		assert.NotEmpty(t, m.Meaning)
		assert.Equal(t, m.Sign, m.Verdict.Sign())
	}
	assert.Len(t, seen, 7)
}
