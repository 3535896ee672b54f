package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// search is a family of searches for clusters: on an input, of a size, with several bounds.
type search struct {
	input string
	size  int
	most  []int // memberships; the last is the size
}

// searchOf is the family of a size: the whole grid, or, so that it runs anywhere, a twentieth.
func searchOf(size string) search {
	if size == "ci" {
		return search{sharcnetName + ":sites=plane,every=20", 8, []int{2, 4, 8}}
	}
	return search{sharcnetName, 64, []int{8, 16, 32, 64}}
}

// How many hosts are aggregated, in times of what a cluster may have.
const once, twice, fourTimes = 1, 2, 4

// cell is the name of a search, as a setting of a cell.
func (s search) cell(criterion string, memberships, aggregated int) string {
	return fmt.Sprintf("clusters:%d,memberships=%d,criterion=%s,aggregate=%d of %s", s.size, memberships, criterion,
		aggregated*s.size, s.input)
}

// near10 is the cell of a search on high-performance networks alone.
func (s search) near10() string { return fmt.Sprintf("clusters:%d%s of %s", s.size, near10, s.input) }

// found is a number of the clusters of a search.
func found(predict string, number func(*cluster.Quality) float64) series {
	return series{value: func(s seeded) (float64, []*lab.Row, bool) {
		some := with(s, "predict="+predict)
		if len(some) != 1 {
			return 0, nil, false
		}
		return number(some[0].Clusters), some, true
	}}
}

// sizes compares mean sizes of clusters of two searches.
func sizes(text, published, a, b string, number func(*cluster.Quality) float64, r Relation) Claim {
	return Claim{
		Text: text, Published: states(published), Estimator: Difference, Relation: r,
		Metric: Metric{
			Name: "mean size", Unit: " hosts", Range: metric.AtLeast0, series: []series{found(a, number), found(b, number)},
		},
	}
}

func ownSize(q *cluster.Quality) float64 { return q.Own.MeanSize }

func advertisedSize(q *cluster.Quality) float64 { return q.Advertised.MeanSize }

// criteria compares the criteria by which clients choose heads.
func criteria() *Experiment {
	others := []string{"first-come", "global-order"}
	e := &Experiment{
		Name: "jackson/criteria", Chance: true,
		seconds: [3]float64{0.06, 7.2, 7.2},
		numbers: []string{"mean_size"},
		Doc:     "whether the greedy criterion and double aggregation make clusters larger",
		Source:  "Jackson (2015), section 5.1, which gives no numbers; the tree is our interpretation of DTM",
		cells: func(size string) (all []lab.Cell) {
			s := searchOf(size)
			for _, m := range s.most {
				for _, criterion := range append([]string{"greedy"}, others...) {
					all = append(all, lab.MustCell("predict="+s.cell(criterion, m, twice)),
						lab.MustCell("predict="+s.cell(criterion, m, once)))
				}
				all = append(all, lab.MustCell("predict="+s.cell("greedy", m, fourTimes)))
			}
			return append(all, lab.MustCell("predict="+s.near10()))
		},
	}
	for _, size := range []string{"desk", "ci"} {
		s := searchOf(size)
		for _, m := range s.most {
			label := fmt.Sprintf(" (N = %d, M = %d)", s.size, m)
			for _, other := range others {
				a, b := s.cell(other, m, twice), s.cell("greedy", m, twice)
				e.Claims = append(e.Claims,
					// Each client accepts as many heads as it may, in any order, so these are equal.
					sizes("mean size of own clusters: "+other+" less greedy"+label, "not above 0", a, b, ownSize, atMost(0)),
					sizes("mean size of advertised clusters: "+other+" less greedy"+label, "not above 0", a, b, advertisedSize,
						atMost(0)))
			}
			if m == s.size {
				continue // with M = N the bound on memberships is no test: it allows more than there are hosts
			}
			single, double := s.cell("greedy", m, once), s.cell("greedy", m, twice)
			smaller := ordered(Less, Difference)
			acquainted := found(double, func(q *cluster.Quality) float64 {
				return float64(max(q.Own.MaxAcquainted, q.Advertised.MaxAcquainted))
			})
			e.Claims = append(e.Claims,
				sizes("mean size of own clusters: single less double aggregation"+label, "below 0", single, double, ownSize,
					smaller),
				sizes("mean size of advertised clusters: single less double aggregation"+label, "below 0", single, double,
					advertisedSize, smaller),
				Claim{
					Text:      "most acquaintances of a host, before and after symmetry" + label,
					Metric:    Metric{Name: "acquaintances", Range: metric.AtLeast0, series: []series{acquainted}},
					Estimator: Largest, Published: states("M(N-1)"), Relation: atMost(float64(m * (s.size - 1))),
				})
		}
	}
	for i := range e.Claims { // each size has its own
		c := &e.Claims[i]
		c.of = func(rows []*lab.Row) []*lab.Row {
			if len(c.Metric.sample(rows).seeds) == 0 {
				return nil
			}
			return rows
		}
	}
	return e
}
