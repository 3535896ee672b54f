package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Models lists the systems of the corrected core: first those in which every property holds, then those
// that show what no such protocol can do.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{exact()} {
		for _, s := range list {
			c, err := s.corrected().Compile()
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// exact are runs in which each message arrives exactly once, in any order.
func exact() []scenario {
	return []scenario{
		{name: "pair", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, whole: true},
		{name: "alone", doc: "a head without candidates, and a head that knows a lone client", candidates: "- C -", membership: 2, size: 2, whole: true},
		{name: "one-head", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true},
		{name: "one-head-filter", doc: "the same, but the clients are far from each other", candidates: "BC", nodes: 3, membership: 2, size: 3, distant: "BC", sees: seesFilter},
		{name: "one-head-size", doc: "a head with more candidates than may be in its cluster", candidates: "BC", nodes: 3, membership: 2, size: 2, sees: seesFilter},
		{name: "two-heads", doc: "two heads court one client, which may belong to one of them", candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer},
		{name: "two-heads-greedy", doc: "the same, and the client prefers the larger cluster", candidates: "CD C - -", membership: 2, size: 3, criterion: refine.Greedy, sees: seesDenial | seesDefer},
		{name: "trio", doc: "three heads, each with both others as candidates", candidates: "BC AC AB", membership: 3, size: 3, whole: true, deep: true},
		{name: "trio-bound", doc: "the same, each in one foreign cluster only", candidates: "BC AC AB", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption},
	}
}
