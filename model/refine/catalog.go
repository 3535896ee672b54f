package refine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Models lists the systems of the corrected core: first those in which every property holds, then
// the expected failure.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{
		exact(), changing(), lossy(), repeated(), failing(), rare(), networks(), limits(),
	} {
		for _, s := range list {
			if s.sees == 0 {
				s.sees = seesCluster
			}
			c, err := compile(s)
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// networks lists each scenario under two more networks, unless another list has them: one message
// is dropped; duplication is unbounded.
func networks() []scenario {
	known := map[string]bool{}
	for _, s := range lossy() {
		known[s.name] = true
	}
	var all []scenario
	for _, s := range slices.Concat(exact(), changing(), failing()) {
		if s.budget.Drop+s.budget.Duplicate > 0 {
			continue
		}
		if drop := s.under("drop", "one message dropped"); !known[drop.name] {
			drop.budget.Drop = 1
			all = append(all, drop)
		}
		again := s.under("repeat", "unbounded duplication")
		if s.solicitsOnce {
			again.doc += ", except of solicitations"
		}
		again.budget.Repeat = true
		all = append(all, again)
	}
	return all
}

// under names the scenario after a network.
func (s scenario) under(network, means string) scenario {
	s.deep = s.deep || slices.Contains(strings.Fields(s.deepUnder), network)
	s.name, s.doc = s.name+"-"+network, s.doc+"; "+means
	return s
}

// exact are runs in which each message arrives exactly once, in any order.
func exact() []scenario {
	return []scenario{
		{
			name: "pair", doc: "two nodes, each a candidate of the other",
			candidates: "B A", membership: 2, size: 2, whole: true,
		},
		{
			name: "alone", doc: "A and B solicit each other; M=1, so neither may join",
			candidates: "B A", nodes: 3, membership: 1, size: 2, sees: seesDenial | seesLone,
		},
		{
			name: "one-head", doc: "a head with two clients",
			candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true,
		},
		{
			name: "one-head-far", doc: "a head with two clients that are far apart",
			candidates: "BC", nodes: 3, membership: 2, size: 3, distant: "BC", sees: seesFilter,
		},
		{
			name: "one-head-lone", doc: "a head with two clients that are far from it",
			candidates: "BC", nodes: 3, membership: 2, size: 3, distant: "AB AC", whole: true,
			sees: seesFilter | seesLone,
		},
		{
			name: "one-head-edge", doc: "a head, one client exactly at the diameter, one a microsecond beyond it",
			candidates: "BC", nodes: 3, membership: 2, size: 3, edge: "AB", beyond: "AC", whole: true,
			sees: seesFilter,
		},
		{
			name: "one-head-size", doc: "a head with more candidates than N allows",
			candidates: "BC", nodes: 3, membership: 2, size: 2, sees: seesFilter,
		},
		{
			name: "two-heads", doc: "two heads solicit one client, M=2",
			candidates: "C C -", membership: 2, size: 2, sees: seesDenial | seesDefer,
		},
		{
			name: "two-heads-wide", doc: "two heads solicit one client that may join both",
			candidates: "C C -", membership: 3, size: 2, whole: true,
		},
		{
			name: "two-heads-global", doc: "two heads, one client; criterion: the global order",
			candidates: "C C -", membership: 2, size: 2, criterion: refine.GlobalOrder, favourite: first("AB"),
			sees: seesDenial | seesDefer,
		},
		{
			name: "two-heads-greedy", doc: "two heads, one client; criterion: the larger cluster",
			candidates: "CD C - -", membership: 2, size: 3, criterion: refine.Greedy, favourite: 'A',
			sees: seesDenial | seesDefer,
		},
		{
			name: "freed", doc: "two heads, one client that A must filter out",
			candidates: "C C -", membership: 2, size: 2, distant: "AC", whole: true, sees: seesDefer | seesFilter,
			solicitsOnce: true,
		},
		{
			name: "three-heads", doc: "three heads solicit one client, M=2",
			candidates: "D D D -", membership: 2, size: 2, sees: seesDenial | seesDefer,
		},
		{
			name: "three-heads-two", doc: "three heads solicit one client, M=3",
			candidates: "D D D -", membership: 3, size: 2, sees: seesDenial | seesDefer,
		},
		{
			name: "chain", doc: "A solicits B and C; B solicits C",
			candidates: "BC C -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption,
		},
		{
			name: "mutual", doc: "A and B solicit each other and C",
			candidates: "BC AC -", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption,
		},
		{
			name: "mutual-wide", doc: "A and B solicit each other and C, M=3",
			candidates: "BC AC -", membership: 3, size: 3, whole: true, deepUnder: "drop",
		},
		{
			name: "ring", doc: "each of three nodes solicits the next",
			candidates: "B C A", membership: 2, size: 2, whole: true,
		},
		{
			name: "tangle", doc: "A solicits B and C; B solicits C; C solicits A",
			candidates: "BC C A", membership: 2, size: 3, sees: seesDenial | seesDefer | seesAdoption, deep: true,
		},
	}
}

// changing are runs in which candidates come and go, latencies drift and nodes leave.
func changing() []scenario {
	return []scenario{
		{
			name: "late", doc: "a candidate is added at any time",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, whole: true, sees: seesAgain,
		},
		{
			name: "late-two-heads", doc: "a candidate is added that another head solicits",
			candidates: "B C -", later: "A+C", membership: 2, size: 3, sees: seesAgain | seesDenial | seesDefer,
		},
		{
			name: "late-far", doc: "a candidate is added that is far from a member",
			candidates: "B", nodes: 3, later: "A+C", distant: "BC", membership: 2, size: 3, sees: seesAgain | seesFilter,
		},
		{
			name: "late-full", doc: "a candidate is added to a full cluster",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 2,
		},
		{
			name: "struck", doc: "a candidate is removed",
			candidates: "BC", nodes: 3, later: "A-B", membership: 2, size: 3, whole: true, sees: seesAgain,
		},
		{
			name: "struck-restored", doc: "a candidate is removed and added again",
			candidates: "BC", nodes: 3, later: "A-B A+B", membership: 2, size: 3, whole: true, sees: seesAgain,
			solicitsOnce: true,
		},
		{
			name: "restored", doc: "the only candidate is removed and added again",
			candidates: "B", nodes: 2, later: "A-B A+B", membership: 2, size: 2, whole: true, sees: seesAgain,
		},
		{
			name: "restored-twice", doc: "the only candidate is removed and added again, twice",
			deepUnder:  "repeat",
			candidates: "B", nodes: 2, later: "A-B A+B A-B A+B", membership: 2, size: 2, whole: true, sees: seesAgain,
		},
		{
			name: "struck-room", doc: "a candidate is removed and makes room for another",
			candidates: "BC", nodes: 3, later: "A-B", membership: 2, size: 2, sees: seesAgain,
			solicitsOnce: true,
		},
		{
			name: "known", doc: "a candidate is added that is one already",
			candidates: "B", nodes: 2, later: "A+B", membership: 2, size: 2, whole: true,
		},
		{
			name: "drift", doc: "A measures again; the latency of B and C drifts",
			candidates: "BC", nodes: 3, later: "A!", drifting: "BC", membership: 2, size: 3,
			sees: seesAgain | seesFilter, solicitsOnce: true,
		},
		{
			name: "drift-head", doc: "A measures again; its latency to B drifts",
			candidates: "B A", later: "A!", drifting: "AB", membership: 2, size: 2,
			sees: seesAgain | seesFilter | seesLone, solicitsOnce: true,
		},
		{
			name: "leave", doc: "B leaves, which is a head and a client",
			candidates: "BC C -", later: "B.", membership: 2, size: 3, sees: seesDenial | seesDefer, solicitsOnce: true,
		},
		{
			name: "leave-head", doc: "a head leaves; it shares a client with another",
			candidates: "BC C -", later: "A.", membership: 2, size: 3, sees: seesDenial | seesDefer, solicitsOnce: true,
		},
		{
			name: "leave-room", doc: "a client leaves and makes room for another",
			candidates: "BC", nodes: 3, later: "B.", membership: 2, size: 2, sees: seesAgain,
		},
		{
			name: "orders", doc: "the first commands may come at any time too",
			candidates: "BC C -", membership: 2, size: 3, started: true, sees: seesDenial | seesDefer | seesAdoption,
		},
	}
}

// lossy are runs in which messages are dropped, and heartbeats make up for them.
func lossy() []scenario {
	one, two := model.Budget{Drop: 1}, model.Budget{Drop: 2}
	return []scenario{
		{
			name: "pair-drop", doc: "two nodes; two messages dropped",
			candidates: "B A", membership: 2, size: 2, whole: true, budget: two,
		},
		{
			name: "one-head-drop", doc: "a head with two clients; two messages dropped",
			candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true, budget: two,
		},
		{
			name: "one-head-far-drop", doc: "two clients that are far apart; two messages dropped",
			candidates: "BC", nodes: 3, membership: 2, size: 3, distant: "BC", budget: two, sees: seesFilter,
		},
		{
			name: "two-heads-drop", doc: "two heads solicit one client; two messages dropped",
			candidates: "C C -", membership: 2, size: 2, budget: two, sees: seesDenial | seesDefer,
		},
		{
			name: "chain-drop", doc: "A solicits B and C; B solicits C; one message dropped",
			candidates: "BC C -", membership: 2, size: 3, budget: one, sees: seesDenial | seesDefer | seesAdoption,
		},
		{
			name: "mutual-drop", doc: "A and B solicit each other and C; one message dropped",
			candidates: "BC AC -", membership: 2, size: 3, budget: one, sees: seesDenial | seesDefer | seesAdoption,
			deep: true,
		},
		{
			name: "late-drop", doc: "a candidate is added; two messages dropped",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, whole: true, budget: two, sees: seesAgain,
		},
		{
			name: "struck-drop", doc: "a candidate is removed; two messages dropped",
			candidates: "BC", nodes: 3, later: "A-B", membership: 2, size: 3, whole: true, budget: two, sees: seesAgain,
		},
		{
			name: "drift-drop", doc: "A measures again; one message dropped",
			candidates: "BC", nodes: 3, later: "A!", drifting: "BC", membership: 2, size: 3, budget: one,
			sees: seesAgain | seesFilter,
		},
		{
			name: "leave-drop", doc: "a client leaves; one message dropped",
			candidates: "BC C -", later: "B.", membership: 2, size: 3, budget: one, sees: seesDenial | seesDefer,
			deep: true,
		},
	}
}

// repeated are runs in which messages are duplicated, or timeouts are premature.
func repeated() []scenario {
	one, two := model.Budget{Duplicate: 1}, model.Budget{Duplicate: 2}
	both := model.Budget{Drop: 1, Duplicate: 1}
	return []scenario{
		{
			name: "pair-dup", doc: "two nodes; two messages duplicated",
			candidates: "B A", membership: 2, size: 2, whole: true, budget: two,
		},
		{
			name: "one-head-dup", doc: "a head with two clients; two messages duplicated",
			candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true, budget: two,
		},
		{
			name: "one-head-size-dup", doc: "more candidates than N allows; two messages duplicated",
			candidates: "BC", nodes: 3, membership: 2, size: 2, budget: two, sees: seesFilter,
		},
		{
			name: "two-heads-dup", doc: "two heads solicit one client; two messages duplicated",
			candidates: "C C -", membership: 2, size: 2, budget: two, sees: seesDenial | seesDefer,
		},
		{
			name: "chain-dup", doc: "A solicits B and C; B solicits C; one message duplicated",
			candidates: "BC C -", membership: 2, size: 3, budget: one, sees: seesDenial | seesDefer | seesAdoption,
		},
		{
			name: "late-dup", doc: "a candidate is added; one message duplicated",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, whole: true, budget: one, sees: seesAgain,
		},
		{
			name: "struck-dup", doc: "a candidate is removed and added again; one message duplicated",
			candidates: "BC", nodes: 3, later: "A-B A+B", membership: 2, size: 3, whole: true, budget: one, sees: seesAgain,
			deep: true,
		},
		{
			name: "drift-dup", doc: "A measures again; one message duplicated",
			candidates: "BC", nodes: 3, later: "A!", drifting: "BC", membership: 2, size: 3, budget: one,
			sees: seesAgain | seesFilter,
		},
		{
			name: "leave-dup", doc: "a client leaves; one message duplicated",
			candidates: "BC", nodes: 3, later: "B.", membership: 2, size: 3, budget: one,
		},
		{
			name: "two-heads-faulty", doc: "two heads, one client; one message dropped, one duplicated",
			candidates: "C C -", membership: 2, size: 2, budget: both, sees: seesDenial | seesDefer,
		},
		{
			name: "late-faulty", doc: "a candidate is added; one message dropped, one duplicated",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, whole: true, budget: both, sees: seesAgain,
		},
		{
			name: "chain-faulty", doc: "A solicits B, C; B solicits C; one message dropped, one duplicated",
			candidates: "BC C -", membership: 2, size: 3, budget: both, sees: seesDenial | seesDefer | seesAdoption,
			deep: true,
		},
		{
			name: "one-head-early", doc: "a head with two clients; two premature timeouts",
			candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Spurious: 2},
		},
		{
			name: "two-heads-early", doc: "two heads solicit one client; two premature timeouts",
			candidates: "C C -", membership: 2, size: 2, budget: model.Budget{Spurious: 2}, sees: seesDenial | seesDefer,
		},
		{
			name: "late-early", doc: "a candidate is added; one premature timeout",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, budget: model.Budget{Spurious: 1},
			sees: seesAgain,
		},
	}
}

// failing are runs in which a node crashes, and perhaps restarts.
func failing() []scenario {
	crash, back := model.Budget{Crash: 1}, model.Budget{Crash: 1, Restart: 1}
	all := model.Budget{Crash: 1, Drop: 1, Duplicate: 1}
	return []scenario{
		{
			name: "pair-crash", doc: "two nodes; one may crash",
			candidates: "B A", membership: 2, size: 2, budget: crash, sees: seesRemoval,
		},
		{
			name: "pair-restart", doc: "two nodes; one may crash and restart",
			candidates: "B A", membership: 2, size: 2, budget: back, started: true, sees: seesRemoval | seesReturn,
			solicitsOnce: true,
		},
		{
			name: "one-head-crash", doc: "a head with two clients; any node may crash",
			candidates: "BC", nodes: 3, membership: 2, size: 3, budget: crash, sees: seesRemoval,
		},
		{
			name: "one-head-crash-room", doc: "a member may crash and make room for another",
			candidates: "BC", nodes: 3, membership: 2, size: 2, budget: crash, crashers: "B",
			sees: seesRemoval | seesAgain,
		},
		{
			name: "two-heads-crash", doc: "two heads, one client; any node may crash",
			candidates: "C C -", membership: 2, size: 2, budget: crash, sees: seesDenial | seesDefer | seesRemoval,
			solicitsOnce: true,
		},
		{
			name: "chain-crash", doc: "A solicits B and C; B solicits C; any node may crash",
			candidates: "BC C -", membership: 2, size: 3, budget: crash,
			sees: seesDenial | seesDefer | seesAdoption | seesRemoval, solicitsOnce: true,
		},
		{
			name: "mutual-crash", doc: "A and B solicit each other and C; any node may crash",
			candidates: "BC AC -", membership: 2, size: 3, budget: crash,
			sees: seesDenial | seesDefer | seesAdoption | seesRemoval, deep: true, solicitsOnce: true,
		},
		{
			name: "late-crash", doc: "a candidate is added; any node may crash",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, budget: crash,
			sees: seesAgain | seesRemoval,
		},
		{
			name: "restored-crash", doc: "A must choose between B and C, and begins a new round; B may crash",
			candidates: "BC", nodes: 3, later: "A-B A+B", distant: "BC", membership: 2, size: 3, budget: crash,
			crashers: "B", sees: seesFilter | seesAgain | seesRemoval, deepUnder: "repeat",
		},
		{
			name: "late-restart", doc: "a candidate is added; B may crash and restart",
			candidates: "B C -", later: "A+C", membership: 2, size: 3, budget: back, started: true, crashers: "B",
			sees: seesAgain | seesRemoval | seesReturn, deep: true, solicitsOnce: true,
		},
		{
			name: "leave-crash", doc: "a client leaves; any node may crash",
			candidates: "BC", nodes: 3, later: "B.", membership: 2, size: 3, budget: crash, sees: seesRemoval,
		},
		{
			name: "one-head-crash-crash", doc: "a head with two clients; two nodes may crash",
			candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Crash: 2}, sees: seesRemoval,
		},
		{
			name: "one-head-crash-faulty", doc: "a head, two clients; a crash; one message dropped, one duplicated",
			candidates: "BC", nodes: 3, membership: 2, size: 3, budget: all, sees: seesRemoval,
		},
		{
			name: "two-heads-crash-faulty", doc: "two heads, one client; a crash; one dropped, one duplicated",
			candidates: "C C -", membership: 2, size: 2, budget: all, sees: seesDenial | seesDefer | seesRemoval,
		},
		{
			name: "late-crash-faulty", doc: "a candidate is added; a crash; one dropped, one duplicated",
			candidates: "B", nodes: 3, later: "A+C", membership: 2, size: 3, budget: all, sees: seesAgain | seesRemoval,
			deep: true,
		},
		{
			name: "chain-crash-faulty", doc: "A solicits B, C; B solicits C; a crash; one dropped, one duplicated",
			candidates: "BC C -", membership: 2, size: 3, budget: all,
			sees: seesDenial | seesDefer | seesAdoption | seesRemoval, deep: true,
		},
	}
}

// limits are the expected failures. Each drops one assumption.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-suspicion", doc: "a running node is falsely suspected",
			candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Suspect: 1},
			expect: violated("the suspected node counts on the other until it learns of the suspicion",
				"HeadKnows", "RemovedIsGone"),
		},
	}
}

func violated(why string, properties ...string) []model.Expectation {
	var all []model.Expectation
	for _, p := range properties {
		all = append(all, model.Expectation{Property: p, Violated: true, Why: why})
	}
	return all
}
