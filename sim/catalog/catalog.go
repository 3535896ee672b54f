package catalog

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/custody"
	"github.com/canvass-grid/canvass/sim/daemon"
	"github.com/canvass-grid/canvass/sim/dtm"
	"github.com/canvass-grid/canvass/sim/lease"
	"github.com/canvass-grid/canvass/sim/muster"
	"github.com/canvass-grid/canvass/sim/peer"
	"github.com/canvass-grid/canvass/sim/placement"
	"github.com/canvass-grid/canvass/sim/refine"
	"github.com/canvass-grid/canvass/sim/reptask"
	"github.com/canvass-grid/canvass/sim/store"
)

// All returns the scenarios.
func All() []*sim.Scenario {
	return slices.Concat(can.Scenarios(), store.Scenarios(), refine.Scenarios(), reptask.Scenarios(), peer.Scenarios(),
		muster.Scenarios(), custody.Scenarios(), lease.Scenarios(), placement.Scenarios(), dtm.Scenarios(),
		daemon.Scenarios())
}

// CurrentName returns the present name of a scenario that plans and traces of earlier releases call
// by its former name. All other names are returned unchanged.
func CurrentName(name string) string {
	for _, renamed := range [...]struct{ from, to string }{
		{"clusters/", "refine/"}, {"tasks/", "reptask/"}, {"grid/", "peer/"},
	} {
		if kind, found := strings.CutPrefix(name, renamed.from); found {
			return renamed.to + kind
		}
	}
	return name
}
