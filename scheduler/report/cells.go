package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// ByCell groups rows by their cells, and lists the cells in the order in which they occur.
func ByCell(rows []*lab.Row) (cells map[string][]*lab.Row, order []string) {
	cells = map[string][]*lab.Row{}
	for _, r := range rows {
		key := cellKey(r)
		if cells[key] == nil {
			order = append(order, key)
		}
		cells[key] = append(cells[key], r)
	}
	return cells, order
}

// cellKey identifies the cell of a row.
func cellKey(r *lab.Row) string { return r.Experiment + " " + r.Settings.String() }

// parts are the settings of a row that differ from their defaults.
func parts(r *lab.Row) []string {
	var all []string
	for _, s := range lab.Settings() {
		if v := r.Settings.Get(s.Name); v != s.Default {
			all = append(all, s.Name+"="+v)
		}
	}
	return all
}

// Shared are the settings that all rows have in common.
func Shared(rows []*lab.Row) []string {
	if len(rows) == 0 {
		return nil
	}
	all := parts(rows[0])
	for _, r := range rows[1:] {
		own := parts(r)
		all = slices.DeleteFunc(all, func(s string) bool { return !slices.Contains(own, s) })
	}
	return all
}

// Apart names a row by the settings that vary among the rows beside it.
func Apart(r *lab.Row, varied []string) string {
	if len(varied) == 0 {
		varied = []string{"policy"}
	}
	var own []string
	for _, name := range varied {
		text := name + "=" + r.Settings.Get(name)
		if name == "policy" { // the most frequent question comes first
			own = append([]string{text}, own...)
		} else {
			own = append(own, text)
		}
	}
	return strings.Join(own, " ")
}

// Varying lists the settings that do not have one value in all rows.
func Varying(rows []*lab.Row) []string {
	var all []string
	for _, s := range lab.Settings() {
		if slices.ContainsFunc(rows, func(r *lab.Row) bool {
			return r.Settings.Get(s.Name) != rows[0].Settings.Get(s.Name)
		}) {
			all = append(all, s.Name)
		}
	}
	return all
}

// Interval is a mean over seeds with its 95 % interval: half of its width, or both ends if one of
// them is the end of the range.
func Interval(rows []*lab.Row, possible metric.Range, value func(*lab.Row) float64) string {
	var all []float64
	for _, r := range rows {
		all = append(all, value(r))
	}
	e := possible.Mean(all)
	switch {
	case len(all) < 2 || e.Low == e.High:
		return metric.Text(e.Value, 6)
	case e.Low == possible.Low || e.High == possible.High:
		return fmt.Sprintf("%s (%s to %s)", metric.Text(e.Value, 5), metric.Text(e.Low, 4), metric.Text(e.High, 4))
	}
	return metric.Text(e.Value, 5) + " ± " + metric.Text((e.High-e.Low)/2, 2)
}

// Mean is the mean of a metric over the seeds of a cell, as [Interval] writes it: over those for
// which it is defined, followed by their number if it is not defined for all.
func Mean(rows []*lab.Row, name string) string {
	values := map[*lab.Row]float64{}
	var defined []*lab.Row
	for _, r := range rows {
		if v, err := r.Value(name); err == nil {
			values[r] = v
			defined = append(defined, r)
		}
	}
	if len(defined) == 0 {
		return "-"
	}
	text := Interval(defined, metric.RangeOf(name), func(r *lab.Row) float64 { return values[r] })
	if len(defined) < len(rows) {
		text += fmt.Sprintf(" (%d of %d)", len(defined), len(rows))
	}
	return text
}
