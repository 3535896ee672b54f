package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// The value of Student's table for four degrees of freedom is 2.776.
func TestIntervalByHand(t *testing.T) {
	mean, low, high := metric.Interval([]float64{2, 4, 4, 5, 5})
	assert.InDelta(t, 4, mean, 1e-12)
	half := 2.776 * math.Sqrt(1.5) / math.Sqrt(5)
	assert.InDelta(t, 4-half, low, 1e-3)
	assert.InDelta(t, 4+half, high, 1e-3)

	mean, low, high = metric.Interval([]float64{7})
	assert.Equal(t, []float64{7, math.Inf(-1), math.Inf(1)}, []float64{mean, low, high})
	mean, _, _ = metric.Interval(nil)
	assert.True(t, math.IsNaN(mean))
	mean, low, high = metric.Interval(slices.Repeat([]float64{69.07}, 10)) // whose sum is not ten times that
	assert.Equal(t, []float64{69.07, 69.07, 69.07}, []float64{mean, low, high})
}

// Of 2,000 intervals over ten normal values, 95 % hold the mean.
func TestIntervalsHoldTheMean(t *testing.T) {
	normal := distuv.Normal{Mu: 10, Sigma: 3, Src: scheduler.Stream(1, "test")}
	held := 0
	for range 2_000 {
		values := make([]float64, 10)
		for i := range values {
			values[i] = normal.Rand()
		}
		if _, low, high := metric.Interval(values); low <= 10 && 10 <= high {
			held++
		}
	}
	assert.InDelta(t, 0.95, float64(held)/2_000, 0.015)
}

// The bounds of the median by order statistics: of 101 values, the sample median is between the
// 41st and the 61st in 95 % of all samples.
func TestBootstrapOfTheMedian(t *testing.T) {
	values := make([]float64, 101)
	for i := range values {
		values[i] = float64(101 - i)
	}
	before := slices.Clone(values)
	estimate, low, high := metric.Bootstrap(values, 50)
	assert.Equal(t, before, values)
	assert.Equal(t, 51.0, estimate)
	assert.InDelta(t, 41, low, 2)
	assert.InDelta(t, 61, high, 2)
	again, lowAgain, highAgain := metric.Bootstrap(values, 50)
	assert.Equal(t, []float64{estimate, low, high}, []float64{again, lowAgain, highAgain})
	estimate, low, high = metric.Bootstrap([]float64{4}, 99)
	assert.Equal(t, []float64{4, 4, 4}, []float64{estimate, low, high})
	estimate, _, _ = metric.Bootstrap(nil, 99)
	assert.True(t, math.IsNaN(estimate))
}
