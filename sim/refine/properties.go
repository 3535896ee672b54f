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
	const shared = "MembershipBound SizeBound Measured HeadKnows RemovedIsGone Advertises AwarenessBound AdoptionBound Agree Largest AskedAgain NobodyStuck Taken"
	return append(
		sim.Choose(shared, model.StateProperties(refine.Models())),
		checker.Property{
			Name:  "Prefers",
			Doc:   "who turns a suitor down turns down all that come after it, too",
			Shape: checker.Always,
		},
		checker.Property{
			Name:  "SecondChance",
			Doc:   "a head that is in no round and loses a member asks somebody in its place, if there is anybody",
			Shape: checker.Always,
		},
		checker.Property{Name: "AskedOnce", Doc: "nobody asks for what it has been given", Shape: checker.Always},
		checker.Property{Name: "Near", Doc: "at rest all members of a cluster lie near each other", Shape: checker.Quiescent},
	)
})
