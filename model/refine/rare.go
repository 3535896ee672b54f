package refine

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// rare are small scenarios in which rules matter that matter in no other.
func rare() []scenario {
	return []scenario{
		{
			name: "stay-client", doc: "a client leaves, and its process runs on; one message dropped",
			candidates: "B", nodes: 2, later: "B.", membership: 2, size: 2, stays: true, budget: model.Budget{Drop: 1},
		},
		{
			name: "stay-head", doc: "a head leaves, and its process runs on; one message dropped",
			candidates: "B", nodes: 2, later: "A. A+B", membership: 2, size: 2, stays: true,
			budget: model.Budget{Drop: 1},
		},
		{
			name: "stay-head-late", doc: "a head that asks one candidate and has another leaves",
			candidates: "B", nodes: 3, later: "A+C A.", membership: 2, size: 3, stays: true,
		},
		{
			name: "named-again", doc: "A and B solicit each other; M=1; A is given B again",
			candidates: "B A", membership: 1, size: 2, later: "A+B", sees: seesDenial | seesLone,
		},
		{
			name: "named-wrongly", doc: "a head is given itself, and must drop a node that it does not know",
			candidates: "B", nodes: 3, later: "A+A A-C", membership: 2, size: 2, whole: true,
		},
		{
			name: "named-too-many", doc: "a head is given more candidates than it may remember",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, limit: 1,
		},
		{
			name: "full-deferred", doc: "a head is deferred and finds a full cluster without that client",
			candidates: "CD C - -", membership: 2, size: 2, sees: seesDefer,
		},
		{
			name: "three-heads-greedy", doc: "three heads solicit one client; criterion: the larger cluster",
			candidates: "D D D -", membership: 2, size: 2, criterion: refine.Greedy, sees: seesDenial | seesDefer,
		},
		{
			name: "three-heads-two-greedy", doc: "three heads solicit one client, M=3; criterion: the larger cluster",
			candidates: "D D D -", membership: 3, size: 2, criterion: refine.Greedy, sees: seesDenial | seesDefer,
		},
		{
			name: "one-head-zero", doc: "a head and a client without a measurable latency",
			candidates: "B", nodes: 2, membership: 2, size: 2, zero: "AB", whole: true,
		},
		{
			name: "one-head-apart", doc: "a head with three clients, one of which is far from the two others",
			candidates: "BCD", nodes: 4, membership: 2, size: 4, distant: "BC BD", safety: true, sees: seesFilter,
		},
	}
}
