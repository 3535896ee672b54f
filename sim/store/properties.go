package store

import (
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	stores "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// properties are those of package model/store, with histories checked at the end, and those of the
// map.
var properties = sync.OnceValue(func() []checker.Property {
	return slices.Concat(
		sim.Choose("OneServer ItemsInside Certain Ended", model.StateProperties(stores.Models())),
		[]checker.Property{
			{
				Name:  "Linearizable",
				Doc:   "the history is one of registers that take one operation at a time; each may revert to 0 once after a crash",
				Shape: checker.Quiescent,
			},
			{
				Name:  "OneOwner",
				Doc:   "a point has one owner at most, and who is found was the owner meanwhile",
				Shape: checker.Quiescent,
			},
		},
		can.Properties(),
	)
})
