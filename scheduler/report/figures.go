package report

import (
	"context"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// Figures are drawn from rows or from files of jobs.
type Figures struct {
	Lab     *lab.Lab   // runs cells again for figures of jobs
	Rows    []*lab.Row // in the order of the arguments
	Files   []string   // of jobs
	Metrics []string
	Log     bool    // the axis of the values is logarithmic
	XTo     float64 // where the x axis of a distribution ends; 0 shows all
	YFrom   float64 // where its y axis begins

	firstSeed bool   // the rows are the first seed of each cell, on purpose
	title     string // of distributions; by default the name of the measure
}

// Kind is a kind of figure.
type Kind struct {
	Name, Doc string
	Metrics   []string // by default
	ofRows    bool     // metrics are numbers of rows, or formulas; otherwise measures of jobs
	draw      func(*Figures) ([]*plot.Figure, error)
}

// Kinds lists the kinds of figures: the first is the default.
func Kinds() []Kind {
	return []Kind{
		{"bars", "a mean for each cell, with its 95 % interval over seeds",
			[]string{"mean_wait_seconds", "mean_bsld", "utilisation"}, true, (*Figures).bars},
		{"heat", "a mean for each pair of values of the two settings that vary", []string{"mean_bsld"},
			true, (*Figures).heat},
		{"cdf", "the distribution of a measure over jobs, a line for each cell or file of jobs",
			[]string{"bsld"}, false, (*Figures).cdf},
		{"shapes", "how many jobs there are of each size and run time, in bins that double", nil, false, (*Figures).shapes},
		{"queue", "waiting jobs over time: a line for each run, or with several seeds the mean of each cell", nil, false,
			(*Figures).queue},
		{"utilisation", "the share of nodes that are busy over time, likewise", nil, false, (*Figures).utilisation},
		{"gantt", "which nodes run which job and when, for one run", nil, false, (*Figures).gantt},
	}
}

// KindNames lists the names of the kinds.
func KindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// KindNamed finds a kind of figure.
func KindNamed(name string) (Kind, error) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, usage.Errorf("no kind of figure is called %q; %s", name, lab.Meant(name, KindNames()))
}

// Draw draws figures of a kind, one for each metric.
func (f *Figures) Draw(k Kind) ([]*plot.Figure, error) {
	if len(f.Metrics) == 0 {
		f.Metrics = k.Metrics
	}
	if k.ofRows {
		names, formulas, err := lab.ReadFormulas(f.Metrics)
		if err == nil {
			err = f.Lab.Evaluate(context.Background(), f.Rows, formulas)
		}
		if err != nil {
			return nil, err
		}
		f.Metrics = names
	}
	return k.draw(f)
}

// Names are the names of the figures of a kind.
func (f *Figures) Names(k Kind) []string {
	switch {
	case len(f.Metrics) > 0:
		return f.Metrics
	case len(k.Metrics) > 0:
		return k.Metrics
	}
	return []string{k.Name}
}
