package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// shaken ends the selection of a slice that a source describes so well that no other would do, such
// as the densest or the busiest one. Its jobs come up to ten minutes earlier or later: long enough
// to change their order, and short beside a day.
const shaken = ",shake:10m"

// recordedWaits runs a real log of a grid beside the recorded waits.
func recordedWaits() *Experiment {
	cell := func(policy string, settings ...string) lab.Cell {
		in := input{
			workload: "swf:METACENTRUM-2009-2.swf.gz", sel: "window:densest:30000" + shaken, platform: "metacentrum",
		}
		return in.cell(policy, append(settings, "zero-run=keep", "no-processors=one")...)
	}
	actual := side{"actual", nil}
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
		Claims: []Claim{
			atMostTimes(side{"qb+dlb", nil}, side{"static", nil}, 1, "smaller"),
			atMostTimes(side{"qb+dlb", nil}, actual, 1, "smaller"),
			atMostTimes(side{"static", nil}, actual, 1, "smaller"),
			beside(side{"qb+dlb", []string{"reach=global"}}, actual),
		},
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
		e.Claims = append(e.Claims, in.about(atMostTimes(side{"qb+dlb", nil}, side{"static", nil}, 1, "smaller"))...)
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
	balanced, static, actual := side{"qb+dlb", nil}, side{"static", nil}, side{"actual", nil}
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
			atMostTimes(balanced, actual, 1, "15.8 and 30.2"),
			atMostTimes(static, actual, 1, "16.0 and 30.2"),
		),
	}
	for _, in := range []input{inputF, inputL, inputM} {
		e.Claims = append(e.Claims, in.about(
			atMostTimes(balanced, static, 1.1, "15.8 and 16.0"),
			atMostTimes(static, balanced, 1.1, "16.0 and 15.8"),
			mostAreNear(balanced, 2), mostAreNear(static, 2),
		)...)
	}
	return e
}

// wide is an input of blocked: jobs on all of DAS2, of which those of 128 processors and more fit
// the large cluster alone.
func wide(jobs int) input {
	return input{
		fmt.Sprintf("%s jobs on DAS2", metric.Thousands(int64(jobs))), fmt.Sprintf("lublin:N=%d,nodes=144", jobs),
		"load:to=0.12", "das2:unit=cpu",
	}
}

// withoutSerial leaves out the serial jobs of an input; the others come when they would come.
func (in input) withoutSerial() input {
	in.name, in.sel = in.name+" without serial ones", in.sel+",filter:parallel"
	return in
}

// blocked looks for what serial jobs do to jobs that fit one cluster alone.
func blocked() *Experiment {
	return &Experiment{
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
}

// mostAreNear claims that 95 % of the jobs have slowdowns below a bound.
func mostAreNear(a side, bound float64) Claim {
	p95 := a.number(func(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.P95 })
	return Claim{
		Text:      fmt.Sprintf("95 %% of the jobs of %s have slowdowns below %g", a, bound),
		Metric:    Metric{Name: "95th percentile of the slowdowns", Range: metric.AtLeast1, series: []series{p95}},
		Estimator: Median, Published: states("only the top 2 % differ from 1"), Relation: atMost(bound),
	}
}
