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

// cannotTell says why the numbers of a sample test nothing; "" if they do.
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
	switch e {
	case Ratio, Difference:
	case Largest:
		return "at most " + spanned(estimates[0], m.Unit)
	default:
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

// of returns the prediction of a method, with its rounds if it has any, of an input whose name
// begins so. Of several inputs it is the one with the most hosts; nil if there is none.
func (s seeded) of(method, input string) *lab.Prediction {
	var found *lab.Prediction
	for _, r := range s {
		how, what, _ := strings.Cut(r.Settings.Get("predict"), " of ")
		if r.Prediction != nil && how == method && (what == input || strings.HasPrefix(what, input+":")) &&
			(found == nil || r.Prediction.Hosts > found.Hosts) {
			found = r.Prediction
		}
	}
	return found
}

// exactly returns the prediction of a method for one input.
func (s seeded) exactly(method, input string) *lab.Prediction {
	if some := with(s, "predict="+method+" of "+input); len(some) > 0 {
		return some[0].Prediction
	}
	return nil
}

// Numbers of a prediction.
func p50(p *lab.Prediction) float64 { return p.Errors.P50 }

func p95(p *lab.Prediction) float64 { return p.Errors.P95 }

func p99(p *lab.Prediction) float64 { return p.Errors.P99 }

func largest(p *lab.Prediction) float64 { return p.Errors.Max }

// number is a number of the rows of one seed, which may lack predictions that were not made.
type number struct {
	estimator Estimator
	possible  metric.Range
	of        func(s seeded) (value float64, there bool)
}

// percentile is a number that is a percentile, or made of some.
func percentile(of func(s seeded) (float64, bool)) number { return number{Median, metric.AtLeast0, of} }

// proportion is a number that is a ratio.
func proportion(of func(s seeded) (float64, bool)) number {
	return number{Geometric, metric.AtLeast0, of}
}

// bounded claims that a number is at most a limit. If nothing is published, the limit is a band of
// our own.
func bounded(text, published string, most float64, n number) Claim {
	c := Claim{
		Text: text, Published: states(published), Estimator: n.estimator,
		Metric: Metric{Name: "number", Range: n.possible, series: []series{{value: every(n.of)}}},
	}
	if c.Published == (Quote{}) {
		c.Band = atMost(most)
	} else {
		c.Relation = atMost(most)
	}
	return c
}

// every is a number of all rows of a seed.
func every(number func(seeded) (float64, bool)) func(seeded) (float64, []*lab.Row, bool) {
	return func(s seeded) (float64, []*lab.Row, bool) {
		v, there := number(s)
		return v, s, there
	}
}

// simply is a number of one prediction.
func simply(method, input string, value func(*lab.Prediction) float64) number {
	return percentile(func(s seeded) (float64, bool) {
		p := s.of(method, input)
		if p == nil {
			return 0, false
		}
		return value(p), true
	})
}

// whole is a number of a prediction of the grid at measured sites: published ones are about these.
func whole(method string, value func(*lab.Prediction) float64) number {
	return percentile(func(s seeded) (float64, bool) {
		p := s.exactly(method, sharcnetName)
		if p == nil {
			return 0, false
		}
		return value(p), true
	})
}

// quotient is a number of one prediction divided by that of another.
func quotient(a, b, input string, value func(*lab.Prediction) float64) number {
	return proportion(func(s seeded) (float64, bool) {
		p, q := s.of(a, input), s.of(b, input)
		if p == nil || q == nil || value(q) == 0 {
			return 0, false
		}
		return value(p) / value(q), true
	})
}

// greatest is the greatest of several numbers that are all there.
func greatest(all ...number) number {
	return number{all[0].estimator, all[0].possible, func(s seeded) (float64, bool) {
		worst := math.Inf(-1)
		for _, n := range all {
			v, ok := n.of(s)
			if !ok {
				return 0, false
			}
			worst = max(worst, v)
		}
		return worst, true
	}}
}

// spread is how far the numbers of later rounds are from that of the first, relative to it. Rounds
// that were not run are left out.
func spread(input string, value func(*lab.Prediction) float64, rounds []int) number {
	return percentile(func(s seeded) (float64, bool) {
		first := s.of(vivaldi(rounds[0]), input)
		worst, found := 0.0, false
		for _, n := range rounds[1:] {
			if p := s.of(vivaldi(n), input); first != nil && p != nil {
				worst, found = max(worst, math.Abs(value(p)/max(value(first), 1e-9)-1)), true
			}
		}
		return worst, found
	})
}

func vivaldi(rounds int) string { return fmt.Sprintf("vivaldi:%d", rounds) }

// doubled lists rounds, each twice the one before, while they are at most last.
func doubled(first, last int) (all []int) {
	for n := first; n <= last; n *= 2 {
		all = append(all, n)
	}
	return all
}
