package refine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Models lists the systems of the corrected core: first those in which every property holds, then
// those that show what no such protocol can do.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{exact(), changing(), lossy(), repeated(), failing(), networks(), limits()} {
		for _, s := range list {
			c, err := compile(s)
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// networks tells each scenario of which the other lists do not say so twice more: one message is
// lost; messages are repeated without end.
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
		if drop := s.under("drop", "one message lost"); !known[drop.name] {
			drop.budget.Drop = 1
			all = append(all, drop)
		}
		again := s.under("repeat", "messages repeated without end")
		if s.solicitsOnce {
			again.doc += ", but for solicitations"
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
		{name: "pair", doc: "two nodes, each the other's candidate", candidates: "B A", membership: 2, size: 2, whole: true},
		{
			name:       "alone",
			doc:        "a head without candidates, and two that may join nobody",
			candidates: "B A",
			nodes:      3,
			membership: 1,
			size:       2,
			sees:       seesDenial | seesLone,
		},
		{name: "one-head", doc: "a head and two clients", candidates: "BC", nodes: 3, membership: 2, size: 3, whole: true},
		{
			name:       "one-head-far",
			doc:        "the same, but the clients are far from each other",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			distant:    "BC",
			sees:       seesFilter,
		},
		{
			name:       "one-head-lone",
			doc:        "the same, but both clients are far from the head",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			distant:    "AB AC",
			whole:      true,
			sees:       seesFilter | seesLone,
		},
		{
			name:       "one-head-size",
			doc:        "a head with more candidates than may be in its cluster",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       2,
			sees:       seesFilter,
		},
		{
			name:       "two-heads",
			doc:        "two heads court one client, which may belong to one of them",
			candidates: "C C -",
			membership: 2,
			size:       2,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "two-heads-wide",
			doc:        "two heads court one client, which may belong to both",
			candidates: "C C -",
			membership: 3,
			size:       2,
			whole:      true,
		},
		{
			name:       "two-heads-global",
			doc:        "two heads court one client, which prefers by the global order",
			candidates: "C C -",
			membership: 2,
			size:       2,
			criterion:  refine.GlobalOrder,
			favourite:  first("AB"),
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "two-heads-greedy",
			doc:        "two heads court one client, which prefers the larger cluster",
			candidates: "CD C - -",
			membership: 2,
			size:       3,
			criterion:  refine.Greedy,
			favourite:  'A',
			sees:       seesDenial | seesDefer,
		},
		{
			name:         "freed",
			doc:          "two heads court one client that one of them must filter out",
			candidates:   "C C -",
			membership:   2,
			size:         2,
			distant:      "AC",
			whole:        true,
			sees:         seesDefer | seesFilter,
			solicitsOnce: true,
		},
		{
			name:       "three-heads",
			doc:        "three heads court one client, which may belong to one of them",
			candidates: "D D D -",
			membership: 2,
			size:       2,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "three-heads-two",
			doc:        "three heads court one client, which may belong to two of them",
			candidates: "D D D -",
			membership: 3,
			size:       2,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "chain",
			doc:        "A courts B and C, B courts C",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			sees:       seesDenial | seesDefer | seesAdoption,
		},
		{
			name:       "mutual",
			doc:        "A and B court each other and C",
			candidates: "BC AC -",
			membership: 2,
			size:       3,
			sees:       seesDenial | seesDefer | seesAdoption,
		},
		{
			name:       "mutual-wide",
			doc:        "the same, with room for all",
			candidates: "BC AC -",
			membership: 3,
			size:       3,
			whole:      true,
			deepUnder:  "drop",
		},
		{name: "ring", doc: "each of three nodes courts the next", candidates: "B C A", membership: 2, size: 2, whole: true},
		{
			name:       "tangle",
			doc:        "A courts B and C, B courts C, C courts A",
			candidates: "BC C A",
			membership: 2,
			size:       3,
			sees:       seesDenial | seesDefer | seesAdoption,
			deep:       true,
		},
	}
}

// changing are runs in which candidates come and go, latencies drift and nodes leave.
func changing() []scenario {
	return []scenario{
		{
			name:       "late",
			doc:        "a candidate becomes known at any time",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			sees:       seesAgain,
		},
		{
			name:       "late-two-heads",
			doc:        "the same, and another head has its eye on it",
			candidates: "B C -",
			later:      "A+C",
			membership: 2,
			size:       3,
			sees:       seesAgain | seesDenial | seesDefer,
		},
		{
			name:       "late-far",
			doc:        "the late candidate is far from a member",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			distant:    "BC",
			membership: 2,
			size:       3,
			sees:       seesAgain | seesFilter,
		},
		{
			name:       "late-full",
			doc:        "a candidate becomes known to a head whose cluster is full",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       2,
		},
		{
			name:       "struck",
			doc:        "a candidate is one no more",
			candidates: "BC",
			nodes:      3,
			later:      "A-B",
			membership: 2,
			size:       3,
			sees:       seesAgain,
		},
		{
			name:         "struck-restored",
			doc:          "a candidate is one no more, and then again",
			candidates:   "BC",
			nodes:        3,
			later:        "A-B A+B",
			membership:   2,
			size:         3,
			sees:         seesAgain,
			solicitsOnce: true,
		},
		{
			name:         "drift",
			doc:          "the latency of a pair may come out either way, and is measured again",
			candidates:   "BC",
			nodes:        3,
			later:        "A!",
			drifting:     "BC",
			membership:   2,
			size:         3,
			sees:         seesAgain | seesFilter,
			solicitsOnce: true,
		},
		{
			name:         "drift-head",
			doc:          "the same of a pair with the head",
			candidates:   "B A",
			later:        "A!",
			drifting:     "AB",
			membership:   2,
			size:         2,
			sees:         seesAgain | seesFilter | seesLone,
			solicitsOnce: true,
		},
		{
			name:         "leave",
			doc:          "a node that is head and client leaves",
			candidates:   "BC C -",
			later:        "B.",
			membership:   2,
			size:         3,
			sees:         seesDenial | seesDefer,
			solicitsOnce: true,
		},
		{
			name:         "leave-head",
			doc:          "a head leaves that may have the client which another courts",
			candidates:   "BC C -",
			later:        "A.",
			membership:   2,
			size:         3,
			sees:         seesDenial | seesDefer,
			solicitsOnce: true,
		},
		{
			name:       "leave-room",
			doc:        "a client leaves, and there is room for another",
			candidates: "BC",
			nodes:      3,
			later:      "B.",
			membership: 2,
			size:       2,
			sees:       seesAgain,
		},
		{
			name:       "orders",
			doc:        "the first orders come at any time too",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			started:    true,
			sees:       seesDenial | seesDefer | seesAdoption,
		},
	}
}

// lossy are runs in which messages are lost, and the signs of life repeat them.
func lossy() []scenario {
	one, two := model.Budget{Drop: 1}, model.Budget{Drop: 2}
	return []scenario{
		{
			name:       "pair-drop",
			doc:        "two nodes, two messages lost",
			candidates: "B A",
			membership: 2,
			size:       2,
			whole:      true,
			budget:     two,
		},
		{
			name:       "one-head-drop",
			doc:        "a head and two clients, two messages lost",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			whole:      true,
			budget:     two,
		},
		{
			name:       "one-head-far-drop",
			doc:        "the same, but the clients are far from each other",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			distant:    "BC",
			budget:     two,
			sees:       seesFilter,
		},
		{
			name:       "two-heads-drop",
			doc:        "two heads court one client, two messages lost",
			candidates: "C C -",
			membership: 2,
			size:       2,
			budget:     two,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "chain-drop",
			doc:        "A courts B and C, B courts C, one message lost",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesDenial | seesDefer | seesAdoption,
		},
		{
			name:       "mutual-drop",
			doc:        "A and B court each other and C, one message lost",
			candidates: "BC AC -",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesDenial | seesDefer | seesAdoption,
			deep:       true,
		},
		{
			name:       "late-drop",
			doc:        "a candidate becomes known at any time, two messages lost",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     two,
			sees:       seesAgain,
		},
		{
			name:       "struck-drop",
			doc:        "a candidate is one no more, two messages lost",
			candidates: "BC",
			nodes:      3,
			later:      "A-B",
			membership: 2,
			size:       3,
			budget:     two,
			sees:       seesAgain,
		},
		{
			name:       "drift-drop",
			doc:        "a pair is measured again, one message lost",
			candidates: "BC",
			nodes:      3,
			later:      "A!",
			drifting:   "BC",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesAgain | seesFilter,
		},
		{
			name:       "leave-drop",
			doc:        "a client leaves, one message lost",
			candidates: "BC C -",
			later:      "B.",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesDenial | seesDefer,
			deep:       true,
		},
	}
}

// repeated are runs in which messages arrive again, at any later time.
func repeated() []scenario {
	one, two := model.Budget{Duplicate: 1}, model.Budget{Duplicate: 2}
	both := model.Budget{Drop: 1, Duplicate: 1}
	return []scenario{
		{
			name:       "pair-dup",
			doc:        "two nodes, two messages repeated",
			candidates: "B A",
			membership: 2,
			size:       2,
			whole:      true,
			budget:     two,
		},
		{
			name:       "one-head-dup",
			doc:        "a head and two clients, two messages repeated",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			whole:      true,
			budget:     two,
		},
		{
			name:       "one-head-size-dup",
			doc:        "a head with more candidates than may be in its cluster, two messages repeated",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       2,
			budget:     two,
			sees:       seesFilter,
		},
		{
			name:       "two-heads-dup",
			doc:        "two heads court one client, two messages repeated",
			candidates: "C C -",
			membership: 2,
			size:       2,
			budget:     two,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "chain-dup",
			doc:        "A courts B and C, B courts C, one message repeated",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesDenial | seesDefer | seesAdoption,
		},
		{
			name:       "late-dup",
			doc:        "a candidate becomes known at any time, one message repeated",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesAgain,
		},
		{
			name:       "struck-dup",
			doc:        "a candidate is one no more, one message repeated",
			candidates: "BC",
			nodes:      3,
			later:      "A-B A+B",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesAgain,
			deep:       true,
		},
		{
			name:       "drift-dup",
			doc:        "a pair is measured again, one message repeated",
			candidates: "BC",
			nodes:      3,
			later:      "A!",
			drifting:   "BC",
			membership: 2,
			size:       3,
			budget:     one,
			sees:       seesAgain | seesFilter,
		},
		{
			name:       "leave-dup",
			doc:        "a client leaves, one message repeated",
			candidates: "BC",
			nodes:      3,
			later:      "B.",
			membership: 2,
			size:       3,
			budget:     one,
		},
		{
			name:       "two-heads-faulty",
			doc:        "two heads court one client, one message lost, one repeated",
			candidates: "C C -",
			membership: 2,
			size:       2,
			budget:     both,
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "late-faulty",
			doc:        "a candidate becomes known at any time, one message lost, one repeated",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     both,
			sees:       seesAgain,
		},
		{
			name:       "chain-faulty",
			doc:        "A courts B and C, B courts C, one message lost, one repeated",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			budget:     both,
			sees:       seesDenial | seesDefer | seesAdoption,
			deep:       true,
		},
		{
			name:       "one-head-early",
			doc:        "a head and two clients, two timers early",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			budget:     model.Budget{Spurious: 2},
		},
		{
			name:       "two-heads-early",
			doc:        "two heads court one client, two timers early",
			candidates: "C C -",
			membership: 2,
			size:       2,
			budget:     model.Budget{Spurious: 2},
			sees:       seesDenial | seesDefer,
		},
		{
			name:       "late-early",
			doc:        "a candidate becomes known at any time, one timer early",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     model.Budget{Spurious: 1},
			sees:       seesAgain,
		},
	}
}

// failing are runs in which a node fails, and perhaps comes back.
func failing() []scenario {
	crash, back := model.Budget{Crash: 1}, model.Budget{Crash: 1, Restart: 1}
	all := model.Budget{Crash: 1, Drop: 1, Duplicate: 1}
	return []scenario{
		{
			name:       "pair-crash",
			doc:        "two nodes, one fails",
			candidates: "B A",
			membership: 2,
			size:       2,
			budget:     crash,
			sees:       seesRemoval,
		},
		{
			name:         "pair-restart",
			doc:          "two nodes, one fails and comes back",
			candidates:   "B A",
			membership:   2,
			size:         2,
			budget:       back,
			started:      true,
			sees:         seesRemoval | seesReturn,
			solicitsOnce: true,
		},
		{
			name:       "one-head-crash",
			doc:        "a head and two clients, one of the three fails",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			budget:     crash,
			sees:       seesRemoval,
		},
		{
			name:       "one-head-crash-room",
			doc:        "a member fails, and there is room for another",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       2,
			budget:     crash,
			crashers:   "B",
			sees:       seesRemoval | seesAgain,
		},
		{
			name:         "two-heads-crash",
			doc:          "two heads court one client, one of the three fails",
			candidates:   "C C -",
			membership:   2,
			size:         2,
			budget:       crash,
			sees:         seesDenial | seesDefer | seesRemoval,
			solicitsOnce: true,
		},
		{
			name:         "chain-crash",
			doc:          "A courts B and C, B courts C, one of the three fails",
			candidates:   "BC C -",
			membership:   2,
			size:         3,
			budget:       crash,
			sees:         seesDenial | seesDefer | seesAdoption | seesRemoval,
			solicitsOnce: true,
		},
		{
			name:         "mutual-crash",
			doc:          "A and B court each other and C, one of the three fails",
			candidates:   "BC AC -",
			membership:   2,
			size:         3,
			budget:       crash,
			sees:         seesDenial | seesDefer | seesAdoption | seesRemoval,
			deep:         true,
			solicitsOnce: true,
		},
		{
			name:       "late-crash",
			doc:        "a candidate becomes known at any time, one of the three fails",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     crash,
			sees:       seesAgain | seesRemoval,
		},
		{
			name:         "late-restart",
			doc:          "the same, and the failed one comes back",
			candidates:   "B C -",
			later:        "A+C",
			membership:   2,
			size:         3,
			budget:       back,
			started:      true,
			crashers:     "B",
			sees:         seesAgain | seesRemoval | seesReturn,
			deep:         true,
			solicitsOnce: true,
		},
		{
			name:       "leave-crash",
			doc:        "a client leaves and another node fails",
			candidates: "BC",
			nodes:      3,
			later:      "B.",
			membership: 2,
			size:       3,
			budget:     crash,
			sees:       seesRemoval,
		},
		{
			name:       "one-head-crash-crash",
			doc:        "a head and two clients, two of the three fail",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			budget:     model.Budget{Crash: 2},
			sees:       seesRemoval,
		},
		{
			name:       "one-head-crash-faulty",
			doc:        "a head and two clients: one fails, one message lost, one repeated",
			candidates: "BC",
			nodes:      3,
			membership: 2,
			size:       3,
			budget:     all,
			sees:       seesRemoval,
		},
		{
			name:       "two-heads-crash-faulty",
			doc:        "two heads court one client: one fails, one message lost, one repeated",
			candidates: "C C -",
			membership: 2,
			size:       2,
			budget:     all,
			sees:       seesDenial | seesDefer | seesRemoval,
		},
		{
			name:       "late-crash-faulty",
			doc:        "a candidate becomes known at any time: one fails, one message lost, one repeated",
			candidates: "B",
			nodes:      3,
			later:      "A+C",
			membership: 2,
			size:       3,
			budget:     all,
			sees:       seesAgain | seesRemoval,
			deep:       true,
		},
		{
			name:       "chain-crash-faulty",
			doc:        "A courts B and C, B courts C: one fails, one message lost, one repeated",
			candidates: "BC C -",
			membership: 2,
			size:       3,
			budget:     all,
			sees:       seesDenial | seesDefer | seesAdoption | seesRemoval,
			deep:       true,
		},
	}
}

// limits are what cannot hold, and the assumption that each of them breaks.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-suspicion", doc: "a live node is taken for failed", candidates: "BC", nodes: 3, membership: 2, size: 3, budget: model.Budget{Suspect: 1},
			expect: violated("the suspected node counts on the other until it hears of it", "HeadKnows", "RemovedIsGone"),
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
