package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
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

// cell is the name of a search, as a setting of a cell. Twice as many hosts are aggregated as a
// cluster may have, or as many.
func (s search) cell(criterion string, memberships int, double bool) string {
	aggregate := s.size
	if double {
		aggregate *= 2
	}
	return fmt.Sprintf("clusters:%d,memberships=%d,criterion=%s,aggregate=%d of %s", s.size, memberships, criterion,
		aggregate, s.input)
}

// difference is a number of one search less that of another, of one seed.
func difference(a, b string, number func(*cluster.Quality) float64) func(seeded) (float64, bool) {
	return func(s seeded) (float64, bool) {
		x, y := with(s, "predict="+a), with(s, "predict="+b)
		if len(x) != 1 || len(y) != 1 {
			return 0, false
		}
		return number(x[0].Clusters) - number(y[0].Clusters), true
	}
}

func ownSize(q *cluster.Quality) float64 { return q.Own.MeanSize }

func advertisedSize(q *cluster.Quality) float64 { return q.Advertised.MeanSize }

// criteria compares the criteria by which clients choose heads.
func criteria() *Experiment {
	others := []string{"first-come", "global-order"}
	e := &Experiment{
		Name: "jackson/criteria", Chance: true,
		seconds: [3]float64{0.21, 3.2, 3.2},
		numbers: []string{"mean_size"},
		Doc:     "whether the greedy criterion and double aggregation make clusters larger",
		Source:  "Jackson (2015), section 5.1, which gives no numbers; the tree is our interpretation of DTM",
		cells: func(size string) (all []lab.Cell) {
			s := searchOf(size)
			for _, m := range s.most {
				for _, criterion := range append([]string{"greedy"}, others...) {
					all = append(all, lab.MustCell("predict="+s.cell(criterion, m, true)),
						lab.MustCell("predict="+s.cell(criterion, m, false)))
				}
			}
			return all
		},
	}
	for _, size := range []string{"desk", "ci"} {
		s := searchOf(size)
		for _, m := range s.most {
			label := fmt.Sprintf(" (N = %d, M = %d)", s.size, m)
			for _, other := range others {
				a, b := s.cell(other, m, true), s.cell("greedy", m, true)
				e.Claims = append(e.Claims,
					// Each client accepts as many heads as it may, in any order, so these are equal.
					bounded("mean size of own clusters: "+other+" less greedy"+label, "not above 0", 0, difference(a, b, ownSize)),
					bounded("mean size of advertised clusters: "+other+" less greedy"+label, "not above 0", 0,
						difference(a, b, advertisedSize)))
			}
			if m == s.size {
				continue // with M = N the bound on memberships is no test: it allows more than there are hosts
			}
			e.Claims = append(e.Claims,
				bounded("mean size of own clusters: single less double aggregation"+label, "below 0", 0,
					difference(s.cell("greedy", m, false), s.cell("greedy", m, true), ownSize)),
				bounded("mean size of advertised clusters: single less double aggregation"+label, "below 0", 0,
					difference(s.cell("greedy", m, false), s.cell("greedy", m, true), advertisedSize)),
				bounded("most acquaintances of a host, before and after symmetry"+label, "M(N-1)", float64(m*(s.size-1)),
					func(rows seeded) (float64, bool) {
						some := with(rows, "predict="+s.cell("greedy", m, true))
						if len(some) != 1 {
							return 0, false
						}
						q := some[0].Clusters
						return float64(max(q.Own.MaxAcquainted, q.Advertised.MaxAcquainted)), true
					}))
		}
	}
	for i := range e.Claims {
		judge := e.Claims[i].relation.judge
		e.Claims[i].of = func(rows []*lab.Row) []*lab.Row {
			if _, found := judge(rows); found == "not run" {
				return nil
			}
			return rows
		}
	}
	return e
}
