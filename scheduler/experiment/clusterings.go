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
				all = append(all, atMostTimes(disjoint(n), actual, 1, "every disjoint clustering is better than the actual one"))
			}
			all = append(all, atMostTimes(disjoint(128), actual, 1/1.5, "33.3 and 77.9, a ratio of 2.3"))
			for _, n := range cutSizes {
				all = append(all, atMostTimes(overlap(n), disjoint(n), 1.35, "overlap has a positive effect"))
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

// bad is an input with groups that are too small for most jobs: half of the nodes advertise these.
type bad struct {
	input
	group int
}

// badInputs lists the inputs of a size. In T a quarter of the jobs fit the groups, in G a third.
func badInputs(size string) []bad {
	switch size {
	case "ci":
		return []bad{{inputS, 4}}
	case "desk":
		return []bad{{inputT, 32}}
	}
	return []bad{{inputT, 32}, {inputG, 4}}
}

// side is the usual policy where half of the nodes are in groups: of a kind of bad clustering.
func (b bad) side(kind string) side {
	return both.and(fmt.Sprintf("clustering=%s:%d,share=50%%", kind, b.group))
}

// badClusters is about clusters that are too small, and clusters that interfere.
func badClusters() *Experiment {
	return &Experiment{
		Name: "jackson/4.1.1", Chance: true, Source: "Jackson (2015), section 4.1.1, which gives no numbers",
		seconds: [3]float64{0.05, 0.6, 1.5},
		numbers: []string{"mean_sjackson", "idle_while_waiting_node_seconds", "utilisation"},
		Doc: "half of the nodes advertise groups that are too small for most jobs, beside the other nodes or, so that " +
			"they interfere, inside the whole clusters",
		cells: func(size string) (all []lab.Cell) {
			for _, b := range badInputs(size) {
				for _, s := range []side{both, b.side("split"), b.side("nested")} {
					all = append(all, b.cell(s.policy, s.settings...))
				}
			}
			return all
		},
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
				atMostTimes(sym, dyn, 0.5, "86.4 and 313, a ratio of 0.28"),
				atMostTimes(sym, disjoint(n), 1.6, "86.4 and 68.2, a ratio of 1.27"),
				smallerMedian(sym, dyn, "3 and 7"),
			}
			if in.name == inputS.name {
				return all
			}
			all = append(all, middle(disjoint(n), 2, 2, 25_147),
				middle(side{"qb+dlb", []string{"clustering=overlap:64"}}, 2, 2, 4_936),
				middle(dyn, 7, 2, 19_632), middle(sym, 3, 2, 17_957))
			dyn, sym = in.dyn("dyn", n, near10), in.dyn("dyn-sym", n, near10)
			return append(all, atMostTimes(sym, dyn, 0.5, Unpublished), atMostTimes(sym, disjoint(n), 1.6, Unpublished))
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
				published := Unpublished
				if n == 128 {
					published = "that it would take four weeks to find clusters of 128"
				}
				all = append(all, atMostTimes(in.dyn("dyn-sym", n, ""), disjoint(n), 1.6, published))
			}
			return all
		}), Claim{
			Text:      "clusters of 128 of 2,091 nodes are found within a minute",
			Metric:    Metric{Name: "time", Unit: " s", Range: metric.AtLeast0, series: []series{{value: longest}}},
			Estimator: Largest, Published: states("about four weeks"), Relation: atMost(60),
			of: func(rows []*lab.Row) []*lab.Row { return with(rows, "predict="+searched) },
		}),
	}
}

// longest is the longest time of the runs of a seed.
func longest(s seeded) (seconds float64, rows []*lab.Row, there bool) {
	for _, r := range s {
		seconds = max(seconds, r.ElapsedSeconds)
	}
	return seconds, s, len(s) > 0
}

func medianSlowdown(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.Median }

// smallerMedian claims that the median slowdown of a is below that of b.
func smallerMedian(a, b side, published string) Claim {
	return Claim{
		Text: fmt.Sprintf("the median slowdown of %s is below that of %s", a, b),
		Metric: Metric{
			Name: "median slowdown", Range: metric.AtLeast1,
			series: []series{a.number(medianSlowdown), b.number(medianSlowdown)},
		},
		Estimator: Ratio, Published: states(published), Relation: ordered(Less, Ratio),
	}
}

// middle claims that the median slowdown of a side is within a factor of two of the published one,
// and shows mode and maximum beside the published ones.
func middle(a side, median, mode, largest float64) Claim {
	return Claim{
		Text:      fmt.Sprintf("the median slowdown of %s is within a factor of 2; mode and maximum are shown", a),
		Metric:    Metric{Name: "median slowdown", Range: metric.AtLeast1, series: []series{a.number(medianSlowdown)}},
		Estimator: Median, Relation: within(median/2, 2*median),
		Published: states(fmt.Sprintf("median %g, mode %g, maximum %g", median, mode, largest)),
		detail: func(rows []*lab.Row) string {
			var modes, most []float64
			for _, r := range a.rows(rows) {
				modes = append(modes, float64(r.Summary.ModeCeilJackson))
				most = append(most, r.Summary.JacksonSlowdown.Max)
			}
			return fmt.Sprintf("median of the modes %s, of the maxima %s", metric.Text(metric.AtLeast1.Median(modes).Value, 3),
				metric.Text(metric.AtLeast1.Median(most).Value, 4))
		},
	}
}
