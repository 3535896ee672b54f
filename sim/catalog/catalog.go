package catalog

import (
	"slices"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/clusters"
	"github.com/canvass-grid/canvass/sim/peer"
	"github.com/canvass-grid/canvass/sim/store"
	"github.com/canvass-grid/canvass/sim/tasks"
)

// All returns the worlds.
func All() []sim.World {
	return slices.Concat(can.Worlds(), store.Worlds(), clusters.Worlds(), tasks.Worlds(), peer.Worlds())
}
