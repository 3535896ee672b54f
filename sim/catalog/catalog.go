package catalog

import (
	"slices"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/peer"
	"github.com/canvass-grid/canvass/sim/refine"
	"github.com/canvass-grid/canvass/sim/reptask"
	"github.com/canvass-grid/canvass/sim/store"
)

// All returns the worlds.
func All() []sim.World {
	return slices.Concat(can.Worlds(), store.Worlds(), refine.Worlds(), reptask.Worlds(), peer.Worlds())
}
