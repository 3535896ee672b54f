package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// The mode of figure 4.5: 70 of 1,000 jobs have 2 or 3 nodes and run for 32 to 63 seconds.
const (
	modeNodes   = "2-3"
	modeSeconds = "32-63"
	modeJobs    = 70
	modeWithin  = 20
)

// mostFrequent quotes the dissertation on its own jobs.
var mostFrequent = says("section 4.3.2", "In this case, the most frequent combination of run time and size is for "+
	"jobs running between 32 and 63 seconds on 2 to 3 nodes. There are 70 such jobs.")

// shapesOfJobs counts jobs by size and run time. No policy changes that, so the quickest one runs.
func shapesOfJobs() *Experiment {
	published := fmt.Sprintf("%s nodes for %s s, %d of 1,000 jobs", modeNodes, modeSeconds, modeJobs)
	e := &Experiment{
		Name: "jackson/4.5", Chance: true,
		seconds: [3]float64{0.01, 0.15, 0.15},
		numbers: []string{},
		jobs:    Shapes,
		Doc:     "the most frequent size and run time of the jobs, in bins that double",
		Source:  "Jackson (2015), figure 4.5: " + published,
		cells: func(size string) (all []lab.Cell) {
			if size == "ci" {
				return []lab.Cell{inputG.cell("first-fit")}
			}
			for _, in := range []input{inputT, inputH, inputG} {
				all = append(all, in.cell("first-fit"))
			}
			return all
		},
	}
	ofMode := series{value: func(s seeded) (float64, []*lab.Row, bool) {
		if m := s[0].Summary.ModeShape; m.Nodes == modeNodes && m.Seconds == modeSeconds {
			return float64(m.Jobs), s, true
		}
		return 0, s, true
	}}
	e.Claims = append(e.Claims, Claim{
		Text: "the mode is that of the figure (input G)",
		Metric: Metric{
			Name: "jobs of that size and run time, if they are the mode", Unit: " jobs", Range: metric.AtLeast0,
			series: []series{ofMode},
			moot:   func([]*lab.Row) string { return "the generator of G draws these jobs so" },
		},
		Estimator: Mean, Published: mostFrequent, Relation: printed(modeJobs, 0),
		Band: within(modeJobs-modeWithin, modeJobs+modeWithin), of: inputG.of, detail: modesOf,
	})
	for _, in := range []input{inputT, inputH} {
		e.Claims = append(e.Claims, Claim{Text: "the mode (input " + in.name + ")", of: in.of, detail: modesOf})
	}
	return e
}

// modesOf lists the modes of rows with the seeds that have them, the most frequent first.
func modesOf(rows []*lab.Row) string {
	type mode struct {
		nodes, seconds string
	}
	counts, seeds := map[mode][]float64{}, []mode(nil)
	for _, r := range rows {
		m := mode{r.Summary.ModeShape.Nodes, r.Summary.ModeShape.Seconds}
		if counts[m] == nil {
			seeds = append(seeds, m)
		}
		counts[m] = append(counts[m], float64(r.Summary.ModeShape.Jobs))
	}
	var all []string
	for _, m := range seeds {
		mean, _, _ := metric.Interval(counts[m])
		all = append(all, fmt.Sprintf("%s nodes for %s s, %.3g jobs, with %d of %s", m.nodes, m.seconds, mean,
			len(counts[m]), metric.Count(len(rows), "seed")))
	}
	return strings.Join(all, "; ")
}
