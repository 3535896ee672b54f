package experiment

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Value returns a number of the row's summary by its name in JSON, such as "mean_wait_seconds". A
// number that is undefined for the run, or that no summary has, is an error.
func (r *Row) Value(name string) (float64, error) {
	text, err := json.Marshal(r.Summary)
	if err != nil {
		return 0, err
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return 0, err
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
		return 0, &UsageError{fmt.Sprintf("no number of a row is called %q; %s", name, Meant(name, names))}
	case v == nil:
		return 0, &UsageError{fmt.Sprintf("%s is undefined for %s", name, r.Settings.String())}
	default:
		if number, ok := v.(float64); ok {
			return number, nil
		}
		return 0, &UsageError{fmt.Sprintf("%s is not a single number; %s", name, Meant(name, names))}
	}
}
