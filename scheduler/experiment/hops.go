package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// equal is a grid of equal clusters, whose nodes differ in virtual coordinates only.
type equal struct {
	clusters, nodes int // nodes of a cluster
}

var (
	hundreds = equal{20, 20}
	most     = equal{40, 250}
	equals   = []equal{hundreds, {40, 100}, most}
)

// mostHops is how many hops a job may take among 10,000 equal nodes.
const mostHops = 100

// mostShare bounds the hops, as a multiple of d n^(1/d). Across a grid of n points it is a third.
const mostShare = 0.5

// virtuals are the numbers of virtual dimensions. With more, a node knows hundreds of others.
var virtuals = []int{1, 2, 3}

// cell is a grid with a number of virtual dimensions. Hops do not depend on the policy.
func (g equal) cell(virtual int) lab.Cell {
	in := input{workload: "lublin:N=500,nodes=20", platform: fmt.Sprintf("uniform:%dx%d", g.clusters, g.nodes)}
	return in.cell("static", fmt.Sprint("virtual-dimensions=", virtual))
}

// hops measures the paths of jobs to their owners where nodes differ in virtual coordinates only.
func hops() *Experiment {
	e := &Experiment{
		Name: "x/hops", Chance: true,
		seconds: [3]float64{0.3, 9, 9},
		Doc:     "how many hops a job takes among equal nodes, by the number of virtual dimensions",
		Source: "Jackson (2015), section 2.1, has one virtual dimension; a content-addressable network of d dimensions " +
			"takes hops in proportion to d n^(1/d)",
		cells: func(size string) (all []lab.Cell) {
			for _, g := range equals {
				for _, virtual := range virtuals {
					if size != "ci" || g == hundreds {
						all = append(all, g.cell(virtual))
					}
				}
			}
			return all
		},
		heats: hopHeat,
	}
	for _, g := range equals {
		for _, virtual := range virtuals {
			e.Claims = append(e.Claims, g.proportion(virtual))
		}
	}
	for _, virtual := range virtuals[1:] {
		c := ours(numbered(
			fmt.Sprintf("hops of a job among %d equal nodes with %d virtual dimensions", most.clusters*most.nodes, virtual),
			Quote{}, atMost(mostHops), meanOf(hopsOf(most.cell(virtual)))))
		c.of = among(most.cell(virtual))
		e.Claims = append(e.Claims, c)
	}
	return e
}

// proportion claims that the hops of a job grow like d n^(1/d).
func (g equal) proportion(virtual int) Claim {
	n := float64(g.clusters * g.nodes)
	law := float64(virtual) * math.Pow(n, 1/float64(virtual))
	found := hopsOf(g.cell(virtual))
	c := ours(numbered(
		fmt.Sprintf("hops of a job among %.0f equal nodes with d = %d virtual dimensions, divided by d n^(1/d)", n, virtual),
		Quote{}, atMost(mostShare), meanOf(func(s seeded) (float64, bool) {
			v, there := found(s)
			return v / law, there
		})))
	c.of = among(g.cell(virtual))
	return c
}

// hopHeat is a table of the hops of a job, by platform and virtual dimensions.
func hopHeat(rows []*lab.Row) []Heat {
	h := Heat{HeatSpec: plot.HeatSpec{
		Title: "hops of a job", XLabel: "virtual dimensions", YLabel: "equal clusters",
	}, Rows: rows}
	var entries []entry
	for _, r := range rows {
		entries = append(entries, entry{
			r.Settings.Get("virtual-dimensions"), r.Settings.Get("platform"),
			float64(r.Decentralised.Hops) / float64(r.Summary.Submitted),
		})
	}
	h.table(entries)
	return []Heat{h}
}

// among selects the rows of a cell.
func among(c lab.Cell) func(rows []*lab.Row) []*lab.Row {
	return func(rows []*lab.Row) []*lab.Row {
		return slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool { return r.Settings.String() != c.String() })
	}
}

// meanOf is a number that is estimated by its mean over seeds.
func meanOf(of func(s seeded) (float64, bool)) number { return number{Mean, metric.AtLeast0, of} }

// hopsOf is the mean number of hops of the jobs of a cell.
func hopsOf(c lab.Cell) func(s seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		r := find(s, c)
		if r == nil || r.Decentralised == nil {
			return 0, false
		}
		return float64(r.Decentralised.Hops) / float64(r.Summary.Submitted), true
	}
}
