package experiment

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Metric is the subject of a claim: numbers of the rows of one seed, all of one kind.
type Metric struct {
	Name  string       // "mean slowdown"
	Unit  string       // " s"
	Range metric.Range // values that it can have

	series []series
	moot   func(rows []*lab.Row) string // why the numbers are equal by construction; nil if they are not
}

// series is one number: of one side, for example.
type series struct {
	label string
	value func(s seeded) (value float64, rows []*lab.Row, there bool)
}

// sample has the values of the seeds that have all numbers of a metric.
type sample struct {
	seeds  []uint64
	series [][]float64 // for each number the values by seed, in the order of the seeds
	rows   []*lab.Row  // that have these numbers
}

// sample takes the numbers of rows.
func (m *Metric) sample(rows []*lab.Row) sample {
	bySeed := map[uint64]seeded{}
	for _, r := range rows {
		bySeed[r.Seed] = append(bySeed[r.Seed], r)
	}
	s := sample{series: make([][]float64, len(m.series))}
	for _, seed := range slices.Sorted(maps.Keys(bySeed)) {
		values := make([]float64, len(m.series))
		var of []*lab.Row
		whole := true
		for i := range m.series {
			v, used, there := m.series[i].value(bySeed[seed])
			values[i], of, whole = v, append(of, used...), whole && there && !math.IsNaN(v)
		}
		if !whole {
			continue
		}
		s.seeds, s.rows = append(s.seeds, seed), append(s.rows, of...)
		for i, v := range values {
			s.series[i] = append(s.series[i], v)
		}
	}
	return s
}

// cannotTell says why the numbers of a sample test nothing; "" if they test something.
func (m *Metric) cannotTell(s sample) string {
	if m.moot != nil {
		if why := m.moot(s.rows); why != "" {
			return why
		}
	}
	for _, numbers := range s.series[1:] {
		if !slices.Equal(numbers, s.series[0]) {
			return ""
		}
	}
	if len(s.series) < 2 {
		return ""
	}
	return "all pairs are equal"
}

// text describes the result.
func (m *Metric) text(e Estimator, s sample, estimates []metric.Estimate) string {
	if e != Ratio && e != Difference {
		return spanned(estimates[0], m.Unit)
	}
	var sides, steps []string
	for i, numbers := range s.series {
		center := metric.AnyNumber.Mean(numbers).Value
		if e == Ratio { // then the ratio of the two is the estimate
			center = Geometric.single(m.Range, numbers).Value
		}
		text := metric.Text(center, 4) + m.Unit
		if len(s.series) > 2 {
			text = m.series[i].label + " " + text
		}
		sides = append(sides, text)
	}
	for _, x := range estimates {
		steps = append(steps, spanned(x, ""))
	}
	return fmt.Sprintf("%s; %s %s", english(sides), e, strings.Join(steps, "; "))
}

// english lists things: "1, 2 and 3".
func english(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// spanned is an estimate with its interval, which a single run does not have.
func spanned(e metric.Estimate, unit string) string {
	switch value := metric.Text(e.Value, 4) + unit; {
	case !e.Bounded():
		return value + " in one run"
	case e.Low == e.High:
		return value
	default:
		return fmt.Sprintf("%s (%s to %s)", value, metric.Text(e.Low, 4), metric.Text(e.High, 4))
	}
}

// seeded are the rows of one seed.
type seeded []*lab.Row

// of returns the prediction of a method, with its rounds if it has any, for an input with any
// settings. If there are several, it is the one with the most hosts; nil if there is none.
func (s seeded) of(method, input string) (found *lab.Row) {
	for _, r := range s {
		how, what, _ := strings.Cut(r.Settings.Get("predict"), " of ")
		if r.Prediction != nil && how == method && (what == input || strings.HasPrefix(what, input+":")) &&
			(found == nil || r.Prediction.Hosts > found.Prediction.Hosts) {
			found = r
		}
	}
	return found
}

// exactly returns the prediction of a method for one input; nil if there is none.
func (s seeded) exactly(method, input string) *lab.Row {
	for _, r := range with(s, "predict="+method+" of "+input) {
		if r.Prediction != nil {
			return r
		}
	}
	return nil
}

// predicted is where errors come from: a method on an input.
type predicted struct {
	label string // "DTM"
	row   func(s seeded) *lab.Row
}

// anyOf is a method on an input with any settings: the largest one that was run.
func anyOf(label, method, input string) predicted {
	return predicted{label, func(s seeded) *lab.Row { return s.of(method, input) }}
}

// wholeOf is a method on the grid at measured sites: published numbers are about these.
func wholeOf(label, method string) predicted {
	return predicted{label, func(s seeded) *lab.Row { return s.exactly(method, sharcnetName) }}
}

// errors are a number of a prediction.
type errors struct {
	name      string
	estimator Estimator // compares two such numbers; medians may be 0
	value     func(*lab.Prediction) float64
	isShare   bool // it is estimated by its mean, otherwise by its median over seeds
}

// Numbers of predictions.
var (
	medianError = errors{"median error", Difference, func(p *lab.Prediction) float64 { return p.Errors.P50 }, false}
	error95     = errors{"95th percentile of the errors", Ratio,
		func(p *lab.Prediction) float64 { return p.Errors.P95 }, false}
	error99 = errors{"99th percentile of the errors", Ratio,
		func(p *lab.Prediction) float64 { return p.Errors.P99 }, false}
	largestError = errors{"largest error", Ratio, func(p *lab.Prediction) float64 { return p.Errors.Max }, false}
	positive10   = errors{"share of far pairs that are predicted to be near", Difference,
		func(p *lab.Prediction) float64 { return p.Errors.Positive }, true}
	negative10 = errors{"share of near pairs that are predicted to be far", Difference,
		func(p *lab.Prediction) float64 { return p.Errors.Negative }, true}
	falseNear = errors{"number of far pairs that are predicted to be near", Difference,
		func(p *lab.Prediction) float64 { return math.Round(p.Errors.Positive * float64(p.Errors.Far)) }, false}
	belowOne = errors{"share of pairs with an error below 1", Difference,
		func(p *lab.Prediction) float64 { return p.Errors.BelowOne }, true}
	measurements = errors{"number of measurements", Ratio,
		func(p *lab.Prediction) float64 { return float64(p.Measurements) }, false}
)

// percentilesOfErrors are those in the tables.
var percentilesOfErrors = []errors{medianError, error95, error99}

// of are the errors of some predictions.
func (e errors) of(all ...predicted) Metric {
	m := Metric{Name: e.name, Range: metric.AtLeast0}
	for _, p := range all {
		m.series = append(m.series, series{p.label, func(s seeded) (float64, []*lab.Row, bool) {
			r := p.row(s)
			if r == nil {
				return 0, nil, false
			}
			return e.value(r.Prediction), []*lab.Row{r}, true
		}})
	}
	return m
}

// less claims that a has smaller errors than b.
func (e errors) less(a, b predicted, q Quote) Claim {
	return Claim{
		Text: fmt.Sprintf("%s has a smaller %s than %s", a.label, e.name, b.label), Metric: e.of(a, b),
		Estimator: e.estimator, Published: q, Relation: ordered(Less, e.estimator),
	}
}

// times claims that the ratio of the errors of a to those of b is in a relation.
func (e errors) times(a, b predicted, r Relation, q Quote) Claim {
	return Claim{
		Text:   fmt.Sprintf("the %s of %s is %s that of %s", e.name, a.label, r, b.label),
		Metric: e.of(a, b), Estimator: Ratio, Published: q, Relation: r,
	}
}

// in claims that the errors of a prediction are in a relation.
func (e errors) in(p predicted, r Relation, q Quote) Claim {
	text := fmt.Sprintf("the %s of %s is %s", e.name, p.label, r)
	if r.Kind == Equal {
		text = fmt.Sprintf("the %s of %s is the printed one", e.name, p.label)
	}
	c := Claim{Text: text, Metric: e.of(p), Estimator: Median, Published: q, Relation: r}
	if e.isShare {
		c.Estimator, c.Metric.Range = Mean, metric.Share
	}
	return c
}

// ever turns a claim about a number into one about its largest value over all seeds.
func (c Claim) ever() Claim {
	c.Estimator = Largest
	return c
}

// number is a number of the rows of one seed, which may lack predictions that were not made.
type number struct {
	estimator Estimator
	possible  metric.Range
	of        func(s seeded) (value float64, there bool)
}

// numbered claims that a number is in a relation.
func numbered(text string, q Quote, r Relation, n number) Claim {
	return Claim{
		Text: text, Published: q, Estimator: n.estimator, Relation: r,
		Metric: Metric{Name: "number", Range: n.possible, series: []series{{value: every(n.of)}}},
	}
}

// every is a number of all rows of a seed.
func every(number func(seeded) (float64, bool)) func(seeded) (float64, []*lab.Row, bool) {
	return func(s seeded) (float64, []*lab.Row, bool) {
		v, there := number(s)
		return v, s, there
	}
}

// spread is the largest relative difference between the errors after the first number of rounds and
// those after more. Rounds that were not run are left out.
func (e errors) spread(input string, rounds []int) number {
	return number{Median, metric.AtLeast0, func(s seeded) (float64, bool) {
		first := s.of(vivaldi(rounds[0]), input)
		worst, found := 0.0, false
		for _, n := range rounds[1:] {
			if r := s.of(vivaldi(n), input); first != nil && r != nil {
				worst, found = max(worst, math.Abs(e.value(r.Prediction)/max(e.value(first.Prediction), 1e-9)-1)), true
			}
		}
		return worst, found
	}}
}

func vivaldi(rounds int) string { return fmt.Sprintf("vivaldi:%d", rounds) }

// doubled lists rounds, each twice the one before, while they are at most last.
func doubled(first, last int) (all []int) {
	for n := first; n <= last; n *= 2 {
		all = append(all, n)
	}
	return all
}
