package metric

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/canvass-grid/canvass/scheduler"
)

// Intervals leave out 2.5 % at each end.
const upper = 0.975

// Interval returns the mean of values of independent runs and its 95 % interval by Student's t:
// mean ± t(n-1) sd/sqrt(n). One value has an interval without bounds, and no value a mean that is
// not a number. Equal values are their own mean, exactly.
func Interval(values []float64) (mean, low, high float64) {
	n := float64(len(values))
	if len(values) == 0 {
		return math.NaN(), math.Inf(-1), math.Inf(1)
	}
	for _, x := range values {
		mean += x
	}
	mean /= n
	if len(values) == 1 {
		return mean, math.Inf(-1), math.Inf(1)
	}
	if slices.Min(values) == slices.Max(values) { // without the rounding of a mean
		return values[0], values[0], values[0]
	}
	d := describe(slices.Clone(values), mean, mean)
	half := float64(studentsT(upper, n-1) * d.SD / math.Sqrt(n))
	return mean, mean - half, mean + half
}

// studentsT is the quantile p, above a half, of Student's t distribution. Package distuv of gonum
// has it, too, and brings linear algebra with it, which takes long to build.
func studentsT(p, freedom float64) float64 {
	t := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return math.Sqrt(freedom * (1 - t) / t)
}

// Resamples is how many samples [Bootstrap] draws.
const Resamples = 1_000

// bootstrapSeed is fixed, so that equal values have equal intervals.
const bootstrapSeed = 1

// Bootstrap returns a percentile of values and its 95 % interval: the range of that percentile in
// samples of the same size, drawn with replacement, without 2.5 % at each end. It takes the time of
// sorting all values a thousand times. Without values, the results are not numbers.
func Bootstrap(values []float64, percent int) (estimate, low, high float64) {
	if len(values) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	r := scheduler.Stream(bootstrapSeed, "bootstrap")
	sample, found := make([]float64, len(values)), make([]float64, Resamples)
	for i := range found {
		for j := range sample {
			sample[j] = values[r.IntN(len(values))]
		}
		slices.Sort(sample)
		found[i] = Percentile(sample, percent)
	}
	slices.Sort(found)
	const left = Resamples / 40 // 2.5 %
	sorted := slices.Sorted(slices.Values(values))
	return Percentile(sorted, percent), found[left], found[Resamples-1-left]
}
