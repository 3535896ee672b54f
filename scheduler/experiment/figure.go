package experiment

import (
	"math"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/plot"
)

// Heat is a figure of an experiment: a table whose cells are coloured by their numbers. Its caption
// is still empty.
type Heat struct {
	plot.HeatSpec
	Rows []*lab.Row // that it shows
}

// Heats makes the heat maps of an experiment from rows of it. Most experiments have no heat maps:
// their figures are the bars of [Experiment.Numbers].
func (e *Experiment) Heats(rows []*lab.Row) []Heat {
	var own []*lab.Row
	for _, r := range rows {
		if r.Experiment == e.Name {
			own = append(own, r)
		}
	}
	if e.heats == nil || len(own) == 0 {
		return nil
	}
	return e.heats(own)
}

// entry is a number of one run, for a cell of a table.
type entry struct {
	x, y  string
	value float64
}

// table fills in the ticks and the cells of a heat map: means over the entries of a cell. Ticks
// come in the order of the entries.
func (h *Heat) table(entries []entry) {
	h.Format = "%.1f"
	type pair struct{ x, y string }
	cells := map[pair][]float64{}
	for _, n := range entries {
		if !slices.Contains(h.XTicks, n.x) {
			h.XTicks = append(h.XTicks, n.x)
		}
		if !slices.Contains(h.YTicks, n.y) {
			h.YTicks = append(h.YTicks, n.y)
		}
		cells[pair{n.x, n.y}] = append(cells[pair{n.x, n.y}], n.value)
	}
	for _, y := range h.YTicks {
		var line []float64
		for _, x := range h.XTicks {
			mean := math.NaN()
			if values := cells[pair{x, y}]; len(values) > 0 {
				mean, _, _ = metric.Interval(values)
			}
			line = append(line, mean)
		}
		h.Cells = append(h.Cells, line)
	}
}

// each calls visit with the rows that have the same value of a setting, in the order of the rows.
func each(rows []*lab.Row, setting string, visit func(value string, some []*lab.Row)) {
	var values []string
	for _, r := range rows {
		if v := r.Settings.Get(setting); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	for _, v := range values {
		visit(v, with(rows, setting+"="+v))
	}
}

// mark has the values that a source has published for some cells, by the names of numbers in rows.
type mark struct {
	settings []string // NAME=VALUE of the cells
	values   map[string]float64
}

// markOf is the mean slowdown that the dissertation has for a side on the clusters of SHARCNET. All
// jobs that run there stand in for Jackson's own, which are not public.
func markOf(s side, slowdown float64) mark {
	return mark{append(s.selection(), "platform=sharcnet"), map[string]float64{"mean_sjackson": slowdown}}
}

// byName are the experiments by their names.
var byName = sync.OnceValue(func() map[string]*Experiment {
	all := map[string]*Experiment{}
	for _, e := range All() {
		all[e.Name] = e
	}
	return all
})

// Published returns the value that a source has for a number of a row, if there is one.
func Published(r *lab.Row, number string) (float64, bool) {
	e := byName()[r.Experiment]
	if e == nil {
		return 0, false
	}
	i := slices.IndexFunc(e.marks, func(m mark) bool { return len(with([]*lab.Row{r}, m.settings...)) == 1 })
	if i < 0 {
		return 0, false
	}
	v, published := e.marks[i].values[number]
	return v, published
}
