package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// publishedScenarios lists them all: scenarios that hold, that break without any fault, and that
// break when a timeout is premature, a message is dropped or duplicated, or a node crashes.
func publishedScenarios() []publishedScenario {
	return slices.Concat(publishedSound(), publishedFaultless(), publishedFaulty())
}

func publishedSound() []publishedScenario {
	const three = "A, C and D solicit B, which keeps two of them"
	return []publishedScenario{
		{
			name: "pair", doc: "A solicits B",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, whole: "A:B", live: true,
		},
		{
			name: "mutual", doc: "A and B solicit each other",
			nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, whole: "A:B B:A", live: true,
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 3, size: 3, whole: "A:BC", live: true,
			readings: everyPair(),
		},
		{
			name: "two-suitors", doc: "A and C solicit B",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B", live: true,
		},
		{
			name: "two-suitors-dup", doc: "A and C solicit B; one message duplicated",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B",
			budget: model.Budget{Duplicate: 1}, readings: published.Readings{Once: true},
		},
		{
			name: "recollect-other", doc: "A solicits B, then C",
			nodes: 3, near: []string{"A:B", "A:C"}, memberships: 3, size: 3,
			readings: published.Readings{TellsFormer: true},
		},
		{
			name: "suitors", doc: three + ", first come, first served",
			nodes: 4, near: []string{"A:B", "C:B", "D:B"}, memberships: 2, size: 2, instant: true, denies: true,
		},
		{
			name: "suitors-global", doc: three + ", by their hashes",
			nodes: 4, near: []string{"A:B", "C:B", "D:B"}, memberships: 2, size: 2, criterion: published.Global,
			instant: true, denies: true, prefers: first("ACD"),
		},
		{
			name: "suitors-greedy", doc: three + ", by the size that their clusters may reach, and by their hashes",
			nodes: 4, near: []string{"A:B", "C:B", "D:B"}, memberships: 2, size: 2, criterion: published.Greedy,
			instant: true, denies: true, prefers: first("ACD"),
		},
	}
}

func publishedFaultless() []publishedScenario {
	return []publishedScenario{
		{
			name: "own", doc: "A and C solicit B, which solicits A",
			nodes: 3, near: []string{"A:B", "B:A", "C:B"}, memberships: 2, size: 2, instant: true,
			expect: violated(
				"a client counts only the clusters that solicit it, and not its own, so it is in M+1",
				"MembershipBound",
			),
		},
		{
			name: "aware", doc: "A and C solicit B, which solicits D",
			nodes: 4, near: []string{"A:B", "B:D", "C:B"}, memberships: 2, size: 2, instant: true,
			expect: slices.Concat(
				violated("B counts two clusters that solicit it, and not its own", "MembershipBound"),
				violated("with its own cluster, B is to measure three others, and M(N-1) is two",
					"AwarenessBound", "AdoptionBound"),
			),
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 3, size: 3, whole: "A:BC",
			expect: violated(
				"B and C report before either knows of the other, and their unmeasured pair counts as too far",
				"Whole",
			),
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 3, size: 3, whole: "A:BC",
			readings: published.Readings{Lenient: true},
			expect: violated(
				"B and C report before either knows of the other: they share a cluster without a measurement",
				"Measured",
			),
		},
		{
			name: "recollect-other", doc: "A solicits B, then C",
			nodes: 3, near: []string{"A:B", "A:C"}, memberships: 3, size: 3,
			expect: violated(
				"a node that is not in the next cluster is not notified and stays committed to the old one",
				"Agree",
			),
		},
		{
			name: "recollect-more", doc: "A solicits B, then B and C",
			nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 3, size: 3,
			readings: published.Readings{WaitsForPairs: true, Once: true},
			expect:   violated("a delayed report for the first cluster is counted for the second", "Measured"),
		},
	}
}

func publishedFaulty() []publishedScenario {
	return []publishedScenario{
		{
			name: "triangle", doc: "A, B and C solicit each other; three premature timeouts in WAIT, and no other",
			nodes: 3, near: []string{"A:BC", "B:AC", "C:AB"}, memberships: 3, size: 3, fifo: true,
			budget: model.Budget{Spurious: 3}, circle: true, instant: true,
			expect: violated(
				"deadlock: each client waits in MEASURE for one head and defers the other, "+
					"and each head waits in SOLICIT for the client that defers it",
				"NoCircle",
			),
		},
		{
			name: "pair-drop", doc: "A solicits B; one message dropped",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Drop: 1},
			expect: slices.Concat(
				violated("a dropped solicitation is not resent: the head waits in SOLICIT forever", "NobodyStuck"),
				violated("a dropped confirmation is not resent: the head counts a member that waits in MEASURE forever", "Agree")),
		},
		{
			name: "two-suitors-dup", doc: "A and C solicit B; one message duplicated",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B",
			budget: model.Budget{Duplicate: 1},
			expect: slices.Concat(
				violated(
					"a duplicated solicitation takes a second place: another suitor is denied although there is room",
					"Whole",
				),
				violated(
					"the client denies and accepts the suitor whose solicitation was duplicated, and waits for it forever",
					"NobodyStuck",
				),
			),
		},
		{
			name: "pair-crash-head", doc: "A solicits B; A may crash",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "A",
			expect: violated(
				"only committed clients notice that a head fails: a client that accepted waits in MEASURE forever",
				"NobodyStuck",
				"Agree",
			),
		},
		{
			name: "pair-crash-client", doc: "A solicits B; B may crash",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "B",
			expect: slices.Concat(
				violated("a head has no timeout for clients that do not answer: it waits in SOLICIT forever", "NobodyStuck"),
				violated("a head never notices that a member has failed", "Agree")),
		},
		{
			name: "pair-crash-measure", doc: "A solicits B; B may crash in MEASURE",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "B",
			inMeasure: true,
			expect: slices.Concat(
				violated("a head waits in FILTER for the measurements of a failed client", "NobodyStuck"),
				violated("a head never notices that a member has failed", "Agree")),
		},
		{
			name: "two-suitors-crash", doc: "A and C solicit B; A may crash",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, live: true, budget: model.Budget{Crash: 1},
			crashers: "A",
			expect: slices.Concat(
				violated(
					"a client that waits for a failed head keeps every other head waiting",
					"Converges",
				),
				violated("only committed clients notice that a head fails", "NobodyStuck", "Agree"),
			),
		},
	}
}

// everyPair is the interpretation in which a head waits until both ends have measured each pair.
func everyPair() published.Readings { return published.Readings{WaitsForPairs: true} }

func lettered(names string) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, name := range names {
		ids = append(ids, protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1})
	}
	return ids
}
