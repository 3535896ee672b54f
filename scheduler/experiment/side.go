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

// of returns the side's mean slowdowns, by seed.
func (s side) of(rows []*lab.Row) map[uint64]float64 {
	found := map[uint64]float64{}
	for _, r := range s.rows(rows) {
		found[r.Seed] = slowdown(r)
	}
	return found
}

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

// pairs returns the slowdowns of two sides, of the same seeds in the same order.
func pairs(rows []*lab.Row, a, b side) (first, second []float64) {
	other := b.of(rows)
	for _, r := range a.rows(rows) {
		if v, paired := other[r.Seed]; paired {
			first, second = append(first, slowdown(r)), append(second, v)
		}
	}
	return first, second
}

// means shows the means of two sides, and their ratio.
func means(first, second []float64) string {
	a, aLow, aHigh := metric.Interval(first)
	b, bLow, bHigh := metric.Interval(second)
	return fmt.Sprintf("%s ± %s and %s ± %s, a ratio of %s", metric.Text(a, 4), metric.Text((aHigh-aLow)/2, 2),
		metric.Text(b, 4), metric.Text((bHigh-bLow)/2, 2), metric.Text(a/b, 3))
}
