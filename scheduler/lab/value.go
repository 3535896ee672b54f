package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// measured returns the result of a row: a summary of jobs, errors of predictions, or clusters.
func (r *Row) measured() any {
	how, _, found := strings.Cut(r.Settings.Get("predict"), " of ")
	switch {
	case !found:
		return r.Summary
	case !strings.HasPrefix(how, "clusters:"):
		if r.Prediction == nil {
			return Prediction{}.Errors
		}
		return r.Prediction.Errors
	case r.Clusters == nil:
		return cluster.Quality{}.Advertised
	}
	return r.Clusters.Advertised
}

// Value returns a number of the row by its name in JSON: of the summary of its jobs, such as
// "mean_wait_seconds", of its counts, of its formulas, of the errors of its predictions, such as
// "p99", or of the clusters that nodes advertise, such as "mean_size". A number that is undefined
// for the run, or that no such row has, is an error.
func (r *Row) Value(name string) (float64, error) {
	all, names, err := r.numbers()
	if err != nil {
		return 0, err
	}
	switch v, there := all[name]; {
	case !there && metric.IsFormula(name):
		return 0, usage.Errorf("%s was not computed for %s; give it to canvass lab run or sweep with --metric", name,
			r.Settings.String())
	case !there:
		return 0, noNumber(name, names)
	case v == nil:
		return 0, usage.Errorf("%s is undefined for %s", name, r.Settings.String())
	default:
		if number, ok := v.(float64); ok {
			return number, nil
		}
		return 0, usage.Errorf("%s is not a single number; %s", name, meantNumber(name, names))
	}
}

// numbers returns the measurements of a row by their names in JSON, and the names of the numbers
// among them.
func (r *Row) numbers() (all map[string]any, names []string, err error) {
	text, err := json.Marshal(r.measured())
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, nil, err
	}
	for n, v := range r.Counts {
		all[n] = float64(v)
	}
	for n, v := range all {
		if _, number := v.(float64); number {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for n, v := range r.Formulas {
		all[n] = nil
		if v != nil {
			all[n] = *v
		}
	}
	return all, names, nil
}

// undefinable are the numbers that can be undefined. A row without contents lacks them.
var undefinable = []string{"span_utilisation", "jain_users_bsld", "max_over_median_wait", "adjusted_rand", "whole"}

// Numbers lists the names of the numbers of rows of jobs, of predictions and of clusters, in
// alphabetical order.
func Numbers() []string {
	var known []string
	for _, predict := range []string{"", "dtm of tree:2", "clusters:2 of tree:2"} {
		all, names, err := (&Row{Settings: MustCell("predict=" + predict)}).numbers()
		if err != nil {
			panic(err) // of a row without contents
		}
		known = append(known, names...)
		for _, name := range undefinable {
			if _, there := all[name]; there {
				known = append(known, name)
			}
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// knowsNumber returns an error unless some row has a number of that name.
func knowsNumber(name string) error {
	if known := Numbers(); !slices.Contains(known, name) {
		return noNumber(name, known)
	}
	return nil
}

func noNumber(name string, names []string) error {
	return usage.Errorf("no number of a row is called %q; %s", name, meantNumber(name, names))
}

// meantNumber proposes the nearest names of numbers. All of them would be too many for a line.
func meantNumber(name string, names []string) string {
	const all = "canvass help formulas lists all"
	if near := usage.Nearest(name, names); len(near) > 0 {
		return usage.Question(near, nil) + " " + all
	}
	return all
}
