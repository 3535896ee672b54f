package metric

import (
	"math"
	"slices"
	"strings"
)

// Estimate is a number with its 95 % interval over seeds. One seed has an interval without bounds.
type Estimate struct {
	Value, Low, High float64
	Seeds            int
}

// Bounded reports whether the interval has bounds that come from data.
func (e Estimate) Bounded() bool { return e.Seeds > 1 || e.Low == e.High }

// Range is the range of values that a number can have.
type Range struct{ Low, High float64 }

// Ranges of numbers.
var (
	AnyNumber = Range{math.Inf(-1), math.Inf(1)} // of a difference
	AtLeast0  = Range{0, math.Inf(1)}            // of a time, or of an error
	AtLeast1  = Range{1, math.Inf(1)}            // of a slowdown
	Share     = Range{0, 1}
)

// RangeOf returns the range of a formula, or of a number of a row by its name in JSON.
func RangeOf(name string) Range {
	switch {
	case IsFormula(name):
		f, err := ParseFormula(name)
		if err != nil {
			return AnyNumber
		}
		return f.root.possible()
	case strings.HasPrefix(name, "share_"), name == "utilisation", name == "jain_users_bsld",
		name == "positive_error", name == "negative_error":
		return Share
	case strings.HasPrefix(name, "sd_"), strings.HasPrefix(name, "variance_"):
		return AtLeast0
	case strings.Contains(name, "bsld"), strings.Contains(name, "sjackson"):
		return AtLeast1
	}
	return AtLeast0
}

// Mean estimates the mean of numbers in the range by [Interval]. The parts of the interval outside
// the range are cut off: the mean cannot be there, so nothing is lost.
func (r Range) Mean(values []float64) Estimate {
	mean, low, high := Interval(values)
	return Estimate{mean, max(low, r.Low), min(high, r.High), len(values)}
}

// GeometricMean estimates the geometric mean of positive numbers: [Interval] of their logarithms.
// It is the estimate for ratios by seed, because a ratio and its inverse have equal weights. It is
// not possible if a number is not positive.
func GeometricMean(values []float64) (e Estimate, possible bool) {
	logs := make([]float64, len(values))
	for i, x := range values {
		if x <= 0 || math.IsInf(x, 1) || math.IsNaN(x) {
			return Estimate{}, false
		}
		logs[i] = math.Log(x)
	}
	mean, low, high := Interval(logs)
	e = Estimate{math.Exp(mean), math.Exp(low), math.Exp(high), len(values)}
	if len(values) > 1 && slices.Min(values) == slices.Max(values) { // without the rounding of a logarithm
		e.Value, e.Low, e.High = values[0], values[0], values[0]
	}
	return e, true
}

// Median estimates the median of numbers in the range by [Bootstrap], whose interval never leaves
// the range of the given values.
func (r Range) Median(values []float64) Estimate {
	median, low, high := Bootstrap(values, 50)
	if len(values) < 2 {
		low, high = r.Low, r.High
	}
	return Estimate{median, low, high, len(values)}
}
