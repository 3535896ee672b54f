package lab

import (
	"encoding/json"
	"maps"
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
		return 0, usage.Errorf("%s is not a single number; %s", name, Meant(name, names))
	}
}

// numbers has what a row measured by name in JSON, and the names of those that are numbers.
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

// knowsNumber returns an error unless rows of jobs, of predictions or of clusters have a number of
// that name.
func knowsNumber(name string) error {
	var known []string
	for _, predict := range []string{"", "dtm of tree:2", "clusters:2 of tree:2"} {
		all, _, err := (&Row{Settings: MustCell("predict=" + predict)}).numbers()
		if _, there := all[name]; err != nil || there {
			return err
		}
		known = slices.AppendSeq(known, maps.Keys(all))
	}
	slices.Sort(known)
	return noNumber(name, slices.Compact(known))
}

func noNumber(name string, names []string) error {
	return usage.Errorf("no number of a row is called %q; %s", name, Meant(name, names))
}
