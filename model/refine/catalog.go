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
	for _, list := range [][]scenario{exact(), lossy(), repeated(), crashes()} {
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
		{name: "chain", doc: "A courts B and C, B courts C", candidates: "BC C -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption},
		{name: "mutual", doc: "A and B court each other and C", candidates: "BC AC -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption},
		{name: "mutual-wide", doc: "A and B court each other and C", candidates: "BC AC -", membership: 3, size: 3, whole: true},
		{name: "trio", doc: "three heads, each with both others as candidates", candidates: "BC AC AB", membership: 3, size: 3, whole: true, deep: true},
		{name: "trio-bound", doc: "the same, each in one foreign cluster only", candidates: "BC AC AB", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption, deep: true},
		{name: "late", doc: "a candidate is found late", candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, sees: seesAgain},
		{name: "late-chain", doc: "a candidate is found late", candidates: "B C -", later: "A+C", membership: 2, size: 3, sees: seesAgain},
		{name: "drop-order", doc: "a candidate is struck off", candidates: "BC", nodes: 3, later: "A-B", membership: 2, size: 3},
		{name: "drift", doc: "a candidate is struck off", candidates: "BC", nodes: 3, later: "A!", drifting: "BC", membership: 2, size: 3, sees: seesAgain | seesFilter},
		{name: "drift-pair", doc: "a candidate is struck off", candidates: "B A", later: "A!", drifting: "AB", membership: 2, size: 2, sees: seesAgain | seesFilter},
		{name: "leave", doc: "leave", candidates: "BC C", nodes: 3, later: "B.", membership: 2, size: 3},
		{name: "leave-head", doc: "leave", candidates: "BC C", nodes: 3, later: "A.", membership: 2, size: 3},
		{name: "leave-again", doc: "leave", candidates: "BC", nodes: 3, later: "B.", membership: 2, size: 2, sees: seesAgain},
	}
}

func lossy() []scenario {
	b := model.Budget{Drop: 1}
	bb := model.Budget{Drop: 2}
	return []scenario{
		{name: "pair-drop", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, whole: true, budget: bb},
		{name: "one-head-drop", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true, budget: bb},
		{name: "two-heads-drop", doc: "", candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer, budget: b},
		{name: "chain-drop", doc: "A courts B and C, B courts C", candidates: "BC C -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption, budget: b},
		{name: "late-drop", doc: "a candidate is found late", candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, sees: seesAgain, budget: b},
		{name: "drift-drop", doc: "a candidate is struck off", candidates: "BC", nodes: 3, later: "A!", drifting: "BC", membership: 2, size: 3, sees: seesAgain | seesFilter, budget: b},
	}
}

func repeated() []scenario {
	b := model.Budget{Duplicate: 1}
	return []scenario{
		{name: "pair-dup", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, whole: true, budget: b},
		{name: "one-head-dup", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true, budget: b},
		{name: "two-heads-dup", doc: "", candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer, budget: b},
		{name: "chain-dup", doc: "A courts B and C, B courts C", candidates: "BC C -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption, budget: b},
		{name: "late-dup", doc: "a candidate is found late", candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, sees: seesAgain, budget: b},
	}
}

func crashes() []scenario {
	b := model.Budget{Crash: 1}
	r := model.Budget{Crash: 1, Restart: 1}
	return []scenario{
		{name: "pair-crash", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, budget: b, sees: seesRemoval},
		{name: "pair-crash-restart", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, budget: r, started: true, sees: seesRemoval | seesReturn},
		{name: "one-head-crash", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, budget: b, sees: seesRemoval},
		{name: "two-heads-crash", doc: "", candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer, budget: b},
		{name: "chain-crash", doc: "A courts B and C, B courts C", candidates: "BC C -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption, budget: b},
		{name: "late-crash", doc: "a candidate is found late", candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, sees: seesAgain, budget: b},
		{name: "one-head-all", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1}, sees: seesRemoval},
		{name: "two-heads-all", doc: "", candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer, budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1}},
		{name: "early", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Spurious: 2}},
		{name: "early2", doc: "a head and two clients", candidates: "C C -", membership: 2, size: 2, budget: model.Budget{Spurious: 1}},
	}
}
