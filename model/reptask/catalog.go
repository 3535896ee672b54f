package reptask

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Models lists the systems of the corrected core: first those in which every property holds, then
// the expected failures.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{
		everyNetwork(faultless()), everyNetwork(moves()), balances(), faulty(),
		withNetworks(crashes()), withNetworks(ends()), withNetworks(leaving()),
		prematurely(slices.Concat(faultless(), moves(), balances(), crashes(), ends(), leaving())), cordons(), limits(),
	} {
		for _, s := range list {
			all = append(all, compiled(s))
		}
	}
	return all
}

// prematurely adds one premature timeout to the scenarios in which the network loses and duplicates
// nothing. Those with many states are deep. The omitted ones are too large: each was searched,
// breadth first, to 25 million states or more without a violation.
func prematurely(list []scenario) []scenario {
	const (
		large = "overlap four whole shared ties cancel move-back balance-kth trio-crash trio-crash-rejoin move-crash " +
			"owner-crash-move owner-crash-moves owner-crash-two cancel-crash cancel-two-crash cancel-move-crash " +
			"remote-cancel-crash refuse-crash-two pair-crash chain-crash spare-crash-rejoin remote-crash " +
			"shared-crash-pair leave-kill"
		vast = "move-crossing shared-crash"
	)
	var all []scenario
	for _, s := range list {
		b := s.budget
		if b.Spurious+b.Drop+b.Duplicate > 0 || listed(vast, s.name) {
			continue
		}
		b.Spurious = 1
		s.deep = s.deep || listed(large, s.name)
		all = append(all, s.under("early", "one premature timeout", b))
	}
	return all
}

// everyNetwork lists each scenario under four networks: each message arrives once; one is dropped;
// one is duplicated; duplication is unbounded, unless the scenario is vast.
func everyNetwork(list []scenario) []scenario {
	var all []scenario
	for _, s := range list {
		all = append(all, s,
			s.under("drop", "one message dropped", lossy),
			s.under("dup", "one message duplicated", twice))
		if !s.vast {
			all = append(all, s.under("repeat", "unbounded duplication", endless))
		}
	}
	return all
}

// withNetworks adds two networks to each scenario with crashes, unless the list has them already:
// one message dropped, and unbounded duplication.
func withNetworks(failing []scenario) []scenario {
	all, known := slices.Clone(failing), map[string]bool{}
	for _, s := range failing {
		known[s.name] = true
	}
	for _, s := range failing {
		if b := s.budget; b.Drop+b.Duplicate == 0 && !known[s.name+"-drop"] {
			b.Drop = 1
			all = append(all, s.under("drop", "one message dropped", b))
		}
		if b := s.budget; b.Drop+b.Duplicate == 0 && !s.vast {
			b.Repeat = true
			all = append(all, s.under("repeat", "unbounded duplication", b))
		}
	}
	return all
}

// under puts the scenario into a network.
func (s scenario) under(network, means string, b model.Budget) scenario {
	s.deep = s.deep || slices.Contains(strings.Fields(s.deepUnder), network)
	s.name, s.doc, s.budget = s.name+"-"+network, s.doc+"; "+means, b
	return s
}

var (
	lossy   = model.Budget{Drop: 1}
	twice   = model.Budget{Duplicate: 1}
	endless = model.Budget{Repeat: true}
	mixed   = model.Budget{Drop: 1, Duplicate: 1}
	failed  = model.Budget{Crash: 1}
)

// The grids. All nodes see each other; or two clusters share the node B.
func pair() []string  { return []string{"AB", "AB"} }
func trio() []string  { return []string{"ABC", "ABC", "ABC"} }
func chain() []string { return []string{"AB", "ABC", "BC"} }
func apart() []string { return []string{"A", "BC", "BC"} } // the owner of the job does not run it

func asks(owner string, submitted uint64, size int, over reptask.Over, candidates string) request {
	return request{owner, submitted, size, over, candidates}
}

// cross is two jobs of two that both need B. The older one may come later. Their owners represent
// them.
func cross() []request {
	return []request{asks("A", 1, 2, reptask.OverNone, "A"), asks("C", 2, 2, reptask.OverNone, "C")}
}

// both is two jobs of two on two nodes.
func both() []request {
	return []request{asks("A", 1, 2, reptask.OverNone, "A"), asks("B", 2, 2, reptask.OverNone, "B")}
}

// faultless are runs in which every message arrives once, in any order.
func faultless() []scenario {
	total := []request{asks("A", 1, 2, reptask.OverTotal, "A"), asks("C", 2, 2, reptask.OverTotal, "C")}
	return []scenario{
		{
			name: "lone", doc: "a job of two; B represents it, A owns it",
			clusters: pair(), jobs: []request{asks("A", 1, 2, reptask.OverNone, "B")},
		},
		{
			name: "serial", doc: "a serial job and a parallel job",
			clusters: pair(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "A"), asks("B", 2, 1, reptask.OverNone, "B")},
		},
		{name: "pair", doc: "two jobs of two on the same two nodes", clusters: pair(), jobs: both(), witnesses: "Kills"},
		{
			name: "ties", doc: "two jobs of two with one submission time",
			clusters:  pair(),
			jobs:      []request{asks("A", 1, 2, reptask.OverNone, "A"), asks("B", 1, 2, reptask.OverNone, "B")},
			witnesses: "Kills",
		},
		{name: "chain", doc: "two jobs of two that both need B", clusters: chain(), jobs: cross(), witnesses: "Kills"},
		{
			name: "spare", doc: "a job of two, dispatched to three nodes",
			clusters: trio(), jobs: []request{asks("A", 1, 2, 1_500, "B")}, witnesses: "Cancels",
		},
		{
			name: "overlap", doc: "two jobs of two, both dispatched to all three nodes",
			clusters: trio(), jobs: total, witnesses: "Kills Cancels", deep: true, vast: true,
		},
		{
			name: "four", doc: "two jobs of two on three of four nodes each; they share two",
			clusters:  []string{"ABC", "ABCD", "ABCD", "BCD"},
			jobs:      []request{asks("A", 1, 2, 1_500, "A"), asks("D", 2, 2, 1_500, "D")},
			witnesses: "Kills Cancels", deepUnder: "drop dup", vast: true,
		},
		{
			name: "whole", doc: "two jobs that need all three nodes",
			clusters:  trio(),
			jobs:      []request{asks("A", 1, 3, reptask.OverNone, "A"), asks("C", 2, 3, reptask.OverNone, "C")},
			witnesses: "Kills", deepUnder: "drop dup repeat",
		},
		{
			name: "shared", doc: "two jobs of two with one representative",
			clusters:  trio(),
			jobs:      []request{asks("A", 1, 2, reptask.OverTotal, "B"), asks("C", 2, 2, reptask.OverNone, "B")},
			witnesses: "Kills Cancels", deepUnder: "drop dup", vast: true,
		},
		{
			name: "three-jobs", doc: "three jobs of two on two nodes",
			clusters: pair(), jobs: append(both(), asks("A", 3, 2, reptask.OverNone, "A")), witnesses: "Kills",
		},
		{
			name: "move", doc: "an idle job moves from A to C while another holds B",
			clusters: chain(), jobs: cross(), moves: []moving{{"A", "A", "C"}}, witnesses: "Moves", deepUnder: "repeat",
		},
		{
			name: "move-back", doc: "an idle job is to move to C and back again",
			clusters: chain(), jobs: cross(), moves: []moving{{"A", "A", "C"}, {"A", "C", "A"}}, witnesses: "Moves",
			deepUnder: "drop dup repeat",
		},
		{
			name: "move-crossing", doc: "two jobs move, each to where the other was",
			clusters: chain(), jobs: cross(), moves: []moving{{"A", "A", "C"}, {"C", "C", "A"}}, witnesses: "Moves",
			deep: true, vast: true,
		},
		{
			name: "cancel", doc: "a client cancels a job that holds another up",
			clusters: pair(), jobs: both(), cancels: "A", hopeless: true, witnesses: "Withdrawn Stops",
		},
		{
			name: "refuse", doc: "a job that no cluster can take, and one that can run",
			clusters: pair(),
			jobs:     []request{asks("A", 1, 3, reptask.OverNone, "AB"), asks("B", 2, 2, reptask.OverNone, "B")},
			tight:    true, hopeless: true, witnesses: "Refused Regrants",
		},
		{
			name: "second-candidate", doc: "the cluster of the first candidate is too small",
			clusters: []string{"A", "BC", "BC"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "AB")},
			witnesses: "Regrants",
		},
	}
}

// faulty are runs in which messages are dropped or duplicated, or timeouts are premature.
func faulty() []scenario {
	lone := []request{asks("A", 1, 2, reptask.OverNone, "B")}
	return []scenario{
		{
			name: "lone-mixed", doc: "a job of two; two messages dropped, one duplicated",
			clusters: pair(), jobs: lone, budget: model.Budget{Drop: 2, Duplicate: 1},
		},
		{
			name: "pair-mixed", doc: "two jobs of two; one dropped, one duplicated, one premature timeout",
			clusters: pair(), jobs: both(), budget: model.Budget{Drop: 1, Duplicate: 1, Spurious: 1}, witnesses: "Kills",
		},
		{
			name: "chain-mixed", doc: "two jobs of two that both need B; one message dropped, one duplicated",
			clusters: chain(), jobs: cross(), budget: mixed, witnesses: "Kills",
		},
		{
			name: "trio-mixed", doc: "two jobs of two on three nodes; one message dropped, one duplicated",
			clusters: trio(),
			jobs:     []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
			budget:   mixed, witnesses: "Kills",
		},
	}
}

// limits are the expected failures. Each drops one assumption.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-doomed", doc: "a node may crash between its vote and its start",
			clusters: trio(), jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, budget: failed, allStart: true,
			safety: true,
			expect: violated("the others start before any node can know of the crash; their attempt is stopped without a result",
				"AllStart"),
		},
		suspicion(
			scenario{
				name: "limit-false-suspicion", doc: "a running node is falsely suspected",
				jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, budget: model.Budget{Suspect: 1},
				witnesses: "Regrants Stops",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-drop", doc: "one false suspicion; one message dropped",
				jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, budget: model.Budget{Suspect: 1, Drop: 1},
				witnesses: "Regrants Stops",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-crash", doc: "one false suspicion; B or C may crash",
				jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, budget: model.Budget{Suspect: 1, Crash: 1},
				crashers: "BC", tight: true, witnesses: "Regrants Stops",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-remote", doc: "one false suspicion; the representative does not run the job",
				clusters: []string{"BCDE", "B", "C", "D", "E"}, jobs: []request{asks("A", 1, 2, reptask.OverNone, "A")},
				budget: model.Budget{Suspect: 1}, witnesses: "Regrants Stops",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-cancel", doc: "one false suspicion; the job is cancelled",
				jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, cancels: "A", hopeless: true,
				budget: model.Budget{Suspect: 1}, witnesses: "Regrants Stops Withdrawn",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-owner", doc: "one false suspicion; the owner does not run the job and may crash",
				clusters: apart(), jobs: []request{asks("A", 1, 2, reptask.OverNone, "BC")}, crashers: "A", tight: true,
				budget: model.Budget{Suspect: 1, Crash: 1}, witnesses: "Regrants Stops",
			},
		),
		suspicion(
			scenario{
				name: "limit-false-suspicion-two", doc: "two jobs of two; one false suspicion",
				jobs:   []request{asks("A", 1, 2, reptask.OverNone, "AB"), asks("C", 2, 2, reptask.OverNone, "CB")},
				budget: model.Budget{Suspect: 1}, witnesses: "Kills Regrants Stops", deep: true,
			},
		),
	}
}

// suspicion is a scenario in which leases of live peers expire. A node that suspects a peer drops
// what it holds for it, counted or not, so attempts may end in the middle of their start. All other
// properties hold.
func suspicion(s scenario) scenario {
	if s.clusters == nil {
		s.clusters = trio()
	}
	s.expect = violated(
		"a node that suspects its representative drops the task, although its vote counts or the others start",
		"VotesHeld",
		"NeverFewer",
	)
	return s
}

func violated(why string, properties ...string) []model.Expectation {
	var all []model.Expectation
	for _, p := range properties {
		all = append(all, model.Expectation{Property: p, Violated: true, Why: why})
	}
	return all
}
