package can

import (
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/sim"
)

// Properties are those of package model/can, and four of this package.
var Properties = sync.OnceValue(func() []checker.Property {
	const shared = "NoConflict NoOverlap OwnerInside CancelledStays OneCommand Truthful ViewsFit " +
		"NoGap NeighboursKnow ViewsAgree Routable NobodyBusy"
	return append(
		sim.Choose(shared, model.StateProperties(canmodel.Models())),
		checker.Property{Name: "Unfenced", Doc: "no node learns that others consider it dead", Shape: checker.Always},
		checker.Property{
			Name:  "OneRound",
			Doc:   "a node that has promised to a round takes part in no other round",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "NoOldNews",
			Doc:   "no record of another node is replaced by an older one",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "Converges",
			Doc:   "in quiescent states every join and every leave has been granted",
			Shape: checker.Quiescent,
		},
	)
})
