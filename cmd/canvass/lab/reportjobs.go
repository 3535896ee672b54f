package lab

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// jobFigures draws the jobs of an experiment, if its source does. Rows hold no jobs, so the cells
// are run again, with the first seed: the source had one run of each, too.
func jobFigures(lab *experiment.Lab, e *experiment.Experiment, rows []*experiment.Row) ([]*plot.Figure, error) {
	var all []*plot.Figure
	for _, group := range inputsOf(firstSeeds(rows)) {
		var figures []*plot.Figure
		var err error
		switch e.Jobs() {
		case experiment.Slowest:
			p := plotting{
				lab: lab, rows: group, metrics: []string{"sjackson"}, yFrom: 0.5, firstSeed: true,
				title: "upper half of the slowdowns, " + group[0].Source,
			}
			if !strings.HasPrefix(group[0].Settings.Platform, "uniform:") { // waits are short on a small one
				p.xTo = experiment.SlowestTo
			}
			figures, err = p.cdf()
		case experiment.Shapes:
			p := plotting{lab: lab, rows: group[:1]}
			figures, err = p.shapes()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

// firstSeeds keeps one row of each cell that has jobs: that with the smallest seed.
func firstSeeds(rows []*experiment.Row) (some []*experiment.Row) {
	cells, order := byCell(slices.DeleteFunc(slices.Clone(rows), func(r *experiment.Row) bool {
		return r.Settings.Workload == ""
	}))
	for _, key := range order {
		some = append(some, slices.MinFunc(cells[key], func(a,
			b *experiment.Row) int {
			return int(a.Seed) - int(b.Seed)
		}))
	}
	return some
}
