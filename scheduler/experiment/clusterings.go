package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// cutSizes are the sizes of advertised clusters in table 4.1.
var cutSizes = []int{64, 128, 256, 512}

// Quotes from the dissertation about clusterings. Section 4.3.4 also says that ACTUAL is better
// than the overlapping ones, which its own table contradicts. The claims follow the table.
var (
	actualIsWorst = says("section 4.3.4", "Surprisingly, the ACTUAL clustering performs the worst.")
	best128       = says("section 4.3.4", "Interestingly, DISJOINT-128 performs best.")
	roughly       = says("section 4.3.4", "all of the results are roughly comparable, with ACTUAL as the best, "+
		"OVERLAP-64 as the worst")
	positive = says("section 4.3.5, and table 4.1 in each row",
		"Surprisingly, overlap also has a positive effect on performance.").
		granting("I speculate that overlap helps performance by creating diversity in the number of different " +
			"arrangements that form clusters.")
	discounted = says("section 4.3.4", "At most, only 7 jobs out of 1000 are discounted for that reason.")
	table41    = "table 4.1: mean, median, mode, maximum"
	flaws      = says("section 4.1.1", "These problems cause underutilization, sometimes in serious ways, but they do "+
		"not cause the scheduling algorithm to fail.")
	tooSmall = says("section 4.1.1", "In this case, many nodes may be physically capable of large running jobs, but only "+
		"a few clusters are made available to run those jobs. Thus, nodes that are placed in small clusters are idle when "+
		"they do not need to be.")
	interference = says("section 4.1.1", "However, those small jobs will delay the scheduling of larger jobs in cluster "+
		"X, because now resources from cluster X are being used to run small jobs that could run elsewhere instead. Some "+
		"level of interference may be unavoidable.")
)

// clusterings compares clusterings.
func clusterings() *Experiment {
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
			actual := both.and("clustering=actual")
			for _, n := range cutSizes {
				worse := meanSlowdown.less(disjoint(n), actual, actualIsWorst)
				if n == 128 {
					worse.Band = times(0, 1/1.5)
				}
				all = append(all, worse, meanSlowdown.less(overlap(n), actual, actualIsWorst),
					meanSlowdown.less(overlap(n), disjoint(n), positive).banded(times(0, 1.35)))
				if n != 128 {
					all = append(all, meanSlowdown.less(disjoint(128), disjoint(n), best128))
				}
				if n != 64 {
					all = append(all, meanSlowdown.less(overlap(n), overlap(64), roughly))
				}
			}
			if in.name == inputS.name {
				return all
			}
			return append(all, tooLarge(disjoint(64)), middle(actual, 4, "ACTUAL 77.9 4 2 3150", table41),
				middle(disjoint(64), 2, "DISJOINT-64 68.2 2 2 25147", table41),
				middle(disjoint(128), 2, "DISJOINT-128 33.3 2 2 5219", table41),
				middle(disjoint(256), 3, "DISJOINT-256 51.3 3 2 2910", table41),
				middle(disjoint(512), 3, "DISJOINT-512 39.1 3 2 5039", table41),
				middle(overlap(64), 2, "OVERLAP-64 55.2 2 2 4936", table41),
				middle(overlap(128), 2, "OVERLAP-128 31.9 2 2 7048", table41),
				middle(overlap(256), 3, "OVERLAP-256 40.4 3 2 5035", table41),
				middle(overlap(512), 3, "OVERLAP-512 38.7 3 2 2514", table41))
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
	e := &Experiment{
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
	for _, b := range append(badInputs("paper"), badInputs("ci")...) {
		split, nested := b.side("split"), b.side("nested")
		e.Claims = append(e.Claims, b.about(
			idle.less(both, split, tooSmall), utilisation.less(split, both, flaws),
			idle.less(both, nested, flaws), utilisation.less(nested, both, flaws),
			largeSlowdown(2*b.group).less(both, nested, interference),
			allEnd(split), allEnd(nested),
		)...)
	}
	return e
}

// allEnd claims that jobs end, or are larger than each cluster, on clusters of some kind.
func allEnd(a side) Claim {
	left := a.number(func(r *lab.Row) float64 { return float64(unfinished(r)) })
	return Claim{
		Text:      fmt.Sprintf("with %s, each job ends that fits a cluster", a),
		Metric:    Metric{Name: "jobs that did not end", Unit: " jobs left", Range: metric.AtLeast0, series: []series{left}},
		Estimator: Largest, Published: flaws, Relation: atMost(0),
	}
}

// excluded counts the jobs of a row that were never started.
func excluded(r *lab.Row) (jobs int) {
	for _, n := range r.Summary.Excluded {
		jobs += n
	}
	return jobs
}

// unfinished counts the jobs of a row that neither ended nor were excluded.
func unfinished(r *lab.Row) int { return r.Summary.Submitted - r.Summary.Done - excluded(r) }

// tooLarge claims how many of 1,000 jobs are larger than the clusters of a side.
func tooLarge(a side) Claim {
	large := a.number(func(r *lab.Row) float64 { return float64(excluded(r)) })
	return Claim{
		Text:      fmt.Sprintf("at most 7 of the jobs are larger than the clusters of %s", a),
		Metric:    Metric{Name: "jobs that fit no cluster", Unit: " jobs", Range: metric.AtLeast0, series: []series{large}},
		Estimator: Largest, Published: discounted, Relation: atMost(7),
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

func disjoint(size int) side { return both.and(fmt.Sprintf("clustering=disjoint:%d", size)) }

func overlap(size int) side { return both.and(fmt.Sprintf("clustering=overlap:%d", size)) }

// near10 finds clusters on high-performance networks alone.
const near10 = ",diameter=10us"

// Quotes from section 5.2.4.
var (
	poorly = says("section 5.2.4", "DYN-64, in contrast, performs very poorly. This highlights the necessity of the "+
		"symmetry step to finding useful clusterings for the scheduling algorithm.")
	comparable57 = says("section 5.2.4", "DISJOINT-64, OVERLAP-64, and DYN-SYM-64 all have comparable performance, with "+
		"the static clusterings having a slight but not unexpected edge on DYN-SYM-64.")
	table57       = "table 5.7: mean, median, mode, 95th and 99th percentile, maximum"
	means57       = says(table57, "DISJOINT-64 68.2 2 2 180 992 25147 … OVERLAP-64 55.2 2 2 285 1114 4936")
	percentiles57 = says(table57, "DYN-64 313 7 2 2392 6820 19632 … DYN-SYM-64 86.4 3 2 207 1739 17957")
	closeInFigure = says("caption of figure 5.6",
		"The slowdown for most jobs is very close to 1, so the y-axis only spans 0.5 to 1.")
	fourWeeks = says("section 5.2.4", "Running the DTM simulator takes about 1 week for 64-node clusters, and would take "+
		"about 4 weeks for 128 node clusters.")
)

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
				meanSlowdown.less(sym, dyn, poorly).banded(times(0, 0.5)),
				meanSlowdown.times(sym, disjoint(n), times(0, 86.4/68.2), comparable57).banded(times(0, 1.6)),
				meanSlowdown.times(sym, overlap(n), times(0, 86.4/55.2), comparable57).banded(times(0, 1.6)),
				meanSlowdown.less(disjoint(n), sym, comparable57), meanSlowdown.less(overlap(n), sym, comparable57),
				meanSlowdown.less(overlap(n), disjoint(n), means57),
				medianSlowdown.less(sym, dyn, percentiles57), p95Slowdown.less(sym, dyn, percentiles57),
				p99Slowdown.less(sym, dyn, percentiles57), nearOne.in(sym, atLeast(0.5), closeInFigure),
			}
			if in.name == inputS.name {
				return all
			}
			all = append(all, middle(disjoint(n), 2, "DISJOINT-64 68.2 2 2 180 992 25147", table57),
				middle(overlap(n), 2, "OVERLAP-64 55.2 2 2 285 1114 4936", table57),
				middle(dyn, 7, "DYN-64 313 7 2 2392 6820 19632", table57),
				middle(sym, 3, "DYN-SYM-64 86.4 3 2 207 1739 17957", table57))
			dyn, sym = in.dyn("dyn", n, near10), in.dyn("dyn-sym", n, near10)
			return append(all, ours(meanSlowdown.times(sym, dyn, times(0, 0.5), Quote{})),
				ours(meanSlowdown.times(sym, disjoint(n), times(0, 1.6), Quote{})))
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
				all = append(all, ours(meanSlowdown.times(in.dyn("dyn-sym", n, ""), disjoint(n), times(0, 1.6), Quote{})))
			}
			return all
		}), Claim{
			Text:      "clusters of 128 of 2,091 nodes are found within a minute",
			Metric:    Metric{Name: "time", Unit: " s", Range: metric.AtLeast0, series: []series{{value: longest}}},
			Estimator: Largest, Published: fourWeeks, Band: atMost(60),
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

// Percentiles of the slowdowns.
var (
	p95Slowdown = measure{"95th percentile of the slowdowns", "", metric.AtLeast1,
		func(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.P95 }}
	p99Slowdown = measure{"99th percentile of the slowdowns", "", metric.AtLeast1,
		func(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.P99 }}
)

// middle claims that the median slowdown of a side is the published one, rounded up or to the
// nearest integer: the tables have the mode 2 while most slowdowns are said to be close to 1. It
// shows mode and maximum beside those of the row that is quoted.
func middle(a side, median float64, row, table string) Claim {
	c := medianSlowdown.in(a, within(median-1, median+0.5), says(table, row)).banded(factor(median, 2))
	c.detail = func(rows []*lab.Row) string {
		var modes, most []float64
		for _, r := range a.rows(rows) {
			modes = append(modes, float64(r.Summary.ModeCeilJackson))
			most = append(most, r.Summary.JacksonSlowdown.Max)
		}
		return fmt.Sprintf("median of the modes %s, of the maxima %s", metric.Text(metric.AtLeast1.Median(modes).Value, 3),
			metric.Text(metric.AtLeast1.Median(most).Value, 4))
	}
	return c
}
