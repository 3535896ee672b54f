package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// side is one side of a comparison: a policy with some settings, all others at their defaults.
type side struct {
	policy   string
	settings []string // NAME=VALUE
}

// both is the usual decentralised policy.
var both = side{"qb+dlb", nil}

// and returns the side with further settings.
func (s side) and(settings ...string) side {
	return side{s.policy, slices.Concat(s.settings, settings)}
}

// String names the side.
func (s side) String() string { return strings.Join(append([]string{s.policy}, s.settings...), " ") }

// rows returns the rows of the side.
func (s side) rows(rows []*lab.Row) []*lab.Row { return with(rows, s.selection()...) }

// selection lists the settings of the side, and the defaults of the others that sides differ in.
func (s side) selection() []string {
	wanted := append([]string{"policy=" + s.policy}, s.settings...)
	others := append(parallel.System{}.Settings(), scheduler.Setting{Name: "clustering", Default: "actual"})
	for _, setting := range others {
		given := false
		for _, x := range s.settings {
			given = given || strings.HasPrefix(x, setting.Name+"=")
		}
		if !given {
			wanted = append(wanted, setting.Name+"="+setting.Default)
		}
	}
	return wanted
}

// number is a number of the side: of its one row of each seed.
func (s side) number(value func(*lab.Row) float64) series {
	selection := s.selection()
	return series{s.String(), func(of seeded) (float64, []*lab.Row, bool) {
		some := with(of, selection...)
		if len(some) == 0 {
			return 0, nil, false
		}
		return value(some[len(some)-1]), some[len(some)-1:], true
	}}
}

// selected is a number of the side on the jobs of one selection.
func (s side) selected(selection string, value func(*lab.Row) float64) series {
	n := s.number(value)
	return series{n.label, func(of seeded) (float64, []*lab.Row, bool) {
		return n.value(with(of, "select="+selection))
	}}
}

// measure is a number of the rows of sides.
type measure struct {
	name     string // "mean slowdown"
	unit     string
	possible metric.Range
	value    func(*lab.Row) float64
}

// Measures of rows.
var (
	meanSlowdown   = measure{"mean slowdown", "", metric.AtLeast1, slowdown}
	medianSlowdown = measure{"median slowdown", "", metric.AtLeast1,
		func(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.Median }}
	largestSlowdown = measure{"largest slowdown", "", metric.AtLeast1,
		func(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.Max }}
	waiting = measure{"mean wait", " s", metric.AtLeast0, func(r *lab.Row) float64 { return r.Summary.Wait.Mean }}
	nearOne = measure{"share of jobs with a slowdown below 1.01", "", metric.Share,
		func(r *lab.Row) float64 { return r.Summary.NearOneShare }}
	overtaken = measure{"share of overtaken jobs", "", metric.Share,
		func(r *lab.Row) float64 { return r.Summary.Overtaken }}
	held = measure{"share of the node time that is held for undecided jobs", "", metric.Share, heldShare}
	idle = measure{"idle node time while jobs wait", " s", metric.AtLeast0,
		func(r *lab.Row) float64 { return r.Summary.IdleWaiting }}
	utilisation = measure{"utilisation", "", metric.Share, func(r *lab.Row) float64 { return r.Summary.Utilisation }}
)

// of is the measure of some sides.
func (m measure) of(sides ...side) Metric {
	all := Metric{Name: m.name, Unit: m.unit, Range: m.possible}
	for _, s := range sides {
		all.series = append(all.series, s.number(m.value))
	}
	if len(sides) > 1 && !slices.ContainsFunc(sides, func(s side) bool { return !s.differsByPolicy(sides[0]) }) {
		all.moot = nowhereToMove
	}
	return all
}

// compared is the estimator that compares two values of a measure. Shares may be 0.
func (m measure) compared() Estimator {
	if m.possible == metric.Share {
		return Difference
	}
	return Ratio
}

// less claims that a has the smaller value.
func (m measure) less(a, b side, q Quote) Claim {
	return Claim{
		Text: fmt.Sprintf("%s has a smaller %s than %s", a, m.name, b), Metric: m.of(a, b), Estimator: m.compared(),
		Published: q, Relation: ordered(Less, m.compared()),
	}
}

// times claims that the value of a is a number of times that of b.
func (m measure) times(a, b side, r Relation, q Quote) Claim {
	return Claim{
		Text:   fmt.Sprintf("the %s of %s is %s that of %s", m.name, a, r, b),
		Metric: m.of(a, b), Estimator: Ratio, Published: q, Relation: r,
	}
}

// in claims that the value of a side is in a relation: of shares the mean, otherwise the median
// over seeds.
func (m measure) in(a side, r Relation, q Quote) Claim {
	c := Claim{
		Text: fmt.Sprintf("the %s of %s is %s", m.name, a, r), Metric: m.of(a), Estimator: Median, Published: q, Relation: r,
	}
	if m.possible == metric.Share {
		c.Estimator = Mean
	}
	return c
}

// largeSlowdown is the mean slowdown of the jobs of at least a number of nodes, a power of two.
func largeSlowdown(least int) measure {
	return measure{
		fmt.Sprintf("mean slowdown of jobs of at least %d nodes", least), "", metric.AtLeast1,
		func(r *lab.Row) float64 {
			sum, jobs := 0.0, 0
			for _, c := range r.Summary.BySize {
				from, _, _ := strings.Cut(c.Label, "-")
				if n, err := strconv.Atoi(from); err == nil && n >= least {
					sum, jobs = sum+float64(c.JacksonSlowdown.Mean*float64(c.Counted)), jobs+c.Counted
				}
			}
			return sum / float64(jobs) // not a number without such jobs
		},
	}
}

// differsByPolicy reports whether two sides are decentralised, and equal but for the policy.
func (s side) differsByPolicy(other side) bool {
	decentralised := func(name string) bool {
		return slices.ContainsFunc(parallel.Policies(), func(p parallel.Policy) bool { return p.Name == name })
	}
	return decentralised(s.policy) && decentralised(other.policy) && slices.Equal(s.settings, other.settings)
}

// nowhereToMove explains why policies that only differ in how they move jobs to other clusters are
// equal on one cluster; "" if there are several.
func nowhereToMove(rows []*lab.Row) string {
	if slices.ContainsFunc(rows, func(r *lab.Row) bool { return !r.Settings.OneCluster() }) {
		return ""
	}
	return "there is one cluster, so no job can move"
}

// beside shows the mean slowdowns of two sides, about which nothing is published.
func beside(a, b side) Claim {
	return Claim{
		Text:   fmt.Sprintf("the mean slowdown of %s beside that of %s", a, b),
		Metric: meanSlowdown.of(a, b), Estimator: Ratio,
	}
}

// ours marks a claim that its source does not make: its relation becomes a band of our own.
func ours(c Claim) Claim {
	c.Band, c.Relation, c.Published = c.Relation, Relation{}, Quote{}
	return c
}
