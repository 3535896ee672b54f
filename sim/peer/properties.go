package peer

import (
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	peermodel "github.com/canvass-grid/canvass/model/peer"
	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
	"github.com/canvass-grid/canvass/sim/refine"
)

// properties are those of packages model/peer and model/reptask, two of this package, and those of
// clusters and maps.
var properties = sync.OnceValue(func() []checker.Property {
	const (
		whole = "MembersOnly OneLife LeaveWhole ClusterFollows OneTask PassedOn " +
			"ClustersAlive ClustersAgree JobsEnd NobodyReserved LeftClean CapableOnly SeekEnds HonestRefusal Matched " +
			"PredictedOnly PredictedAll Placed"
		tasks = "VotesHeld NeverMore BoundedOvertaking MovesOnce OneResult FullRun"
	)
	return slices.Concat(
		sim.Choose(whole, model.StateProperties(peermodel.Models())),
		sim.Choose(tasks, model.StateProperties(reptaskmodel.Models())),
		[]checker.Property{
			{
				Name:  "CancelledStays",
				Doc:   "no cancelled round of the map takes effect, and no cancelled, superseded or killed dependent starts",
				Shape: checker.Always,
			},
			{
				Name:  "JobService",
				Doc:   "each job is answered at most once, and is not lost while its owner or a node that runs it lives",
				Shape: checker.Quiescent,
			},
			{
				Name:  "NearFound",
				Doc:   "when quiescent, candidates of a node are the nodes of its site, if a tree has the latencies",
				Shape: checker.Quiescent,
			},
		},
		refine.Properties(),
		slices.DeleteFunc(
			slices.Clone(can.Properties()),
			func(p checker.Property) bool { return p.Name == "CancelledStays" },
		), // the first of the two above covers it
	)
})
