package workload_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

func estimates(w *scheduler.Workload) (list []int64) {
	for _, j := range w.Jobs {
		list = append(list, j.EstimateMicros)
	}
	return list
}

func TestEstimates(t *testing.T) {
	given := ten()
	given.Jobs = given.Jobs[:3]
	given.Jobs[1].RequestMicros = scheduler.Unknown
	given.Jobs[2].RequestMicros = 4 * s // it ran longer
	before := append([]scheduler.Job{}, given.Jobs...)

	w, err := workload.Estimate(given, "requested", 1)
	require.NoError(t, err)
	assert.Equal(t, []int64{30 * s, 10 * s, 4 * s}, estimates(w))
	assert.Equal(t, []scheduler.Change{{What: "estimated exactly, since no time was requested", Jobs: 1}}, w.Changes)

	w, err = workload.Estimate(given, "exact", 1)
	require.NoError(t, err)
	assert.Equal(t, []int64{10 * s, 10 * s, 10 * s}, estimates(w))
	assert.Empty(t, w.Changes)

	w, err = workload.Estimate(given, "factor:1", 1)
	require.NoError(t, err)
	assert.Equal(t, []int64{10 * s, 10 * s, 10 * s}, estimates(w))
	assert.Equal(t, before, given.Jobs)
}

func TestFactorIsUniform(t *testing.T) {
	given := &scheduler.Workload{Jobs: make([]scheduler.Job, 30_000)}
	for i := range given.Jobs {
		given.Jobs[i] = scheduler.Job{RunMicros: 2, Nodes: 1}
	}
	w, err := workload.Estimate(given, "factor:2.4", 1) // up to 4.8, so 2, 3 or 4
	require.NoError(t, err)
	count := map[int64]int{}
	for _, e := range estimates(w) {
		count[e]++
	}
	require.Len(t, count, 3)
	for e := int64(2); e <= 4; e++ {
		assert.InDelta(t, 10_000, count[e], 400)
	}
	again, err := workload.Estimate(given, "factor:2.4", 1)
	require.NoError(t, err)
	assert.Equal(t, w.Jobs, again.Jobs)
	other, err := workload.Estimate(given, "factor:2.4", 2)
	require.NoError(t, err)
	assert.NotEqual(t, w.Jobs, other.Jobs)
}

func TestFactorIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		w, err := workload.Estimate(given, "factor:3", rapid.Uint64().Draw(t, "seed"))
		require.NoError(t, err)
		for i, j := range w.Jobs {
			require.GreaterOrEqual(t, j.EstimateMicros, j.RunMicros)
			require.LessOrEqual(t, j.EstimateMicros, 3*j.RunMicros)
			j.EstimateMicros = scheduler.Unknown
			require.Equal(t, given.Jobs[i], j)
		}
	})
}

func TestErrorsOfEstimates(t *testing.T) {
	none := ten()
	for i := range none.Jobs {
		none.Jobs[i].RequestMicros = scheduler.Unknown
	}
	const form = "a decimal number above 0 with at most 9 decimals and 18 digits in all, and at least 1; write factor:F"
	for kind, want := range map[string]string{
		"requested": `estimate "requested": none of 10 jobs in ten has a requested time; use exact, factor:F or user2`,
		"exakt": `estimate "exakt": there is no such estimate; did you mean "exact"? use requested, exact, ` +
			"factor:F or user2",
		"":           `estimate "": there is no such estimate; use requested, exact, factor:F or user2`,
		"factor:0.5": `estimate "factor:0.5": "0.5" is not ` + form,
		"factor:":    `estimate "factor:": "" is not ` + form,
		"factor:999999999999": `estimate "factor:999999999999": the estimate of job number 101 would be beyond 2^60 µs; ` +
			"use a factor nearer to 1, or a shorter time",
		"user2": `estimate "user2": it is made by the policy while it runs; ` +
			"use policy easy++, or requested, exact or factor:F",
	} {
		w, err := workload.Estimate(none, kind, 1)
		require.EqualError(t, err, want)
		assert.Nil(t, w)
		var fault *workload.Error
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, 10, fault.Jobs)
	}
	w, err := workload.Estimate(&scheduler.Workload{}, "requested", 1)
	require.NoError(t, err)
	assert.Empty(t, w.Jobs)
}
