package refine

import (
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/sim"
)

// Properties are those of package model/refine, and four of this package. Prefers is stricter than
// in the models.
var Properties = sync.OnceValue(func() []checker.Property {
	const shared = "MembershipBound SizeBound Measured HeadKnows RemovedIsGone Advertises AwarenessBound " +
		"AdoptionBound Agree Largest AskedAgain NobodyStuck Taken"
	return append(
		sim.Choose(shared, model.StateProperties(refine.Models())),
		checker.Property{
			Name:  "Prefers",
			Doc:   "a client that turns a suitor down also turns down all later ones",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "SecondChance",
			Doc:   "a head that is in no round and loses a member asks another candidate, if there is one",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "AskedOnce",
			Doc:   "no head asks a client again for a measurement that it has reported in that round",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "Near",
			Doc:   "in quiescent states all members of a cluster are near each other",
			Shape: checker.Quiescent,
		},
	)
})
