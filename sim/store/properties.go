package store

import (
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// properties are those of package model/store, with histories checked at the end, and those of the
// map.
var properties = sync.OnceValue(func() []checker.Property {
	return slices.Concat(
		sim.Choose("OneServer ItemsInside Certain Ended", model.StateProperties(storemodel.Models())),
		[]checker.Property{
			{
				Name:  "Linearizable",
				Doc:   "the history of clients is linearizable; each register may revert to 0 once after a crash",
				Shape: checker.Quiescent,
			},
			{
				Name:  "OneOwner",
				Doc:   "a point has at most one owner, and a lookup finds a node that was the owner during it",
				Shape: checker.Quiescent,
			},
		},
		can.Properties(),
	)
})
