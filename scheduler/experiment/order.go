package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// orderPolicies are the policies of the experiment central/order.
var orderPolicies = []string{"fcfs", "conservative", "easy", "easy-sjbf", "sjf-exact", "first-fit"}

// order compares central policies on generated jobs.
func order() *Experiment {
	jobs := map[string]int{"ci": 1_000, "desk": 5_000, "paper": 10_000}
	return &Experiment{
		Name: "central/order", Chance: true,
		Doc:    "backfilling shortens waits, and shortest-first backfilling shortens slowdowns, on jobs of Lublin's model",
		Source: "Feitelson and Weil (1998); Tsafrir, Etsion and Feitelson (2007)",
		cells: func(size string) []lab.Cell {
			var all []lab.Cell
			for _, policy := range orderPolicies {
				all = append(all, lab.MustCell(fmt.Sprintf("workload=lublin:N=%d,nodes=128", jobs[size]), "select=load:to=0.8",
					"policy="+policy, "estimate=exact"))
			}
			return all
		},
		Claims: []Claim{
			less("easy", "fcfs", "mean wait", func(r *lab.Row) float64 { return r.Summary.Wait.Mean }),
			less("conservative", "fcfs", "mean wait", func(r *lab.Row) float64 { return r.Summary.Wait.Mean }),
			less("easy-sjbf", "easy", "mean bounded slowdown",
				func(r *lab.Row) float64 { return r.Summary.BoundedSlowdown.Mean }),
		},
	}
}

// less claims that a policy has the smaller value: the paired difference over seeds is below zero
// with its whole 95 % interval.
func less(a, b, what string, value func(*lab.Row) float64) Claim {
	return Claim{
		Text:      fmt.Sprintf("%s has a smaller %s than %s", a, what, b),
		Published: "smaller",
		judge: func(rows []*lab.Row) (Verdict, string) {
			second := map[uint64]float64{}
			for _, r := range with(rows, "policy="+b) {
				second[r.Seed] = value(r)
			}
			var first, other []float64
			for _, r := range with(rows, "policy="+a) {
				if v, paired := second[r.Seed]; paired {
					first, other = append(first, value(r)), append(other, v)
				}
			}
			if len(first) < 2 {
				return Undetermined, "fewer than two pairs of runs"
			}
			mean, low, high, err := metric.Paired(first, other)
			if err != nil {
				return Undetermined, err.Error()
			}
			found := "difference " + spanned(mean, low, high, "")
			switch {
			case high < 0:
				return Reproduced, found
			case low > 0:
				return Deviates, found
			}
			return Undetermined, found
		},
	}
}
