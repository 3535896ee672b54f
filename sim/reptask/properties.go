package reptask

import (
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// properties are those of package model/reptask, and two of this package.
var properties = sync.OnceValue(func() []checker.Property {
	const shared = "OneRunPerNode OneEpochRuns VotesHeld NeverMore CancelledStays BoundedOvertaking " +
		"MovesOnce OneResult FullRun NeverFewer AllDone Survives NoOrphan"
	return append(
		sim.Choose(shared, model.StateProperties(reptask.Models())),
		checker.Property{
			Name:  "Recalls",
			Doc:   "a node that wants to leave holds no vote that it does not want back",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "LastResort",
			Doc:   "a job fails only if no candidate could have taken it all the time",
			Shape: checker.Always,
		},
	)
})
