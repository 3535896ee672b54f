package experiment

import (
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

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
