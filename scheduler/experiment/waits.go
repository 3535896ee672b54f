package experiment

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// shaken ends a selection that a source describes uniquely, such as the densest or the busiest
// slice of a log, so that no seed can draw another. Its jobs arrive up to ten minutes earlier or
// later: enough to change their order, and little compared with a day.
const shaken = ",shake:10m"

// static is the policy without balancing.
var static = side{"static", nil}

// Quotes from section 4.3.1 about SHARCNET.
var (
	superior = says("section 4.3.1", "In this case, load balanced results are superior to the static results and both "+
		"are superior to the actual results.")
	extends43 = says("caption of figure 4.3",
		"Decentralized QB+DLB extends almost to 8,000, and Decentralized Static extends past 35,000.")
	separately = says("section 4.3.1", "This experiment shows that a decentralized grid can outperform scheduling "+
		"individual clusters separately because jobs can be move from a loaded cluster to one that is free.")
	closeToOne = says("section 4.3", "since the slowdown for most jobs is very close to 1")
	axis       = says("section 4.3",
		"Also, the x-axis spans 0 to 5000, though tails will extend past 5000. Where this happens, it is noted.")
)

// figure43 are the claims of figure 4.3. Those about the recorded waits need a recorded schedule.
func figure43(recorded bool) []Claim {
	actual := side{"actual", nil}
	all := []Claim{
		meanSlowdown.less(both, static, superior),
		largestSlowdown.less(both, static, extends43).banded(times(0, 0.5)),
		largestSlowdown.in(both, atMost(8_000), extends43),
		largestSlowdown.in(static, atLeast(35_000), extends43),
		nearOne.in(both, atLeast(0.5), closeToOne),
	}
	if recorded {
		all = append(all, meanSlowdown.less(both, actual, superior), meanSlowdown.less(static, actual, superior))
	}
	return all
}

// recordedWaits runs a real log of a grid beside the recorded waits.
func recordedWaits() *Experiment {
	cell := func(policy string, settings ...string) lab.Cell {
		in := input{
			workload: "swf:METACENTRUM-2009-2.swf.gz", sel: "window:densest:30000" + shaken, platform: "metacentrum",
		}
		return in.cell(policy, append(settings, "zero-run=keep", "no-processors=one")...)
	}
	return &Experiment{
		Name: "jackson/4.3", Chance: true,
		seconds: [3]float64{0.045, 5, 5},
		jobs:    Slowest,
		Doc:     "30,000 jobs of a national grid, serial ones included, beside the waits that its users had",
		Source: "Jackson (2015), figure 4.3, on SHARCNET: qb+dlb below static below what really happened; maxima 8,000 " +
			"and 35,000",
		cells: func(size string) []lab.Cell {
			if size == "ci" {
				return []lab.Cell{inputS.cell("static"), inputS.cell("qb+dlb")}
			}
			return []lab.Cell{
				cell("actual", "pool=yes"), cell("static"), cell("qb+dlb"), cell("qb+dlb", "reach=global"),
				cell("home-fcfs"), cell("home-easy"),
			}
		},
		Claims: append(figure43(true),
			meanSlowdown.less(both, side{"home-fcfs", nil}, separately),
			meanSlowdown.less(both, side{"home-easy", nil}, separately),
			beside(both.and("reach=global"), side{"actual", nil}),
		),
	}
}

// drawnWaits is figure 4.3 with drawn jobs, as SHARCNET's own are not public.
func drawnWaits() *Experiment {
	jobs := input{
		"jobs like SHARCNET's", "sharcnet-like:N=30000,serial=0.86,span=43200,scale=0.16", "load:to=0.9", "sharcnet",
	}
	few := input{
		"few such jobs", "sharcnet-like:N=1000,serial=0.86,scale=0.16", "filter:size<=64,load:to=0.9", "uniform:2x256",
	}
	e := &Experiment{
		Name: "jackson/4.3s", Chance: true,
		seconds: [3]float64{0.045, 5.5, 5.5},
		jobs:    Slowest,
		Doc: "30,000 jobs like those of SHARCNET, 86 % of them serial, which come within about twelve hours, at a load " +
			"of 0.9",
		Source: "Jackson (2015), figure 4.3, on SHARCNET's own jobs: qb+dlb below static",
		cells: func(size string) (all []lab.Cell) {
			in := jobs
			if size == "ci" {
				in = few
			}
			return []lab.Cell{in.cell("static"), in.cell("qb+dlb")}
		},
	}
	for _, in := range []input{jobs, few} {
		e.Claims = append(e.Claims, in.about(figure43(false)...)...)
	}
	return e
}

// The inputs of figure 4.4: the log of one cluster of DAS2, whose jobs cannot move, and drawn jobs
// on all five. A node is a processor unless the name says otherwise: it is not known which Jackson
// took.
var (
	inputF = input{"fs1", "swf:DAS2-fs1-2003-1.swf.gz", "window:busiest:30d" + shaken, "pool:64"}
	inputL = input{"five clusters", "lublin:N=10000,nodes=64", "load:to=0.12", "das2:unit=cpu"}
	inputM = input{"five clusters, few jobs", "lublin:N=1000,nodes=64", "load:to=0.12", "das2:unit=cpu"}
)

// littleToDo compares policies on a grid with little to do.
func littleToDo() *Experiment {
	log := func(policy string, settings ...string) lab.Cell {
		return inputF.cell(policy, append(settings, "zero-run=keep")...)
	}
	actual := side{"actual", nil}
	e := &Experiment{
		Name: "jackson/4.4", Chance: true,
		seconds: [3]float64{0.05, 0.79, 0.8},
		jobs:    Slowest,
		Doc:     "a month of DAS2 with a load of a tenth: balancing makes almost no difference",
		Source: "Jackson (2015), figure 4.4: means 15.8 (qb+dlb), 16.0 (static), 30.2 (what really happened); only the top " +
			"2 % of the jobs differ",
		cells: func(size string) []lab.Cell {
			few := []lab.Cell{inputM.cell("static"), inputM.cell("qb+dlb")}
			if size == "ci" {
				return few
			}
			return []lab.Cell{
				log("actual", "pool=yes"), log("static"), log("qb+dlb"), inputL.cell("static"), inputL.cell("qb+dlb"),
			}
		},
		Claims: inputF.about(
			meanSlowdown.less(both, actual, recorded44), meanSlowdown.less(static, actual, recorded44),
			largestSlowdown.less(static, actual, maxima44),
			largestSlowdown.in(actual, printed(65_707, 0), maxima44).banded(factor(65_707, 2)),
		),
	}
	const ratio = 16.0 / 15.8
	for _, in := range []input{inputF, inputL, inputM} {
		e.Claims = append(e.Claims, in.about(
			meanSlowdown.times(static, both, times(1/ratio, ratio), identical).banded(times(1/1.1, 1.1)),
			largestSlowdown.less(both, static, maxima44),
			largestSlowdown.in(both, printed(4_275, 0), maxima44).banded(factor(4_275, 2)),
			largestSlowdown.in(static, printed(8_647, 0), maxima44).banded(factor(8_647, 2)),
			nearOne.in(both, atLeast(0.98), immediately).banded(atLeast(0.95)),
			nearOne.in(static, atLeast(0.98), immediately).banded(atLeast(0.95)),
		)...)
	}
	return e
}

// Quotes from section 4.3.1 about DAS2.
var (
	identical = says("section 4.3.1", "The decentralized results are nearly identical, with 15.8 mean slowdown for "+
		"DLB+QB and 16.0 mean slowdown for static scheduling.")
	recorded44 = says("section 4.3.1", "with 15.8 mean slowdown for DLB+QB and 16.0 mean slowdown for static "+
		"scheduling. In contrast, the real world results … had a mean slowdown of 30.2.")
	maxima44 = says("section 4.3.1", "However, the maximum slowdown is 4,275, 8,647, and 65,707 for DLB+QB, static, and "+
		"the real world trace.")
	immediately = says("caption of figure 4.4",
		"In this case, the y-axis only covers the top 2% since most jobs start immediately.")
	blocking = says("section 4.3.1",
		"Long running serial jobs block access to the single large cluster in the DAS grid.")
	noDifference = says("section 4.3.1", "Long running serial jobs block access to the single large cluster in the DAS "+
		"grid. As a result, DLB and QB do not make much of a difference versus static scheduling.")
)

// wide is an input of blocked: jobs on all of DAS2. Jobs of 128 processors and more fit the large
// cluster only.
func wide(jobs int) input {
	return input{
		fmt.Sprintf("%s jobs on DAS2", metric.Thousands(int64(jobs))), fmt.Sprintf("lublin:N=%d,nodes=144", jobs),
		"load:to=0.12", "das2:unit=cpu",
	}
}

// withoutSerial leaves out the serial jobs of an input. The others arrive at the same times.
func (in input) withoutSerial() input {
	in.name, in.sel = in.name+" without serial ones", in.sel+",filter:parallel"
	return in
}

// blocked measures the effect of serial jobs on jobs that fit one cluster only.
func blocked() *Experiment {
	e := &Experiment{
		Name: "jackson/4.4s", Chance: true,
		seconds: [3]float64{0.12, 1, 1},
		Doc: "whether long serial jobs block the large cluster of DAS2, so that balancing makes little difference: the " +
			"same jobs with the serial ones and without",
		Source: "Jackson (2015), section 4.3.1, which gives no numbers",
		cells: func(size string) (all []lab.Cell) {
			in := wide(10_000)
			if size == "ci" {
				in = wide(1_000)
			}
			for _, in := range []input{in, in.withoutSerial()} {
				all = append(all, in.cell("static"), in.cell("qb+dlb"))
			}
			return all
		},
	}
	for _, jobs := range []int{10_000, 1_000} {
		e.Claims = append(e.Claims, wide(jobs).blocks()...)
	}
	return e
}

// blocks are the claims about an input with and without serial jobs.
func (in input) blocks() (all []Claim) {
	without := in.withoutSerial()
	large := largeSlowdown(128)
	for _, policy := range []side{static, both} {
		all = append(all, Claim{
			Text: fmt.Sprintf("with %s, jobs that fit the large cluster alone have smaller slowdowns without the serial jobs",
				policy),
			Metric: Metric{Name: large.name, Range: large.possible, series: []series{
				policy.selected(without.sel, large.value), policy.selected(in.sel, large.value),
			}},
			Estimator: Ratio, Published: blocking, Relation: ordered(Less, Ratio),
		})
	}
	gain := func(in input) series {
		a, b := static.selected(in.sel, slowdown), both.selected(in.sel, slowdown)
		return series{in.name, func(s seeded) (float64, []*lab.Row, bool) {
			x, first, there := a.value(s)
			y, second, also := b.value(s)
			return x / y, slices.Concat(first, second), there && also
		}}
	}
	const ratio = 16.0 / 15.8
	gains := Metric{Name: "mean slowdown of static in times that of qb+dlb", Range: metric.AtLeast0}
	ofAll, compared := gains, gains
	ofAll.series, compared.series = []series{gain(in)}, []series{gain(in), gain(without)}
	return in.about(append(all, Claim{
		Text: "static has hardly a larger mean slowdown than qb+dlb", Metric: ofAll, Estimator: Geometric,
		Published: noDifference, Relation: within(1/ratio, ratio), Band: within(1/1.1, 1.1),
	}, Claim{
		Text:   "balancing gains less with the serial jobs than without: static in times of qb+dlb",
		Metric: compared, Estimator: Ratio, Published: noDifference, Relation: ordered(Less, Ratio),
	})...)
}
