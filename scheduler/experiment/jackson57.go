package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// found57 is where the claims about clusters that are found are from.
const found57 = "Jackson (2015), section 5.2.4; the tree is our interpretation of DTM, and 200 µs is our diameter"

// only leaves out the jobs that are larger than the clusters.
func (in input) only(size int) input {
	in.sel = strings.TrimPrefix(fmt.Sprintf("%s,filter:size<=%d", in.sel, size), ",")
	return in
}

// dyn is a side with clusters that are found: at measured sites, but where no data are needed at
// made-up ones.
func (in input) dyn(kind string, size int, settings string) side {
	if in.name != inputS.name {
		settings += ",sites=median"
	}
	return side{"qb+dlb", []string{fmt.Sprintf("clustering=%s:%d%s", kind, size, settings)}}
}

func disjoint57(size int) side {
	return side{"qb+dlb", []string{fmt.Sprintf("clustering=disjoint:%d", size)}}
}

// near10 finds clusters on high-performance networks alone.
const near10 = ",diameter=10us"

// table57 compares found clusters with cut ones.
func table57() *Experiment {
	const n = 64
	return &Experiment{
		Name: "jackson/t5.7", Chance: true, Source: found57,
		Doc: "found clusters are as good for jobs as cut ones, if nodes advertise the largest that they are in",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				in = in.only(n)
				all = append(all, in.cell("qb+dlb", disjoint57(n).settings...), in.cell("qb+dlb", "clustering=overlap:64"))
				for _, kind := range []string{"dyn", "dyn-sym"} {
					all = append(all, in.cell("qb+dlb", in.dyn(kind, n, "").settings...))
					if in.name != inputS.name {
						all = append(all, in.cell("qb+dlb", in.dyn(kind, n, near10).settings...))
					}
				}
			}
			return all
		},
		Claims: claims(func(in input) []Claim {
			dyn, sym := in.dyn("dyn", n, ""), in.dyn("dyn-sym", n, "")
			all := []Claim{
				withRatio(atMost(sym, dyn, 0.5, "86.4 and 313, a ratio of 0.28"), sym, dyn),
				withRatio(atMost(sym, disjoint57(n), 1.6, "86.4 and 68.2, a ratio of 1.27"), sym, disjoint57(n)),
				smallerMedian(sym, dyn, "3 and 7"),
			}
			if in.name == inputS.name {
				return all
			}
			all = append(all, middle(disjoint57(n), 2, 2, 25_147),
				middle(side{"qb+dlb", []string{"clustering=overlap:64"}}, 2, 2, 4_936),
				middle(dyn, 7, 2, 19_632), middle(sym, 3, 2, 17_957))
			dyn, sym = in.dyn("dyn", n, near10), in.dyn("dyn-sym", n, near10)
			return append(all, withRatio(atMost(sym, dyn, 0.5, "not published"), sym, dyn),
				withRatio(atMost(sym, disjoint57(n), 1.6, "not published"), sym, disjoint57(n)))
		}),
	}
}

// marks57 are the mean slowdowns of table 5.7.
var marks57 = []mark{
	{"jackson/t5.7", []string{"policy=qb+dlb", "clustering=disjoint:64"}, 68.2},
	{"jackson/t5.7", []string{"policy=qb+dlb", "clustering=overlap:64"}, 55.2},
	{"jackson/t5.7", []string{"policy=qb+dlb", "clustering=dyn:64,sites=median"}, 313},
	{"jackson/t5.7", []string{"policy=qb+dlb", "clustering=dyn-sym:64,sites=median"}, 86.4},
}

// sizes128 are the sizes of clusters beside 64; the paper estimates the first.
var sizes128 = []int{128, 16, 32, 256}

// clusters128 is about clusters of other sizes than 64.
func clusters128() *Experiment {
	const searched = "clusters:128 of " + sharcnetName
	return &Experiment{
		Name: "jackson/128", Chance: true, Source: found57,
		Doc: "clusters of 128 and other sizes, which the paper's simulator could not find",
		cells: func(size string) (all []lab.Cell) {
			sizes := sizes128
			if size == "ci" {
				sizes = sizes128[:1]
			} else {
				all = append(all, lab.MustCell("predict="+searched))
			}
			for _, in := range inputs(size) {
				for _, n := range sizes {
					in := in.only(n)
					for _, s := range []side{disjoint57(n), in.dyn("dyn", n, ""), in.dyn("dyn-sym", n, "")} {
						all = append(all, in.cell("qb+dlb", s.settings...))
					}
				}
			}
			return all
		},
		Claims: append(claims(func(in input) (all []Claim) {
			for _, n := range sizes128 {
				if in.name == inputS.name && n != 128 {
					continue
				}
				published := "not published"
				if n == 128 {
					published = "that it would take four weeks to find clusters of 128"
				}
				sym := in.dyn("dyn-sym", n, "")
				all = append(all, withRatio(atMost(sym, disjoint57(n), 1.6, published), sym, disjoint57(n)))
			}
			return all
		}), Claim{
			Text: "clusters of 128 of 2,091 nodes are found within a minute", Published: "about four weeks",
			of: func(rows []*lab.Row) []*lab.Row { return with(rows, "predict="+searched) },
			judge: func(rows []*lab.Row) (Verdict, string) {
				longest := 0.0
				for _, r := range rows {
					longest = max(longest, r.ElapsedSeconds)
				}
				switch found := fmt.Sprintf("at most %.3g s in %d runs", longest, len(rows)); {
				case len(rows) == 0:
					return Undetermined, "not run"
				case longest <= 60:
					return Reproduced, found
				default:
					return Deviates, found
				}
			},
		}),
	}
}

// withRatio adds the mean of the ratios to the result of a claim about two sides, seed by seed.
func withRatio(c Claim, a, b side) Claim {
	judge := c.judge
	c.judge = func(rows []*lab.Row) (Verdict, string) {
		verdict, found := judge(rows)
		first, second := pairs(rows, a, b)
		if len(first) < 2 {
			return verdict, found
		}
		for i := range first {
			first[i] /= second[i]
		}
		mean, low, high := metric.Interval(first)
		return verdict, found + fmt.Sprintf("; by seed %.3g, %.3g to %.3g", mean, low, high)
	}
	return c
}

// smallerMedian claims that the median slowdown of a is at most that of b, in the mean over seeds.
func smallerMedian(a, b side, published string) Claim {
	return bounded(fmt.Sprintf("the median slowdown of %s less that of %s", a, b), published, 0,
		func(s seeded) (float64, bool) {
			x, y := a.rows(s), b.rows(s)
			if len(x) != 1 || len(y) != 1 {
				return 0, false
			}
			return x[0].Summary.JacksonSlowdown.Median - y[0].Summary.JacksonSlowdown.Median, true
		})
}

// middle claims that the median slowdown of a side is within a factor of two of the published one,
// and shows mode and maximum beside the published ones.
func middle(a side, median, mode, largest float64) Claim {
	return Claim{
		Text:      fmt.Sprintf("the median slowdown of %s is within a factor of 2; mode and maximum are shown", a),
		Published: fmt.Sprintf("median %g, mode %g, maximum %g", median, mode, largest),
		judge: func(rows []*lab.Row) (Verdict, string) {
			var medians, modes, most []float64
			for _, r := range a.rows(rows) {
				s := &r.Summary
				medians = append(medians, s.JacksonSlowdown.Median)
				modes, most = append(modes, float64(s.ModeCeilJackson)), append(most, s.JacksonSlowdown.Max)
			}
			if len(medians) < 2 {
				return Undetermined, notRun
			}
			mean, low, high := metric.Interval(medians)
			mode, _, _ := metric.Interval(modes)
			largest, _, _ := metric.Interval(most)
			found := fmt.Sprintf("median %s; mean of the modes %s, of the maxima %s", spanned(mean, low, high, ""),
				metric.Text(mode, 3), metric.Text(largest, 4))
			switch {
			case low >= median/2 && high <= float64(2*median):
				return Reproduced, found
			case high < median/2 || low > float64(2*median):
				return Deviates, found
			}
			return Undetermined, found
		},
	}
}

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

func ownSize(q *cluster.Quality) float64        { return q.Own.MeanSize }
func advertisedSize(q *cluster.Quality) float64 { return q.Advertised.MeanSize }

// criteria51 compares the criteria by which clients choose heads.
func criteria51() *Experiment {
	others := []string{"first-come", "global-order"}
	e := &Experiment{
		Name: "jackson/criteria", Chance: true,
		Doc:    "whether the greedy criterion and double aggregation make clusters larger",
		Source: "Jackson (2015), section 5.1, which gives no numbers; the tree is our interpretation of DTM",
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
		judge := e.Claims[i].judge
		e.Claims[i].of = func(rows []*lab.Row) []*lab.Row {
			if _, found := judge(rows); found == "not run" {
				return nil
			}
			return rows
		}
	}
	return e
}
