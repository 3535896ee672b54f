package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Each input is judged for itself: of size ci, there is one without recorded waits. Policies that
// are equal with each seed make claims that cannot fail.
func TestClaimsOfFigure44(t *testing.T) {
	e := chosen(t, "jackson/4.4")
	seeds, err := lab.Seeds("10")
	require.NoError(t, err)
	runs, err := e.Runs("ci", seeds)
	require.NoError(t, err)
	judged := func(static, near float64) map[string]experiment.Judgement {
		var rows []*lab.Row
		for _, r := range runs {
			row := rowOf(e.Name, r.Cell)
			row.Seed = r.Seed
			s := &row.Summary
			s.JacksonSlowdown.Mean, s.JacksonSlowdown.Max, s.NearOneShare = 1.5+float64(r.Seed%3)/10, 4_275, near
			if r.Cell.Get("policy") == "static" {
				s.JacksonSlowdown.Mean, s.JacksonSlowdown.Max = float64(s.JacksonSlowdown.Mean*static), 8_647
			}
			rows = append(rows, row)
		}
		all := byClaim(t, e.Name, rows, " (input five clusters, few jobs)")
		require.Len(t, all, 6, "claims about the inputs of larger sizes are left out")
		return all
	}
	const equal = "the mean slowdown of static is 0.9875 to 1.013 times that of qb+dlb"
	const near = "the share of jobs with a slowdown below 1.01 of qb+dlb is at least 0.98"
	assert.Equal(t, experiment.CannotTell, judged(1, 1)[equal].Verdict)
	for claim, j := range judged(1.01, 0.99) {
		assert.Equal(t, experiment.Reproduced, j.Verdict, claim)
	}
	worse := judged(1.05, 0.96)
	assert.Equal(t, experiment.Deviates, worse[equal].Verdict)
	assert.Equal(t, experiment.Reproduced, worse[equal].InBand)
	assert.Equal(t, experiment.Deviates, worse[near].Verdict)
	assert.Equal(t, experiment.Reproduced, worse[near].InBand)
}

// With the serial jobs large jobs are slow, and balancing gains nothing; without them it does.
func TestClaimsAboutSerialJobs(t *testing.T) {
	e := chosen(t, "jackson/4.4s")
	seeds, err := lab.Seeds("10")
	require.NoError(t, err)
	runs, err := e.Runs("ci", seeds)
	require.NoError(t, err)
	judged := func(large, gain float64) []experiment.Judgement {
		var rows []*lab.Row
		for _, r := range runs {
			row := rowOf(e.Name, r.Cell)
			row.Seed = r.Seed
			mean, slow := 5+float64(r.Seed), large
			if strings.Contains(r.Cell.Get("select"), "filter:parallel") {
				slow = 10
				if r.Cell.Get("policy") == "static" {
					mean *= gain
				}
			}
			row.Summary.JacksonSlowdown.Mean = mean
			for class, s := range map[string]float64{"64-127": 1e6, "128-255": slow + float64(r.Seed)} {
				c := metric.Class{Label: class}
				c.Counted, c.JacksonSlowdown.Mean = 3, s
				row.Summary.BySize = append(row.Summary.BySize, c)
			}
			rows = append(rows, row)
		}
		return e.Judge(rows)
	}
	for _, j := range judged(20, 3)[:2] {
		assert.Equal(t, experiment.Reproduced, j.Verdict, j.Claim)
	}
	assert.Equal(t, experiment.Reproduced, judged(20, 3)[3].Verdict)
	for _, j := range []experiment.Judgement{judged(5, 3)[0], judged(5, 3)[1], judged(5, 0.5)[3]} {
		assert.Equal(t, experiment.Deviates, j.Verdict, j.Claim)
	}
}
