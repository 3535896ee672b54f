package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// onlyRows refuses files of jobs.
func (p *Figures) onlyRows(kind string) error {
	if len(p.Files) > 0 {
		return usage.Errorf("--kind %s draws rows, and %s is a file of jobs; use --kind cdf, shapes, queue, "+
			"utilisation or gantt",
			kind,
			p.Files[0])
	}
	return nil
}

// bars draws one figure for each number: a bar for each cell.
func (p *Figures) bars() ([]*plot.Figure, error) {
	if err := p.onlyRows("bars"); err != nil {
		return nil, err
	}
	cells, order := ByCell(p.Rows)
	varied := Varying(p.Rows)
	var figures []*plot.Figure
	for _, name := range p.Metrics {
		bars := plot.BarsSpec{
			Title: axisLabel(name), YLabel: axisLabel(name), LogY: p.Log, FromZero: true,
			Caption: p.caption(intervals(p.Rows), nil),
		}
		for _, key := range order {
			bar, err := barOf(cells[key], name, varied)
			if err != nil {
				return nil, err
			}
			bars.Groups = append(bars.Groups, bar)
		}
		figure, err := plot.Bars(bars)
		if err != nil {
			return nil, usage.Errorf("%v", err)
		}
		figures = append(figures, figure)
	}
	return figures, nil
}

func barOf(rows []*lab.Row, name string, varied []string) (plot.Bar, error) {
	e, err := mean(rows, name)
	if err != nil {
		return plot.Bar{}, err
	}
	if !e.Bounded() {
		e.Low, e.High = math.NaN(), math.NaN()
	}
	return plot.Bar{
		Label: Apart(rows[0], varied), Mean: e.Value, Low: e.Low, High: e.High, N: len(rows), Published: math.NaN(),
	}, nil
}

// mean is the mean of a number over the rows of a cell.
func mean(rows []*lab.Row, name string) (metric.Estimate, error) {
	var values []float64
	for _, r := range rows {
		v, err := r.Value(name)
		if err != nil {
			return metric.Estimate{}, err
		}
		values = append(values, v)
	}
	return metric.RangeOf(name).Mean(values), nil
}

// heat draws one figure for each number: a cell for each pair of values of two settings.
func (p *Figures) heat() ([]*plot.Figure, error) {
	if err := p.onlyRows("heat"); err != nil {
		return nil, err
	}
	varied := Varying(p.Rows)
	if len(varied) != 2 {
		return nil, usage.Errorf("--kind heat needs rows in which two settings vary; in these %s: %s",
			vary(len(varied)),
			strings.Join(append(varied, "sweep with two --over, or use --kind bars"), ", "))
	}
	var figures []*plot.Figure
	for _, name := range p.Metrics {
		spec := plot.HeatSpec{
			Title: axisLabel(name), XLabel: varied[1], YLabel: varied[0],
			Caption: p.caption(capital(axisLabel(name))+", means over seeds. ", nil),
		}
		if err := fill(&spec, p.Rows, varied, name); err != nil {
			return nil, err
		}
		figure, err := plot.Heat(spec)
		if err != nil {
			return nil, usage.Errorf("%v", err)
		}
		figures = append(figures, figure)
	}
	return figures, nil
}

func vary(n int) string {
	switch n {
	case 0:
		return "none does"
	case 1:
		return "one does"
	}
	return fmt.Sprintf("%d do", n)
}

// fill fills in the ticks, in the order of the rows, and the cells.
func fill(spec *plot.HeatSpec, rows []*lab.Row, varied []string, name string) error {
	type pair struct{ y, x string }
	cells := map[pair][]*lab.Row{}
	for _, r := range rows {
		at := pair{r.Settings.Get(varied[0]), r.Settings.Get(varied[1])}
		cells[at] = append(cells[at], r)
		if !slices.Contains(spec.YTicks, at.y) {
			spec.YTicks = append(spec.YTicks, at.y)
		}
		if !slices.Contains(spec.XTicks, at.x) {
			spec.XTicks = append(spec.XTicks, at.x)
		}
	}
	for _, y := range spec.YTicks {
		var line []float64
		for _, x := range spec.XTicks {
			value := math.NaN()
			if some := cells[pair{y, x}]; len(some) > 0 {
				e, err := mean(some, name)
				if err != nil {
					return err
				}
				value = e.Value
			}
			line = append(line, value)
		}
		spec.Cells = append(spec.Cells, line)
	}
	return nil
}

// preliminary begins the caption of a figure in which a cell has too few seeds for a statement
// about chance.
func preliminary(rows []*lab.Row) string {
	cells, _ := ByCell(rows)
	for _, some := range cells {
		if some[0].Settings.Chance() && len(some) < experiment.FewestSeeds {
			return fmt.Sprintf("Preliminary: fewer than %d seeds. ", experiment.FewestSeeds)
		}
	}
	return ""
}

// intervals says in the caption of bars what they are.
func intervals(rows []*lab.Row) string {
	cells, _ := ByCell(rows)
	least, most := len(rows), 0
	for _, some := range cells {
		least, most = min(least, len(some)), max(most, len(some))
	}
	switch {
	case most == 1:
		return "One run each; one run has no interval. "
	case lab.OverOf(rows) == lab.OneRun:
		return "All seeds have the same runs. "
	case least == 1:
		return fmt.Sprintf("Means over seeds with 95 %% intervals, over %s; one run has no interval. ", lab.OverOf(rows))
	}
	return fmt.Sprintf("Means over seeds with 95 %% intervals, over %s. ", lab.OverOf(rows))
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// provenance is the end of a caption: input, settings that all rows share, seeds and commit.
func provenance(rows []*lab.Row) string {
	var inputs, commits []string
	digests := map[string]string{}
	for _, r := range rows {
		if d, known := digests[r.Source]; known && d != r.SourceDigest {
			digests[r.Source] = "drawn by seed"
		} else if !known {
			digests[r.Source] = r.SourceDigest
		}
	}
	lowest, highest := rows[0].Seed, rows[0].Seed
	seeds := map[uint64]bool{}
	for _, r := range rows {
		input := r.Source
		if d := digests[r.Source]; d != "" { // made-up latencies have no digest
			input += " (" + d + ")"
		}
		inputs, commits = append(inputs, input), append(commits, short(r.Commit))
		lowest, highest = min(lowest, r.Seed), max(highest, r.Seed)
		seeds[r.Seed] = true
	}
	text := fmt.Sprintf("Input %s. ", few(inputs))
	if common := Shared(rows); len(common) > 0 {
		text += "Settings: " + strings.Join(common, " ") + ". "
	}
	if lowest == highest {
		text += fmt.Sprintf("Seed %d. ", lowest)
	} else {
		text += fmt.Sprintf("%d seeds, %d to %d. ", len(seeds), lowest, highest)
	}
	return text + "Commit " + few(commits) + "."
}

// few lists different texts, at most three of them.
func few(all []string) string {
	const most = 3
	all = slices.Compact(slices.Sorted(slices.Values(all)))
	if len(all) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
	}
	return strings.Join(all, ", ")
}

// errorLabels are the labels of numbers of predictions and clusters.
var errorLabels = map[string]string{
	"p50": "relative error, median", "p95": "relative error, 95th percentile", "p99": "relative error, 99th percentile",
	"max": "relative error, largest", "positive_error": "far pairs that are predicted to be near (share)",
	"negative_error": "near pairs that are predicted to be far (share)",
	"mean_size":      "mean size of advertised clusters (hosts)",
}

// axisLabel turns the name of a number into a label with its unit.
func axisLabel(name string) string {
	if label := errorLabels[name]; label != "" {
		return label
	}
	if metric.IsFormula(name) {
		return name
	}
	label := strings.NewReplacer("bsld_per_processor", "bounded slowdown per processor", "sjackson",
		"slowdown of Jackson", "bsld", "bounded slowdown").Replace(name)
	for _, u := range []struct{ ending, unit string }{
		{"_node_seconds", "node-seconds"}, {"_seconds", "s"}, {"_jobs_per_hour", "jobs per hour"}, {"_jobs", "jobs"},
	} {
		if short, found := strings.CutSuffix(label, u.ending); found {
			return strings.ReplaceAll(short, "_", " ") + " (" + u.unit + ")"
		}
	}
	return strings.ReplaceAll(label, "_", " ")
}
