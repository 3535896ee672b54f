package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/cluster"
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
// "mean_wait_seconds", of its counts, of the errors of its predictions, such as "p99", or of the
// clusters that nodes advertise, such as "mean_size". A number that is undefined for the run, or
// that no such row has, is an error.
func (r *Row) Value(name string) (float64, error) {
	text, err := json.Marshal(r.measured())
	if err != nil {
		return 0, err
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return 0, err
	}
	for n, v := range r.Counts {
		all[n] = float64(v)
	}
	var names []string
	for n, v := range all {
		if _, number := v.(float64); number {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	switch v, there := all[name]; {
	case !there:
		return 0, usage.Errorf("no number of a row is called %q; %s", name, Meant(name, names))
	case v == nil:
		return 0, usage.Errorf("%s is undefined for %s", name, r.Settings.String())
	default:
		if number, ok := v.(float64); ok {
			return number, nil
		}
		return 0, usage.Errorf("%s is not a single number; %s", name, Meant(name, names))
	}
}
