package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// cutSizes are the sizes of advertised clusters in table 4.1.
var cutSizes = []int{64, 128, 256, 512}

// clusterings compares clusterings.
func clusterings() *Experiment {
	overlap := func(n int) side { return side{"qb+dlb", []string{fmt.Sprintf("clustering=overlap:%d", n)}} }
	return &Experiment{
		Name: "jackson/t4.1", Chance: true,
		marks: []mark{
			markOf(both, 77.9),
			markOf(disjoint(64), 68.2), markOf(disjoint(128), 33.3), markOf(disjoint(256), 51.3), markOf(disjoint(512), 39.1),
			markOf(overlap(64), 55.2), markOf(overlap(128), 31.9), markOf(overlap(256), 40.4), markOf(overlap(512), 38.7),
		},
		seconds: [3]float64{0.29, 4.2, 9.6},
		jobs:    Slowest,
		Doc:     "smaller clusters than the real ones, disjoint or overlapping",
		Source: "Jackson (2015), table 4.1: mean slowdown 77.9 (actual), 68.2, 33.3, 51.3, 39.1 (disjoint 64 to 512), " +
			"55.2, 31.9, 40.4, 38.7 (overlap 64 to 512)",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				all = append(all, in.cell("qb+dlb"))
				for _, n := range cutSizes {
					all = append(all, in.cell("qb+dlb", disjoint(n).settings...), in.cell("qb+dlb", overlap(n).settings...))
				}
			}
			return all
		},
		Claims: claims(func(in input) (all []Claim) {
			actual := side{"qb+dlb", []string{"clustering=actual"}}
			for _, n := range cutSizes {
				all = append(all, atMost(disjoint(n), actual, 1, "every disjoint clustering is better than the actual one"))
			}
			all = append(all, atMost(disjoint(128), actual, 1/1.5, "33.3 and 77.9, a ratio of 2.3"))
			for _, n := range cutSizes {
				all = append(all, atMost(overlap(n), disjoint(n), 1.35, "overlap has a positive effect"))
			}
			if in.name == inputS.name {
				return all
			}
			return append(all, middle(actual, 4, 2, 3_150),
				middle(disjoint(64), 2, 2, 25_147), middle(disjoint(128), 2, 2, 5_219),
				middle(disjoint(256), 3, 2, 2_910), middle(disjoint(512), 3, 2, 5_039),
				middle(overlap(64), 2, 2, 4_936), middle(overlap(128), 2, 2, 7_048),
				middle(overlap(256), 3, 2, 5_035), middle(overlap(512), 3, 2, 2_514))
		}),
	}
}

// sectionFound is where the claims about clusters that are found are from.
const sectionFound = "Jackson (2015), section 5.2.4; the tree is our interpretation of DTM, and 200 µs is our diameter"

// dyn is a side with clusters that are found: at measured sites, but where no data are needed at
// made-up ones.
func (in input) dyn(kind string, size int, settings string) side {
	if in.name != inputS.name {
		settings += ",sites=median"
	}
	return side{"qb+dlb", []string{fmt.Sprintf("clustering=%s:%d%s", kind, size, settings)}}
}

func disjoint(size int) side {
	return side{"qb+dlb", []string{fmt.Sprintf("clustering=disjoint:%d", size)}}
}

// near10 finds clusters on high-performance networks alone.
const near10 = ",diameter=10us"

// foundClusters compares found clusters with cut ones.
func foundClusters() *Experiment {
	const n = 64
	return &Experiment{
		Name: "jackson/t5.7", Chance: true,
		marks: []mark{
			markOf(disjoint(n), 68.2), markOf(both.and("clustering=overlap:64"), 55.2),
			markOf(inputT.dyn("dyn", n, ""), 313), markOf(inputT.dyn("dyn-sym", n, ""), 86.4),
		}, Source: sectionFound,
		seconds: [3]float64{0.57, 6.6, 6.6},
		jobs:    Slowest,
		Doc:     "found clusters are as good for jobs as cut ones, if nodes advertise the largest that they are in",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				in = in.only(n)
				all = append(all, in.cell("qb+dlb", disjoint(n).settings...), in.cell("qb+dlb", "clustering=overlap:64"))
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
				withRatio(atMost(sym, disjoint(n), 1.6, "86.4 and 68.2, a ratio of 1.27"), sym, disjoint(n)),
				smallerMedian(sym, dyn, "3 and 7"),
			}
			if in.name == inputS.name {
				return all
			}
			all = append(all, middle(disjoint(n), 2, 2, 25_147),
				middle(side{"qb+dlb", []string{"clustering=overlap:64"}}, 2, 2, 4_936),
				middle(dyn, 7, 2, 19_632), middle(sym, 3, 2, 17_957))
			dyn, sym = in.dyn("dyn", n, near10), in.dyn("dyn-sym", n, near10)
			return append(all, withRatio(atMost(sym, dyn, 0.5, "not published"), sym, dyn),
				withRatio(atMost(sym, disjoint(n), 1.6, "not published"), sym, disjoint(n)))
		}),
	}
}

// sizesBeside are the sizes of clusters beside 64; the paper estimates the first.
var sizesBeside = []int{128, 16, 32, 256}

// otherSizes is about clusters of other sizes than 64.
func otherSizes() *Experiment {
	const searched = "clusters:128 of " + sharcnetName
	return &Experiment{
		Name: "jackson/128", Chance: true, Source: sectionFound,
		seconds: [3]float64{0.97, 19, 25},
		Doc:     "clusters of 128 and other sizes, which the paper's simulator could not find",
		cells: func(size string) (all []lab.Cell) {
			sizes := sizesBeside
			if size == "ci" {
				sizes = sizesBeside[:1]
			} else {
				all = append(all, lab.MustCell("predict="+searched))
			}
			for _, in := range inputs(size) {
				for _, n := range sizes {
					in := in.only(n)
					for _, s := range []side{disjoint(n), in.dyn("dyn", n, ""), in.dyn("dyn-sym", n, "")} {
						all = append(all, in.cell("qb+dlb", s.settings...))
					}
				}
			}
			return all
		},
		Claims: append(claims(func(in input) (all []Claim) {
			for _, n := range sizesBeside {
				if in.name == inputS.name && n != 128 {
					continue
				}
				published := "not published"
				if n == 128 {
					published = "that it would take four weeks to find clusters of 128"
				}
				sym := in.dyn("dyn-sym", n, "")
				all = append(all, withRatio(atMost(sym, disjoint(n), 1.6, published), sym, disjoint(n)))
			}
			return all
		}), Claim{
			Text: "clusters of 128 of 2,091 nodes are found within a minute", Published: "about four weeks",
			of: func(rows []*lab.Row) []*lab.Row { return with(rows, "predict="+searched) },
			relation: unique(func(rows []*lab.Row) (Verdict, string) {
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
			}),
		}),
	}
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
		relation: unique(func(rows []*lab.Row) (Verdict, string) {
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
		}),
	}
}
