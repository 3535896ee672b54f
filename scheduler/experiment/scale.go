package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// grown is a grid of clusters from 16 to 1,024 nodes, with jobs in proportion to its nodes.
type grown struct {
	clusters int // 4 have 1,360 nodes, 40 have 9,981, and 401 have 97,476
	jobs     int
}

// growths are those of the sizes, the smallest grid first.
var growths = map[string][]grown{
	"ci":    {{4, 700}},
	"desk":  {{4, 13_600}, {40, 100_000}},
	"paper": {{4, 136_000}, {40, 1_000_000}, {401, 1_000_000}},
}

func (g grown) cell(load, over string) lab.Cell {
	in := input{
		workload: fmt.Sprintf("sharcnet-like:N=%d", g.jobs), sel: "filter:size<=128,load:to=" + load,
		platform: fmt.Sprintf("graded:%d", g.clusters),
	}
	return in.cell("qb+dlb", "clustering=disjoint:128", "over-provisioning="+over)
}

// mostGrowth is how many times the cost of a job may grow when nodes and jobs grow tenfold.
const mostGrowth = 1.5

// scale measures what a run costs. Its times depend on the machine.
func scale() *Experiment {
	e := &Experiment{
		Name:    "x/scale",
		seconds: [3]float64{0.2, 32, 0},
		Doc:     "time and memory of runs on large grids",
		Source:  "goals of this laboratory: a job costs at most 1.5 times as much on a grid with ten times as many nodes",
		cells: func(size string) (all []lab.Cell) {
			for i, g := range growths[size] {
				all = append(all, g.cell("0.9", "8"))
				if i < 2 {
					all = append(all, g.cell("0.9", "total"), g.cell("1.2", "8"), g.cell("1.2", "total"))
				}
			}
			return all
		},
		Claims: []Claim{complete("platform", "all")},
	}
	for _, size := range []string{"desk", "paper"} {
		small, large := growths[size][0], growths[size][1]
		for _, load := range []string{"0.9", "1.2"} {
			for _, over := range []string{"8", "total"} {
				e.Claims = append(e.Claims, growth(small.cell(load, over), large.cell(load, over)))
			}
		}
	}
	return e
}

// growth claims that a job costs little more on a larger grid.
func growth(small, large lab.Cell) Claim {
	return Claim{
		Text: fmt.Sprintf("the time for a job on %s is at most %g times that on %s (load %s, over-provisioning %s)",
			large.Get("platform"), mostGrowth, small.Get("platform"), loadIn(small.Get("select")),
			small.Get("over-provisioning")),
		Metric: Metric{
			Name: "time of a job", Unit: " µs", Range: metric.AtLeast0,
			series: []series{ofCell(large, micro), ofCell(small, micro)},
		},
		Estimator: Ratio, Published: states(fmt.Sprintf("at most %g times, a goal", mostGrowth)),
		Relation: times(0, mostGrowth),
		of: func(rows []*lab.Row) []*lab.Row {
			if a, b := find(rows, small), find(rows, large); a != nil && b != nil {
				return []*lab.Row{a, b}
			}
			return nil
		},
		detail: func(rows []*lab.Row) string {
			return fmt.Sprintf("%.3g and %.3g million events a second; at most %s MB", rate(rows[1]), rate(rows[0]),
				metric.Thousands(int64(rows[1].PeakBytes>>20)))
		},
	}
}

// find returns the row of a cell; nil if there is none.
func find(rows []*lab.Row, c lab.Cell) *lab.Row {
	for _, r := range rows {
		if r.Settings.String() == c.String() {
			return r
		}
	}
	return nil
}

// ofCell is a number of a cell.
func ofCell(c lab.Cell, value func(*lab.Row) float64) series {
	return series{value: func(s seeded) (float64, []*lab.Row, bool) {
		r := find(s, c)
		if r == nil {
			return 0, nil, false
		}
		return value(r), []*lab.Row{r}, true
	}}
}

// micro is the time of a run for each of its jobs, in microseconds.
func micro(r *lab.Row) float64 { return 1e6 * r.ElapsedSeconds / float64(r.Summary.Submitted) }

// rate is the events of a run a second, in millions.
func rate(r *lab.Row) float64 { return float64(r.Decentralised.Events) / r.ElapsedSeconds / 1e6 }

// large is the run on which the dissertation's simulator failed.
func large() *Experiment {
	return &Experiment{
		Name:    "jackson/30k",
		seconds: [3]float64{0.055, 19, 19},
		Doc:     "30,000 parallel jobs within twelve hours",
		Source:  "Jackson (2015), section 4.3: the simulator failed after days, by an integer that overflowed",
		cells: func(size string) []lab.Cell {
			in := inputH
			in.sel = hpc2nDensest + ",compress:to=12h"
			if size == "ci" {
				in = inputS
			}
			return []lab.Cell{in.cell("qb+dlb", "over-provisioning=8"), in.cell("qb+dlb", "over-provisioning=total")}
		},
		Claims: []Claim{crashed},
	}
}

// crashed is about a run that the dissertation's simulator could not finish.
var crashed = func() Claim {
	c := ours(complete("over-provisioning", ""))
	c.Published = says("section 4.3", "simulations would run for a couple days then crash. This was an integer overrun "+
		"limitation of the simulator.")
	return c
}()

// complete claims that every job of every run ends or is excluded. A setting names the runs.
func complete(setting, published string) Claim {
	left := func(s seeded) (float64, []*lab.Row, bool) {
		most := 0
		for _, r := range s {
			most = max(most, unfinished(r))
		}
		return float64(most), s, true
	}
	return Claim{
		Text: "every job ends, or is excluded with a reason",
		Metric: Metric{
			Name: "jobs that do neither", Unit: " jobs left", Range: metric.AtLeast0, series: []series{{value: left}},
		},
		Estimator: Largest, Published: states(published), Relation: atMost(0),
		detail: func(rows []*lab.Row) string {
			var found []string
			for _, r := range rows {
				s := &r.Summary
				found = append(found, fmt.Sprintf("%s: %d of %d done", r.Settings.Get(setting), s.Done, s.Submitted))
			}
			return strings.Join(found, "; ")
		},
	}
}
