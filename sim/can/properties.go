package can

import (
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/sim"
)

// Properties are those of package model/can, and four of this package.
var Properties = sync.OnceValue(func() []checker.Property {
	const shared = "NoConflict NoOverlap OwnerInside CancelledStays OneCommand Truthful ViewsFit NoGap NeighboursKnow ViewsAgree Routable NobodyBusy"
	return append(
		sim.Choose(shared, model.StateProperties(maps.Models())),
		checker.Property{Name: "Unfenced", Doc: "nobody is told that others hold it for dead", Shape: checker.Always},
		checker.Property{Name: "OneRound", Doc: "who has promised to a round takes part in no other", Shape: checker.Always},
		checker.Property{
			Name:  "NoOldNews",
			Doc:   "what a node knows of others is never replaced by what is older",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "Converges",
			Doc:   "at rest every join and every leave has been granted",
			Shape: checker.Quiescent,
		},
	)
})
