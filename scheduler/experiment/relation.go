package experiment

import (
	"math"

	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Estimator says how the values of seeds become an estimate with a 95 % interval.
type Estimator string

// The estimators. Those of two numbers pair the values of each seed; of more than two, they compare
// each with the next.
const (
	Ratio      Estimator = "ratio"      // the geometric mean of the ratios: Student's t of their logarithms
	Difference Estimator = "difference" // the mean of the differences, by Student's t
	Mean       Estimator = "mean"       // by Student's t, cut to the possible values
	Geometric  Estimator = "geometric"  // the geometric mean, by Student's t of logarithms
	Median     Estimator = "median"     // of the seeds, by bootstrap
	Largest    Estimator = "largest"    // of the seeds, for claims that must hold in each; it has no interval
)

// estimates computes the estimates from the values of seeds, in the same order for each number.
func (e Estimator) estimates(possible metric.Range, numbers [][]float64) []metric.Estimate {
	if e != Ratio && e != Difference {
		return []metric.Estimate{e.single(possible, numbers[0])}
	}
	var all []metric.Estimate
	for i := range numbers[1:] {
		between := make([]float64, len(numbers[i]))
		for k := range between {
			if e == Ratio {
				between[k] = numbers[i][k] / numbers[i+1][k]
			} else {
				between[k] = numbers[i][k] - numbers[i+1][k]
			}
		}
		if e == Difference {
			all = append(all, metric.AnyNumber.Mean(between))
			continue
		}
		all = append(all, Geometric.single(metric.AtLeast0, between))
	}
	return all
}

// single estimates one number from its values.
func (e Estimator) single(possible metric.Range, values []float64) metric.Estimate {
	switch e {
	case Geometric:
		if mean, positive := metric.GeometricMean(values); positive {
			return mean
		}
		return possible.Median(values) // there is a 0, which has no logarithm
	case Median:
		return possible.Median(values)
	case Largest:
		most := math.Inf(-1)
		for _, x := range values {
			most = max(most, x)
		}
		return metric.Estimate{Value: most, Low: most, High: most, Seeds: len(values)}
	}
	return possible.Mean(values)
}

// Relation says which estimates confirm a claim.
type Relation struct {
	Kind      Kind
	Low, High float64 // of Times and Within; of Equal all numbers that are printed alike
	equal     float64 // of the other kinds: the estimate of two equal numbers
}

// Kind is the kind of a relation.
type Kind string

// The kinds of relations.
const (
	Less     Kind = "less"     // the first number is smaller than the second
	Times    Kind = "ratio"    // the first number is a multiple of the second
	Within   Kind = "within"   // a number is in a range
	Equal    Kind = "equal"    // a number is the printed one: its interval meets that, within a factor of two
	Monotone Kind = "monotone" // along a setting, each number is smaller than the one before
	Rank     Kind = "rank"     // each number is smaller than the one after it
	Crossing Kind = "crossing" // along a setting, the smaller of two numbers becomes the larger one
)

// ordered is a relation of the given kind between numbers that an estimator compares.
func ordered(k Kind, e Estimator) Relation {
	if e == Ratio {
		return Relation{Kind: k, equal: 1}
	}
	return Relation{Kind: k}
}

func within(low, high float64) Relation { return Relation{Kind: Within, Low: low, High: high} }

func atLeast(low float64) Relation { return within(low, math.Inf(1)) }

func atMost(high float64) Relation { return within(math.Inf(-1), high) }

// printed is the relation to a number that a source prints with the given number of decimals.
func printed(value float64, decimals int) Relation {
	half := 0.5 * math.Pow10(-decimals)
	return Relation{Kind: Equal, Low: max(0, value-half), High: value + half}
}

// factor is the range from value/most to value*most.
func factor(value, most float64) Relation { return within(value/most, value*most) }

func times(low, high float64) Relation { return Relation{Kind: Times, Low: low, High: high} }

// String describes the estimates that confirm a claim: "at most 1.35".
func (r Relation) String() string {
	switch r.Kind {
	case "":
		return ""
	case Less:
		return "smaller"
	case Monotone:
		return "falling"
	case Rank:
		return "in this order"
	case Crossing:
		return "crossing"
	case Equal:
		return "the published number"
	}
	unit := ""
	if r.Kind == Times {
		unit = " times"
	}
	low, high := metric.Text(r.Low, 4), metric.Text(r.High, 4)
	switch {
	case r.Low == r.High:
		return low + unit
	case r.Low <= 0 && math.IsInf(r.High, 1):
		return "any" + unit
	case math.IsInf(r.Low, -1) || r.Kind == Times && r.Low == 0:
		return "at most " + high + unit
	case math.IsInf(r.High, 1):
		return "at least " + low + unit
	}
	return low + " to " + high + unit
}

// holds judges estimates. An order holds if each step of it does, and deviates if one step does.
func (r Relation) holds(estimates []metric.Estimate) Verdict {
	var steps []Verdict
	for _, e := range estimates {
		steps = append(steps, r.step(e))
	}
	if r.Kind == Crossing {
		return crossing(steps)
	}
	all := Reproduced
	for _, v := range steps {
		switch {
		case v == Deviates:
			return Deviates
		case v == Undetermined:
			all = Undetermined
		}
	}
	return all
}

// step judges one estimate: by its whole interval.
func (r Relation) step(e metric.Estimate) Verdict {
	low, high := e.Low, e.High
	switch r.Kind {
	case Times, Within:
		switch {
		case low >= r.Low && high <= r.High:
			return Reproduced
		case high < r.Low || low > r.High:
			return Deviates
		}
		return Undetermined
	case Equal:
		switch {
		case high < r.Low || low > r.High:
			return Deviates
		case low >= r.Low/2 && high <= 2*r.High:
			return Reproduced
		}
		return Undetermined // the interval is too wide to tell
	case Monotone: // the former number is the larger one
		low, high = -high, -low
		r.equal = -r.equal
	}
	switch {
	case high < r.equal:
		return Reproduced
	case low > r.equal:
		return Deviates
	}
	return Undetermined
}

// crossing judges whether the first number of a pair is the smaller one in the first step and the
// larger one in some later step. The claim deviates if that number is the larger one, or the
// smaller one, in all steps.
func crossing(steps []Verdict) Verdict {
	smaller, larger := 0, 0
	crossed := false
	for _, v := range steps {
		switch v {
		case Reproduced:
			smaller++
		case Deviates:
			larger++
			crossed = crossed || smaller > 0
		}
	}
	switch {
	case crossed && steps[0] == Reproduced:
		return Reproduced
	case len(steps) == max(smaller, larger):
		return Deviates
	}
	return Undetermined
}
