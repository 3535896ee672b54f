package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// publishedScenarios lists them all: what holds, what breaks without any fault, and what breaks
// when a timeout is premature, a message is dropped or duplicated, or a node crashes.
func publishedScenarios() []publishedScenario {
	return slices.Concat(publishedSound(), publishedFaultless(), publishedFaulty())
}

func publishedSound() []publishedScenario {
	return []publishedScenario{
		{
			name: "pair", doc: "A solicits B",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, whole: "A:B", live: true,
		},
		{
			name: "mutual", doc: "A and B solicit each other",
			nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, whole: "A:B B:A", live: true,
			readings: everyPair(true),
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC", live: true,
			readings: everyPair(false),
		},
		{
			name: "two-suitors", doc: "A and C solicit B",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B", live: true,
		},
		{
			name: "pair-dup", doc: "A solicits B; one message duplicated",
			nodes: 2, near: []string{"A:B"}, memberships: 1, size: 2, budget: model.Budget{Duplicate: 1},
			readings: published.Readings{Once: true},
		},
		{
			name: "recollect-other", doc: "A solicits B, then C",
			nodes: 3, near: []string{"A:B", "A:C"}, memberships: 2, size: 3,
			readings: published.Readings{TellsFormer: true},
		},
	}
}

func publishedFaultless() []publishedScenario {
	return []publishedScenario{
		{
			name: "own", doc: "A and B solicit each other; M=1 counts a node's own cluster",
			nodes: 2, near: []string{"A:B", "B:A"}, memberships: 1, ownCounts: true, size: 2,
			expect: violated(
				"a client counts only the clusters that solicit it, and not its own, so it is in M+1",
				"MembershipBound",
			),
		},
		{
			name: "pair", doc: "A solicits B",
			nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, readings: published.Readings{SolicitsSelf: true},
			expect: violated(
				"the head's own client reports at once, before it has a peer to measure: the pair is measured from one end",
				"Measured",
			),
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC",
			expect: slices.Concat(
				violated(
					"the client that accepts first reports before it knows of the others: a pair is measured from one end",
					"Measured",
				),
				violated(
					"B and C report before either knows of the other, and their unmeasured pair counts as too far",
					"Whole",
				),
			),
		},
		{
			name: "three", doc: "A solicits B and C",
			nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC",
			readings: published.Readings{Lenient: true},
			expect: violated(
				"B and C report before either knows of the other: they share a cluster without a measurement",
				"Measured",
			),
		},
		{
			name: "recollect-full", doc: "A solicits B, then B and C; M=1",
			nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 1, size: 3, readings: everyPair(false),
			expect: violated(
				"a member that is in M clusters denies its own head's next solicitation and stays committed to the old cluster",
				"Agree",
			),
		},
		{
			name: "recollect-other", doc: "A solicits B, then C",
			nodes: 3, near: []string{"A:B", "A:C"}, memberships: 2, size: 3,
			expect: violated(
				"a node that is not in the next cluster is not notified and stays committed to the old one",
				"Agree",
			),
		},
		{
			name: "recollect-more", doc: "A solicits B, then B and C",
			nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 2, size: 3,
			readings: published.Readings{WaitsForPairs: true, Once: true},
			expect:   violated("a delayed report for the first cluster is counted for the second", "Measured"),
		},
		{
			name: "two-suitors", doc: "A and C solicit B",
			nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B",
			readings: published.Readings{DeferIsHeard: true},
			expect:   violated("a client that deferred is never asked again, although it has room", "AskedAgain", "Whole"),
		},
		{
			name: "freed", doc: "A and C solicit B, which is far from A; M=1",
			nodes: 3, near: []string{"A:B", "C:B"}, far: "AB", memberships: 1, size: 2, whole: "A: C:B",
			expect: violated("B denies C for A, A filters B out, and C never asks B again: a rejection is final", "Whole"),
		},
	}
}

func publishedFaulty() []publishedScenario {
	return []publishedScenario{
		{
			name: "mutual-early", doc: "A and B solicit each other; one premature timeout in WAIT",
			nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, readings: everyPair(true), live: true,
			budget: model.Budget{Spurious: 1},
			expect: violated(
				"deadlock: each client waits in MEASURE for its own head, "+
					"and each head waits for the other client, which defers it",
				"Converges",
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
			name: "pair-dup", doc: "A solicits B; one message duplicated; M=1",
			nodes: 2, near: []string{"A:B"}, memberships: 1, size: 2, budget: model.Budget{Duplicate: 1},
			expect: violated(
				"a duplicated solicitation is listed twice: the client denies and accepts the same suitor, and waits forever",
				"NobodyStuck",
			),
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
func everyPair(self bool) published.Readings {
	return published.Readings{SolicitsSelf: self, WaitsForPairs: true}
}

func lettered(names string) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, name := range names {
		ids = append(ids, protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1})
	}
	return ids
}
