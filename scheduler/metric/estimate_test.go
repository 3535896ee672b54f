package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// The logarithms of 1, e and e² have mean 1 and standard deviation 1. The value of Student's table
// for two degrees of freedom is 4.303.
func TestGeometricMeanByHand(t *testing.T) {
	e, possible := metric.GeometricMean([]float64{1, math.E, math.E * math.E})
	require.True(t, possible)
	assert.InDelta(t, math.E, e.Value, 1e-12)
	half := 4.303 / math.Sqrt(3)
	assert.InDelta(t, math.Exp(1-half), e.Low, 1e-3)
	assert.InDelta(t, math.Exp(1+half), e.High, 1e-2)
	assert.Equal(t, 3, e.Seeds)
	assert.True(t, e.Bounded())

	e, possible = metric.GeometricMean([]float64{69.07, 69.07, 69.07})
	assert.True(t, possible)
	equal := metric.Estimate{Value: 69.07, Low: 69.07, High: 69.07, Seeds: 3}
	assert.Equal(t, equal, e, "without the rounding of a logarithm")
	e, possible = metric.GeometricMean([]float64{5})
	assert.True(t, possible)
	assert.False(t, e.Bounded())
	assert.Equal(t, []float64{0, math.Inf(1)}, []float64{e.Low, e.High})
	for _, impossible := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, possible = metric.GeometricMean([]float64{1, impossible})
		assert.False(t, possible, impossible)
	}
}

// An interval ends where the range does: without that, this one would begin at -3.55.
func TestMeansStayInTheRange(t *testing.T) {
	values := []float64{0, 0, 0, 0, 10}
	e := metric.AtLeast0.Mean(values)
	assert.Equal(t, 2.0, e.Value)
	assert.Zero(t, e.Low)
	_, _, high := metric.Interval(values)
	assert.Equal(t, high, e.High)
	assert.InDelta(t, -3.55, metric.AnyNumber.Mean(values).Low, 0.01)
	e = metric.Share.Mean([]float64{1, 0.9, 1, 1})
	assert.Equal(t, 1.0, e.High)
	assert.Equal(t, metric.Estimate{Value: 0.5, Low: 0, High: 1, Seeds: 1}, metric.Share.Mean([]float64{0.5}))
	assert.Equal(t, metric.Estimate{Value: 7, Low: 1, High: math.Inf(1), Seeds: 1}, metric.AtLeast1.Median([]float64{7}))
	assert.Equal(t, 4.0, metric.AtLeast1.Median([]float64{9, 4, 1}).Value)
}

// Intervals are those of gonum.
func TestEstimatesAreThoseOfGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e6), 2, 40).Draw(t, "values")
		n := float64(len(values))
		quantile := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
		mean, sd := stat.MeanStdDev(values, nil)
		e := metric.AnyNumber.Mean(values)
		about(t, mean, e.Value)
		about(t, mean-quantile*sd/math.Sqrt(n), e.Low)
		about(t, mean+quantile*sd/math.Sqrt(n), e.High)

		logs := make([]float64, len(values))
		for i, x := range values {
			logs[i] = math.Log(x)
		}
		mean, sd = stat.MeanStdDev(logs, nil)
		e, possible := metric.GeometricMean(values)
		assert.True(t, possible)
		about(t, stat.GeometricMean(values, nil), e.Value)
		about(t, math.Exp(mean-quantile*sd/math.Sqrt(n)), e.Low)
		about(t, math.Exp(mean+quantile*sd/math.Sqrt(n)), e.High)
	})
}

func about(t *rapid.T, want, found float64) {
	if math.Abs(want-found) > 1e-6*(1+math.Abs(want)) {
		t.Fatalf("want %v, found %v", want, found)
	}
}

// No interval holds an impossible value, each holds its estimate, and equal values have no interval
// but themselves. The order of seeds does not matter to a mean.
func TestEstimatesArePossible(t *testing.T) {
	ranges := []metric.Range{metric.AnyNumber, metric.AtLeast0, metric.AtLeast1, metric.Share}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(ranges).Draw(t, "range")
		values := rapid.SliceOfN(rapid.Float64Range(max(r.Low, -1e9), min(r.High, 1e9)), 1, 30).Draw(t, "values")
		if rapid.Bool().Draw(t, "equal") {
			for i := range values {
				values[i] = values[0]
			}
		}
		geometric, possible := metric.GeometricMean(values)
		for _, e := range []metric.Estimate{r.Mean(values), r.Median(values), geometric} {
			if e == geometric && !possible {
				continue
			}
			low := r.Low
			if e == geometric { // a ratio is above 0
				low = 0
			}
			slack := 1e-9 * (1 + math.Abs(e.Value))
			if e.Low < low || e.High > r.High && e != geometric || e.Value < e.Low-slack || e.Value > e.High+slack {
				t.Fatalf("%+v of %v", e, values)
			}
			if len(values) > 1 && slices.Min(values) == slices.Max(values) && (e.Low != e.Value || e.High != e.Value) {
				t.Fatalf("equal values: %+v", e)
			}
		}
	})
}

// A ratio and its inverse have inverse intervals.
func TestRatiosAreSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-2, 1e2), 2, 20).Draw(t, "values")
		inverse := make([]float64, len(values))
		for i, x := range values {
			inverse[i] = 1 / x
		}
		a, _ := metric.GeometricMean(values)
		b, _ := metric.GeometricMean(inverse)
		about(t, 1, a.Value*b.Value)
		about(t, 1, a.Low*b.High)
	})
}

// Of 2,000 intervals over ten values that are far from normal, about 95 % hold the truth. Student's
// t of the values themselves, which have a long tail, holds it less often.
func TestIntervalsOfSkewedValues(t *testing.T) {
	random := distuv.LogNormal{Mu: 1, Sigma: 1.5, Src: scheduler.Stream(1, "test")}
	mean := math.Exp(1 + 1.5*1.5/2)
	var ofLogs, ofMedian, ofMean int
	const draws = 2_000
	for range draws {
		values := make([]float64, 10)
		for i := range values {
			values[i] = random.Rand()
		}
		if e, _ := metric.GeometricMean(values); e.Low <= math.E && math.E <= e.High {
			ofLogs++
		}
		if e := metric.AtLeast0.Median(values); e.Low <= math.E && math.E <= e.High {
			ofMedian++
		}
		if e := metric.AtLeast0.Mean(values); e.Low <= mean && mean <= e.High {
			ofMean++
		}
	}
	assert.InDelta(t, 0.95, float64(ofLogs)/draws, 0.015)
	assert.InDelta(t, 0.95, float64(ofMedian)/draws, 0.035)
	assert.Less(t, float64(ofMean)/draws, 0.9)
}

func TestRangesOfNumbers(t *testing.T) {
	for name, want := range map[string]metric.Range{
		"mean_wait_seconds": metric.AtLeast0, "median_sjackson": metric.AtLeast1, "sd_bsld": metric.AtLeast0,
		"share_overtaken": metric.Share, "utilisation": metric.Share, "jain_users_bsld": metric.Share,
		"p99": metric.AtLeast0,
	} {
		assert.Equal(t, want, metric.RangeOf(name), name)
	}
}
