package experiment

import (
	"fmt"
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

func (s side) rows(rows []*lab.Row) []*lab.Row {
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
	return with(rows, wanted...)
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

// atMost claims that the mean slowdown of a is at most factor times that of b: the interval of the
// paired difference a - factor b lies below zero.
func atMost(a, b side, factor float64, published string) Claim {
	text := fmt.Sprintf("%s has a smaller mean slowdown than %s", a, b)
	if factor != 1 {
		text = fmt.Sprintf("the mean slowdown of %s is at most %.3g times that of %s", a, factor, b)
	}
	return Claim{
		Text: text, Published: published,
		judge: func(rows []*lab.Row) (Verdict, string) {
			first, second := pairs(rows, a, b)
			if len(first) < 2 {
				return Undetermined, notRun
			}
			scaled := make([]float64, len(second))
			for i, x := range second {
				scaled[i] = float64(factor * x)
			}
			_, low, high, err := metric.Paired(first, scaled)
			if err != nil {
				return Undetermined, err.Error()
			}
			switch found := means(first, second); {
			case high < 0:
				return Reproduced, found
			case low > 0:
				return Deviates, found
			default:
				less := "the first less the second"
				if factor != 1 {
					less = fmt.Sprintf("the first less %.3g times the second", factor)
				}
				return Undetermined, fmt.Sprintf("%s; %s is within chance (%s to %s)", found, less, metric.Text(low, 3),
					metric.Text(high, 3))
			}
		},
	}
}

// means shows the means of two sides, and their ratio.
func means(first, second []float64) string {
	a, aLow, aHigh := metric.Interval(first)
	b, bLow, bHigh := metric.Interval(second)
	return fmt.Sprintf("%s ± %s and %s ± %s, a ratio of %s", metric.Text(a, 4), metric.Text((aHigh-aLow)/2, 2),
		metric.Text(b, 4), metric.Text((bHigh-bLow)/2, 2), metric.Text(a/b, 3))
}

// ratio shows how many times the mean slowdown of b that of a is, about which nothing is published.
func ratio(a, b side) Claim {
	return Claim{
		Text: fmt.Sprintf("the mean slowdown of %s beside that of %s", a, b), Published: Unpublished,
		judge: func(rows []*lab.Row) (Verdict, string) {
			first, second := pairs(rows, a, b)
			if len(first) < 2 {
				return Undetermined, notRun
			}
			return Undetermined, means(first, second)
		},
	}
}

// heldWaste shows how much node time goes by in nodes that wait for the decision of a job.
func heldWaste(a side) Claim {
	return Claim{
		Text: "node time that is held for an undecided job, with " + a.String(), Published: "as much as 5 %",
		judge: func(rows []*lab.Row) (Verdict, string) {
			var ofBusy, ofAll []float64
			for _, r := range a.rows(rows) {
				all := float64(r.Summary.Makespan * float64(r.PlatformNodes))
				held := float64(r.Decentralised.HeldNodeMicros) / 1e6
				ofAll = append(ofAll, held/all)
				ofBusy = append(ofBusy, held/(held+float64(all*r.Summary.Utilisation)))
			}
			if len(ofAll) < 2 {
				return Undetermined, notRun
			}
			part, _, high := metric.Interval(ofAll)
			busy, _, _ := metric.Interval(ofBusy)
			found := fmt.Sprintf("%.2g %% of all node time, %.2g %% of that in which a node is held or runs", 100*part, 100*busy)
			if high <= 0.05 {
				return Reproduced, found
			}
			return Deviates, found
		},
	}
}
