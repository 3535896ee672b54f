package metric

import (
	"math"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// jobTable is the jobs over which formulas are computed.
type jobTable struct {
	workload *scheduler.Workload
	jobs     []job
}

// values computes a term: a value for each job, or one for the run. A value that is unknown or
// undefined is NaN. Conditions are 1 or 0.
func (t *jobTable) values(x *term) []float64 {
	switch x.kind {
	case constant:
		return []float64{x.number}
	case field:
		f := fieldNamed(x.name)
		all := make([]float64, len(t.jobs))
		for i := range t.jobs {
			all[i] = f.value(&t.jobs[i], &t.workload.Jobs[t.jobs[i].index])
		}
		return all
	case statistic:
		return []float64{statisticNamed(x.name)(t.selected(x))}
	}
	operands := make([][]float64, len(x.parts))
	for i, p := range x.parts {
		operands[i] = t.values(p)
	}
	all := make([]float64, 1)
	if x.ofJobs {
		all = make([]float64, len(t.jobs))
	}
	at := make([]float64, len(operands))
	for i := range all {
		for k, values := range operands {
			at[k] = values[min(i, len(values)-1)]
		}
		all[i] = apply(x.name, at)
	}
	return all
}

// selected is the known values of the jobs for which the condition of a statistic holds.
func (t *jobTable) selected(x *term) []float64 {
	of, holds := []float64{1}, []float64{1} // count() counts all
	if len(x.parts) > 0 {
		of = t.values(x.parts[0])
	}
	if x.where != nil {
		holds = t.values(x.where)
	}
	known := make([]float64, 0, len(t.jobs))
	for i := range t.jobs {
		v := of[min(i, len(of)-1)]
		if holds[min(i, len(holds)-1)] == 1 && !math.IsNaN(v) {
			known = append(known, v)
		}
	}
	return known
}

// apply applies an operator or function to numbers. A result that is not finite is undefined. "and"
// and "or" have a known result if one operand decides it, even if the other is unknown.
func apply(name string, x []float64) float64 {
	switch {
	case name == "and" && slices.Contains(x, 0):
		return 0
	case name == "or" && slices.Contains(x, 1):
		return 1
	}
	if slices.ContainsFunc(x, math.IsNaN) {
		return math.NaN()
	}
	var v float64
	switch name {
	case "+":
		v = x[0] + x[1]
	case "-":
		v = x[0] - x[1]
	case "*":
		v = x[0] * x[1]
	case "/":
		v = x[0] / x[1]
	case negative:
		v = -x[0]
	case "min":
		v = slices.Min(x)
	case "max":
		v = slices.Max(x)
	case "log":
		v = math.Log(x[0])
	case "exp":
		v = math.Exp(x[0])
	case "and":
		v = x[0] * x[1]
	case "or":
		v = max(x[0], x[1])
	case "not":
		v = 1 - x[0]
	default:
		v = truth(compare(name, x[0], x[1]))
	}
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

func truth(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

func compare(operator string, a, b float64) bool {
	switch operator {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	}
	return a != b
}

// statistics are the functions of all jobs, but for percentiles. They may sort their argument.
var statistics = map[string]func(values []float64) float64{
	"count":  total, // of ones
	"share":  mean,  // likewise
	"sum":    total,
	"mean":   mean,
	"median": func(values []float64) float64 { return rank(values, 50*perPercent) },
	"min":    func(values []float64) float64 { return rank(values, 0) },
	"max":    func(values []float64) float64 { return rank(values, 100*perPercent) },
	"sd":     spread,
}

// statisticNamed finds a statistic; nil if there is none.
func statisticNamed(name string) func(values []float64) float64 {
	if f := statistics[name]; f != nil {
		return f
	}
	thousandths, ok := percentileNamed(name)
	if !ok {
		return nil
	}
	return func(values []float64) float64 { return rank(values, thousandths) }
}

func total(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum
}

func mean(values []float64) float64 { return total(values) / float64(len(values)) } // 0/0 is undefined

// spread is the standard deviation. That of a single value is unknown.
func spread(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	center, squares := mean(values), 0.0
	for _, x := range values {
		d := x - center
		squares += float64(d * d)
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// perPercent is the number of units in one percent: percentiles are given in thousandths.
const perPercent = 1_000

// rank is the value with index ceil(percent n / 100), counted from 1, of n values. The percentage
// is in thousandths. Below 1 the index is 1.
func rank(values []float64, thousandths int) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	index := (len(values)*thousandths + 100*perPercent - 1) / (100 * perPercent)
	return values[max(index, 1)-1]
}
