package catalog

import (
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
)

// family is what a package of models offers of a published algorithm.
type family struct {
	prefix          string
	interpretations func() []string
	interpreted     func(name, ending string) (model.Checkable, error)
}

func families() []family {
	return []family{
		{"published/can/", can.Interpretations, can.Interpreted},
		{"published/refine/", refine.Interpretations, refine.Interpreted},
		{"published/reptask/", reptask.Interpretations, reptask.Interpreted},
		{"published/dtm/", dtm.Interpretations, dtm.Interpreted},
	}
}

// Interpreted returns the published model of a name that ends with any interpretation:
// "published/can/row4/leave-leave@clears+fifo". Nothing is expected of it. Without an error it
// returns nil if there is no such scenario.
func Interpreted(name string) (model.Checkable, error) {
	base, _, _ := strings.Cut(name, "@")
	for _, f := range families() {
		scenario, ok := strings.CutPrefix(base, f.prefix)
		if !ok {
			continue
		}
		return f.interpreted(scenario, name[len(base):])
	}
	return nil, nil
}

// Interpretations returns the names of a published scenario under every interpretation: first on
// links that keep no order, then on those that do. It returns nil if the name is that of no
// published model.
func Interpretations(name string) []string {
	base, _, _ := strings.Cut(name, "@")
	for _, f := range families() {
		if !strings.HasPrefix(base, f.prefix) {
			continue
		}
		var all []string
		for _, ending := range f.interpretations() {
			all = append(all, base+ending)
		}
		return all
	}
	return nil
}
