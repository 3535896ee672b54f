package experiment

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// backfilled are the sides of x/backfill, in the order of figures.
var backfilled = []side{
	{"fcfs-ideal", nil}, {"first-fit", nil}, {"easy", nil}, {"easy-sjbf", nil}, {"conservative", nil}, both,
	both.and("clustering=disjoint:128"),
}

// backfill compares policies by class of size and of run time.
func backfill() *Experiment {
	e := vary("x/backfill", [3]float64{0.06, 0.5, 1.5},
		"which jobs central policies favour, and which the decentralised one, by size and run time",
		"Jackson (2015), section 7.1.1, proposes to backfill", both)
	e.cells = func(size string) (all []lab.Cell) {
		for _, in := range inputs(size) {
			for _, s := range backfilled {
				all = append(all, in.cell(s.policy, s.settings...))
			}
		}
		return all
	}
	e.heats = backfillHeats
	e.Claims = claims(func(input) (all []Claim) {
		for _, s := range backfilled {
			if s.policy != both.policy {
				all = append(all, beside(both, s), mostlyOf(both, s))
			}
		}
		return all
	})
	return e
}

// backfillHeats are two tables for each input: by size, and by run time.
func backfillHeats(rows []*lab.Row) []Heat {
	var all []Heat
	each(rows, "workload", func(workload string, rows []*lab.Row) {
		for _, by := range []struct {
			name    string
			classes func(r *lab.Row) []metric.Class
		}{
			{"size (nodes)", func(r *lab.Row) []metric.Class { return r.Summary.BySize }},
			{"run time", func(r *lab.Row) []metric.Class { return r.Summary.ByRun }},
		} {
			h := Heat{HeatSpec: plot.HeatSpec{
				Title: "mean slowdown by " + by.name + ", " + workload, XLabel: by.name, YLabel: "policy",
			}, Rows: rows}
			var entries []entry
			for _, s := range backfilled {
				for _, r := range s.rows(rows) {
					for _, c := range by.classes(r) {
						entries = append(entries, entry{c.Label, s.String(), c.JacksonSlowdown.Mean})
					}
				}
			}
			h.table(entries)
			all = append(all, h)
		}
	})
	return all
}

// mostlyOf shows in which classes one side has the smaller mean slowdown.
func mostlyOf(a, b side) Claim {
	return Claim{
		Text: "classes of size and run time in which " + a.String() + " has a smaller mean slowdown than " + b.String(),
		detail: func(rows []*lab.Row) string {
			first, second := a.rows(rows), b.rows(rows)
			if len(first) == 0 || len(second) == 0 {
				return notRun
			}
			return "by size: " + smaller(first, second, func(r *lab.Row) []metric.Class { return r.Summary.BySize }) +
				"; by run time: " + smaller(first, second, func(r *lab.Row) []metric.Class { return r.Summary.ByRun })
		},
	}
}

// smaller lists the classes in which the mean over the first rows is the smaller one.
func smaller(first, second []*lab.Row, classes func(r *lab.Row) []metric.Class) string {
	means := func(rows []*lab.Row) (labels []string, of map[string]float64) {
		values := map[string][]float64{}
		for _, r := range rows {
			for _, c := range classes(r) {
				if !slices.Contains(labels, c.Label) {
					labels = append(labels, c.Label)
				}
				values[c.Label] = append(values[c.Label], c.JacksonSlowdown.Mean)
			}
		}
		of = map[string]float64{}
		for label, v := range values {
			of[label], _, _ = metric.Interval(v)
		}
		return labels, of
	}
	labels, a := means(first)
	_, b := means(second)
	var all []string
	for _, label := range labels {
		if other, there := b[label]; there && a[label] < other {
			all = append(all, label)
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
