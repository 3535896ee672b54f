package catalog

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	publishedcan "github.com/canvass-grid/canvass/protocol/published/can"
	publishedrefine "github.com/canvass-grid/canvass/protocol/published/refine"
	publishedreptask "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// family has the models of a published algorithm.
type family struct {
	prefix      string
	endings     []string // of names
	interpreted func(scenario, ending string) (model.Checkable, error)
}

// familyOf returns the family of a published algorithm with these readings. The function returns a
// scenario in one of them, on links that keep the order of messages or do not; nil if there is no
// such scenario.
func familyOf[R fmt.Stringer](
	prefix string, every []R, in func(scenario string, r R, fifo bool) (model.Checkable, error),
) family {
	return family{prefix, reading.Every(every), func(scenario, ending string) (model.Checkable, error) {
		r, fifo, err := reading.Parse(ending, every)
		if err != nil {
			return nil, err
		}
		return in(scenario, r, fifo)
	}}
}

func families() []family {
	return []family{
		familyOf("published/can/", publishedcan.EveryReading(), can.Interpreted),
		familyOf("published/refine/", publishedrefine.EveryReading(), refine.Interpreted),
		familyOf("published/reptask/", publishedreptask.EveryReading(), reptask.Interpreted),
		familyOf("published/dtm/", []reading.Only{{}}, dtm.Interpreted),
	}
}

// Interpreted returns the published model of a name that ends with any interpretation:
// "published/can/row4/leave-leave@clears+fifo". Nothing is expected of it. Without an error it
// returns nil if there is no such scenario.
func Interpreted(name string) (model.Checkable, error) {
	base, _, _ := strings.Cut(name, "@")
	for _, f := range families() {
		if scenario, ok := strings.CutPrefix(base, f.prefix); ok {
			return f.interpreted(scenario, name[len(base):])
		}
	}
	return nil, nil
}

// Interpretations returns the names of a published scenario under every interpretation: first on
// unordered links, then on ordered ones. It returns nil if the name is that of no published model.
func Interpretations(name string) (all []string) {
	base, _, _ := strings.Cut(name, "@")
	for _, f := range families() {
		if strings.HasPrefix(base, f.prefix) {
			for _, ending := range f.endings {
				all = append(all, base+ending)
			}
		}
	}
	return all
}
