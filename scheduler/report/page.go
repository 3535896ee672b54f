package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// Page is a page of named experiments: their verdicts, figures beside published values, and the
// settings of their runs.
type Page struct {
	Lab     *lab.Lab // runs cells again for figures of jobs
	Chosen  []*experiment.Experiment
	Rows    []*lab.Row
	Command string // that made the rows; "" if that is not known
	Partial string // why runs are missing; "" if all are there
}

// HTML returns the text of the page.
func (r *Page) HTML() ([]byte, error) {
	var sections []plot.Section
	var all []experiment.Judgement
	for _, e := range r.Chosen {
		own := slices.DeleteFunc(slices.Clone(r.Rows), func(row *lab.Row) bool {
			return row.Experiment != e.Name
		})
		judged := e.Judge(own)
		all = append(all, judged...)
		s, err := section(r.Lab, e, own, judged)
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
	}
	title, intro := "Scheduling experiments", ""
	if r.Partial != "" {
		title += " (partial)"
		intro = "This page is partial: " + r.Partial + ". Figures and verdicts are of these runs only.\n\n"
	}
	intro += "Each claim is judged from the rows of its experiment, as its source makes it; bands of our own stand " +
		"beside. A claim about chance needs ten seeds. Over names the draws that an interval is over. Hollow marks are " +
		"published values. Bars, or squares on a logarithmic axis, are values found here.\n\n" + experiment.ByChance(all)
	ofJackson := func(e *experiment.Experiment) bool { return strings.HasPrefix(e.Name, "jackson/") }
	if slices.ContainsFunc(r.Chosen, ofJackson) {
		intro += "\n\n" + standIns
	}
	if r.Command != "" {
		intro += "\n\nMade by: " + r.Command
	}
	page, err := plot.Report(title, intro, sections)
	if err != nil {
		return nil, usage.Errorf("%v", err)
	}
	return page, nil
}

// section is the part of a page about one experiment.
func section(
	in *lab.Lab, e *experiment.Experiment, rows []*lab.Row, judged []experiment.Judgement,
) (plot.Section, error) {
	s := plot.Section{
		Title: e.Name,
		Intro: fmt.Sprintf("%s%s.\n\nSource: %s.", strings.ToUpper(e.Doc[:1]), e.Doc[1:], e.Source),
	}
	verdicts := plot.Table{Head: []string{"verdict", "claim", "published", "found", "over", "our band"}}
	for _, j := range judged {
		if j.Missing {
			continue
		}
		verdict := strings.TrimSpace(j.Verdict.Sign() + " " + string(j.Verdict))
		verdicts.Rows = append(verdicts.Rows, []string{verdict, j.Claim, j.Published, j.Found, j.OverSeeds(), j.OurBand()})
	}
	s.Tables = append(s.Tables, verdicts)
	if len(rows) == 0 {
		s.Intro += "\n\nNothing of it was run."
		return s, nil
	}
	s.Tables = append(s.Tables, readings(rows))
	for _, h := range e.Heats(rows) {
		h.Caption = "Means over seeds. " + provenance(h.Rows)
		figure, err := plot.Heat(h.HeatSpec)
		if err != nil {
			return s, usage.Errorf("%v", err)
		}
		s.Figures = append(s.Figures, figure)
	}
	ofJobs, err := jobFigures(in, e, rows)
	if errors.Is(err, lab.ErrNoData) {
		s.Intro += fmt.Sprintf("\n\nA figure is left out: %v.", err)
	} else if err != nil {
		return s, err
	}
	s.Figures = append(s.Figures, ofJobs...)
	for _, number := range e.Numbers() {
		groups := inputsOf(carrying(rows, number))
		for _, group := range groups {
			title := axisLabel(number)
			if len(groups) > 1 {
				title += ", " + group[0].Source
			}
			figure, err := beside(group, number, title)
			if err != nil {
				return s, err
			}
			s.Figures = append(s.Figures, figure)
		}
	}
	return s, nil
}

// readings lists the settings of runs that are not at their defaults.
func readings(rows []*lab.Row) plot.Table {
	t := plot.Table{Title: "Settings", Folded: true, Head: []string{"setting", "here", "default", "meaning"}}
	for _, s := range lab.Settings() {
		var values []string
		for _, r := range rows {
			if v := r.Settings.Get(s.Name); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) != 1 || values[0] != s.Default {
			t.Rows = append(t.Rows, []string{s.Name, strings.Join(values, "; "), s.Default, s.Doc})
		}
	}
	return t
}

// inputOf describes the input of a row: its jobs, or the latencies that it predicts.
func inputOf(r *lab.Row) string {
	_, latencies, _ := strings.Cut(r.Settings.Get("predict"), " of ")
	name, _, _ := strings.Cut(latencies, ":")
	return r.Settings.Get("workload") + name
}

// carrying leaves out the rows that have no such number, such as those without jobs.
func carrying(rows []*lab.Row, number string) []*lab.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool {
		_, err := r.Value(number)
		return err != nil
	})
}

// inputsOf divides rows by their inputs. If each input has one cell only, all are together.
func inputsOf(rows []*lab.Row) [][]*lab.Row {
	at := map[string]int{}
	var groups [][]*lab.Row
	most := 0
	for _, r := range rows {
		i, known := at[inputOf(r)]
		if !known {
			i = len(groups)
			at[inputOf(r)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
		cells, _ := ByCell(groups[i])
		most = max(most, len(cells))
	}
	if most == 1 {
		return [][]*lab.Row{rows}
	}
	return groups
}

// beside draws the means of cells beside published values.
func beside(rows []*lab.Row, number, title string) (*plot.Figure, error) {
	spec := plot.BarsSpec{
		Title: title, YLabel: axisLabel(number), Caption: preliminary(rows) + provenance(rows), FromZero: true,
	}
	cells, order := ByCell(rows)
	varied := Varying(rows)
	low, high := math.Inf(1), 0.0
	for _, key := range order {
		bar, err := barOf(cells[key], number, varied)
		if err != nil {
			return nil, err
		}
		if v, published := experiment.Published(cells[key][0], number); published {
			bar.Published = v
		}
		low, high = min(low, bar.Mean), max(high, bar.Mean)
		if !math.IsNaN(bar.Published) {
			low, high = min(low, bar.Published), max(high, bar.Published)
		}
		spec.Groups = append(spec.Groups, bar)
	}
	const orders = 30 // beyond it, small bars cannot be read on a linear axis
	spec.LogY = low > 0 && high/low > orders
	figure, err := plot.Bars(spec)
	if err != nil {
		return nil, usage.Errorf("%v", err)
	}
	return figure, nil
}

// jobFigures draws the jobs of an experiment, if its source does. Rows hold no jobs, so the cells
// are run again, with the first seed: the source had one run of each, too.
func jobFigures(in *lab.Lab, e *experiment.Experiment, rows []*lab.Row) ([]*plot.Figure, error) {
	var all []*plot.Figure
	for _, group := range inputsOf(firstSeeds(rows)) {
		var figures []*plot.Figure
		var err error
		switch e.Jobs() {
		case experiment.Slowest:
			p := Figures{
				Lab: in, Rows: group, Metrics: []string{"sjackson"}, YFrom: 0.5, firstSeed: true,
				title: "upper half of the slowdowns, " + group[0].Source,
			}
			if !strings.HasPrefix(group[0].Settings.Get("platform"), "uniform:") { // waits are short on a small one
				p.XTo = experiment.SlowestTo
			}
			figures, err = p.cdf()
		case experiment.Shapes:
			p := Figures{Lab: in, Rows: group[:1]}
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
func firstSeeds(rows []*lab.Row) (some []*lab.Row) {
	cells, order := ByCell(slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool {
		return r.Settings.Get("workload") == ""
	}))
	for _, key := range order {
		some = append(some, slices.MinFunc(cells[key], func(a,
			b *lab.Row) int {
			return int(a.Seed) - int(b.Seed)
		}))
	}
	return some
}
