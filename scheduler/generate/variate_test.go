package generate_test

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
	"github.com/canvass-grid/canvass/scheduler/generate"
)

// ulps is the difference of two numbers in last digits of the first.
func ulps(want, got float64) float64 {
	return math.Abs(want-got) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

func TestExpAndLogAgreeWithPackageMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 700).Draw(t, "x")
		require.LessOrEqual(t, ulps(math.Exp(x), generate.Exp(x)), 2.0)
		y := rapid.Float64Range(1e-300, 1e300).Draw(t, "y")
		require.LessOrEqual(t, ulps(math.Log(y), generate.Log(y)), 2.0)
		near := rapid.Float64Range(0.5, 2).Draw(t, "near 1")
		require.InEpsilon(t, 1+math.Log(near), 1+generate.Log(near), 4e-16)
	})
	assert.Zero(t, generate.Log(1))
	assert.Equal(t, 1.0, generate.Exp(0))
	for k := range 60 {
		assert.Equal(t, float64(k), generate.Log2(float64(int64(1)<<k)))
		assert.InEpsilon(t, float64(int64(1)<<k), generate.Exp2(float64(k)), 1e-14)
	}
}

// kolmogorov is the distance of a sample from a distribution.
func kolmogorov(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	d := 0.0
	for i, x := range sample {
		n := float64(len(sample))
		d = max(d, cdf(x)-float64(i)/n, float64(i+1)/n-cdf(x))
	}
	return d
}

// A sample of 20,000 is farther than 0.0138 from its distribution once in a thousand times.
func TestVariatesHaveTheirDistributions(t *testing.T) {
	const n, limit = 20_000, 0.0138
	for _, test := range []struct{ shape, scale float64 }{
		{1, 2}, {4.2, 0.94}, {312, 0.03}, {639.1, 0.0156}, {7.073, 0.6856}, {10.46, 0.4871},
	} {
		r := scheduler.Stream(7, "test")
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = generate.Gamma(r, test.shape, test.scale)
		}
		want := distuv.Gamma{Alpha: test.shape, Beta: 1 / test.scale}
		assert.Less(t, kolmogorov(sample, want.CDF), limit, "%v", test)
		mean, deviation := stat.MeanStdDev(sample, nil)
		assert.InDelta(t, want.Mean(), mean, 4*want.StdDev()/math.Sqrt(n), "%v", test)
		assert.InEpsilon(t, want.StdDev(), deviation, 0.04, "%v", test)
	}
	r := scheduler.Stream(7, "test")
	sample := make([]float64, n)
	for i := range sample {
		sample[i] = generate.Normal(r)
	}
	assert.Less(t, kolmogorov(sample, distuv.UnitNormal.CDF), limit)
	for range n {
		assert.LessOrEqual(t, generate.GammaBelow(r, 4.2, 0.94, 4), 4.0)
	}
}

// Weights are positive, average 1, are lowest before the day begins and highest around noon.
func TestDayWeights(t *testing.T) {
	for _, test := range []struct{ shape, scale float64 }{{8.1737, 3.9631}, {6.1271, 5.2740}, {8.9186, 3.6680}} {
		w := generate.DayWeights(test.shape, test.scale)
		sum, low, high := 0.0, 0, 0
		for i, x := range w {
			sum += x
			if x < w[low] {
				low = i
			}
			if x > w[high] {
				high = i
			}
			assert.Equal(t, x, math.Round(x*(1<<32))/(1<<32))
		}
		assert.InDelta(t, 48, sum, 1e-6)
		assert.Contains(t, []int{9, 10}, low) // the day is cut between the two
		assert.Positive(t, w[low])
		mode := (test.shape - 1) * test.scale // of the distribution, in half hours; bucket i is i+1
		assert.InDelta(t, mode-1, float64(high), 0.5)
	}
}
