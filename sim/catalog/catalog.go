package catalog

import (
	"slices"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// All returns the worlds.
func All() []sim.World {
	return slices.Concat(can.Worlds())
}
