package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// extent has the ranges of a sweep.
type extent struct {
	over, clusterings, loads []string
}

// extents are those of the sizes. The largest has 780 cells for each input.
var extents = map[string]extent{
	"ci": {[]string{"none", "2", "total"}, []string{"actual", "disjoint:64"}, []string{"0.9", "10"}},
	"desk": {
		[]string{"none", "2", "4", "8", "total"}, []string{"actual", "disjoint:64", "disjoint:128", "disjoint:256"},
		[]string{"0.5", "0.9", "2", "10"},
	},
	"paper": {
		[]string{"none", "1.5", "2", "3", "4", "6", "8", "12", "16", "total"},
		[]string{
			"actual", "disjoint:16", "disjoint:32", "disjoint:64", "disjoint:128", "disjoint:256", "disjoint:512",
			"overlap:16", "overlap:32", "overlap:64", "overlap:128", "overlap:256", "overlap:512",
		},
		[]string{"0.5", "0.7", "0.9", "1.1", "2", "10"},
	},
}

// The inputs of the sweep come at a load that is set. Jobs that are larger than a cluster are left
// out, so compare numbers of one clustering.
var (
	sweptT = input{"T", thunder, thunderDensest + ",window:drawn:1000", inputT.platform}
	sweptG = input{"G", inputG.workload, inputG.sel, inputG.platform}
	sweptS = input{"S", inputS.workload, inputS.sel, inputS.platform}
)

// at is the input at a load.
func (in input) at(load string) input {
	in.sel = strings.TrimPrefix(in.sel+",load:to="+load, ",")
	return in
}

// loadOf is the load that the selection of a row sets.
func loadOf(r *lab.Row) string {
	return loadIn(r.Settings.Get("select"))
}

// loadIn is the load that a selection sets at its end.
func loadIn(selection string) string {
	_, load, _ := strings.Cut(selection, "load:to=")
	return load
}

// sweep looks for the best over-provisioning, about which the dissertation says that it depends.
func sweep() *Experiment {
	inputs := map[string][]input{"ci": {sweptS}, "desk": {sweptT}, "paper": {sweptT, sweptG}}
	e := &Experiment{
		Name: "x/sweep", Chance: true,
		seconds: [3]float64{0.3, 16, 0},
		numbers: []string{},
		Doc:     "which over-provisioning is best, by clustering and load",
		Source:  "a question that Jackson (2015), sections 4.3.5 and 7.1.1, leaves open",
		cells: func(size string) (all []lab.Cell) {
			x := extents[size]
			for _, in := range inputs[size] {
				for _, load := range x.loads {
					for _, clustering := range x.clusterings {
						for _, over := range x.over {
							all = append(all, in.at(load).cell("qb+dlb", "clustering="+clustering, "over-provisioning="+over))
						}
					}
				}
			}
			return all
		},
		heats: sweepHeats,
	}
	widest := extents["paper"]
	for _, in := range []input{sweptT, sweptG, sweptS} {
		for _, clustering := range widest.clusterings {
			for _, load := range widest.loads {
				e.Claims = append(e.Claims, in.best(clustering, load))
			}
		}
	}
	return e
}

// sweepHeats are a table for each load and input.
func sweepHeats(rows []*lab.Row) []Heat {
	var all []Heat
	each(rows, "workload", func(workload string, rows []*lab.Row) {
		each(rows, "select", func(_ string, rows []*lab.Row) {
			h := Heat{HeatSpec: plot.HeatSpec{
				Title:  "mean slowdown at load " + loadOf(rows[0]) + ", " + workload,
				XLabel: "over-provisioning", YLabel: "clustering",
			}, Rows: rows}
			var entries []entry
			for _, r := range rows {
				entries = append(entries, entry{r.Settings.Get("over-provisioning"), r.Settings.Get("clustering"), slowdown(r)})
			}
			h.table(entries)
			all = append(all, h)
		})
	})
	return all
}

// best finds the over-provisioning with the smallest mean slowdown, and the settings whose
// difference may be chance.
func (in input) best(clustering, load string) Claim {
	return Claim{
		Text: fmt.Sprintf("the best over-provisioning for %s at load %s (input %s)", clustering, load, in.name),
		of: func(rows []*lab.Row) (some []*lab.Row) {
			at := in.at(load)
			for _, r := range rows { // there are many rows, and many such claims
				s := &r.Settings
				if s.Get("workload") == at.workload && s.Get("platform") == at.platform && s.Get("select") == at.sel &&
					s.Get("clustering") == clustering {
					some = append(some, r)
				}
			}
			return some
		},
		detail: bestOf,
	}
}

// bestOf names the over-provisioning with the smallest mean slowdown, and the others.
func bestOf(rows []*lab.Row) string {
	var overs []string
	means := map[string]float64{}
	least := ""
	each(rows, "over-provisioning", func(over string, some []*lab.Row) {
		var values []float64
		for _, r := range some {
			values = append(values, slowdown(r))
		}
		overs = append(overs, over)
		if means[over] = Geometric.single(metric.AtLeast1, values).Value; least == "" || means[over] < means[least] {
			least = over
		}
	})
	var near, worse []string
	for _, over := range overs {
		text := fmt.Sprintf("%s (%.4g)", over, means[over])
		switch {
		case over == least:
		case byChance(rows, over, least):
			near = append(near, text)
		default:
			worse = append(worse, text)
		}
	}
	found := fmt.Sprintf("%s (%.4g)", least, means[least])
	if len(near) > 0 {
		found += ", and within chance " + strings.Join(near, ", ")
	}
	if len(worse) > 0 {
		found += "; worse are " + strings.Join(worse, ", ")
	}
	return found
}

// byChance reports whether two degrees of over-provisioning differ by no more than chance.
func byChance(rows []*lab.Row, a, b string) bool {
	of := func(over string) series {
		return series{value: func(s seeded) (float64, []*lab.Row, bool) {
			some := with(s, "over-provisioning="+over)
			if len(some) == 0 {
				return 0, nil, false
			}
			return slowdown(some[0]), some, true
		}}
	}
	m := Metric{Range: metric.AtLeast1, series: []series{of(a), of(b)}}
	s := m.sample(rows)
	if len(s.seeds) < 2 {
		return true
	}
	e := Ratio.estimates(m.Range, s.series)[0]
	return e.Low <= 1 && e.High >= 1
}
