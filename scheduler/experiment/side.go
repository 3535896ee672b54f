package experiment

import (
	"fmt"
	"slices"
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

// slowdowns are the mean slowdowns of sides.
func slowdowns(sides ...side) Metric {
	m := Metric{Name: "mean slowdown", Range: metric.AtLeast1}
	for _, s := range sides {
		m.series = append(m.series, s.number(slowdown))
	}
	if len(sides) > 1 && !slices.ContainsFunc(sides, func(s side) bool { return !s.differsByPolicy(sides[0]) }) {
		m.moot = nowhereToMove
	}
	return m
}

// differsByPolicy reports whether two sides are decentralised, and equal but for the policy.
func (s side) differsByPolicy(other side) bool {
	decentralised := func(name string) bool {
		return slices.ContainsFunc(parallel.Policies(), func(p parallel.Policy) bool { return p.Name == name })
	}
	return decentralised(s.policy) && decentralised(other.policy) && slices.Equal(s.settings, other.settings)
}

// nowhereToMove says that policies differ in how they move jobs to other clusters, if there is one
// cluster.
func nowhereToMove(rows []*lab.Row) string {
	if slices.ContainsFunc(rows, func(r *lab.Row) bool { return !r.Settings.OneCluster() }) {
		return ""
	}
	return "there is one cluster, so no job can move"
}

// atMostTimes claims that the mean slowdown of a is at most factor times that of b.
func atMostTimes(a, b side, factor float64, published string) Claim {
	c := Claim{
		Text:   fmt.Sprintf("%s has a smaller mean slowdown than %s", a, b),
		Metric: slowdowns(a, b), Estimator: Ratio, Published: states(published), Relation: ordered(Less, Ratio),
	}
	if factor != 1 {
		c.Text = fmt.Sprintf("the mean slowdown of %s is at most %.3g times that of %s", a, factor, b)
		c.Relation = times(0, factor)
	}
	if c.Published == (Quote{}) {
		c.Relation, c.Band = Relation{}, c.Relation
	}
	return c
}

// beside shows the mean slowdowns of two sides, about which nothing is published.
func beside(a, b side) Claim {
	return Claim{
		Text: fmt.Sprintf("the mean slowdown of %s beside that of %s", a, b), Metric: slowdowns(a, b), Estimator: Ratio,
	}
}
