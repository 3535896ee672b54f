package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// publishedScenarios lists them all: what holds, what breaks without any fault, and what breaks when
// something is late, lost, repeated or fails.
func publishedScenarios() []publishedScenario {
	return slices.Concat(publishedSound(), publishedFaultless(), publishedFaulty())
}

func publishedSound() []publishedScenario {
	return []publishedScenario{
		{name: "pair", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, whole: "A:B", live: true},
		{
			name:        "mutual",
			doc:         "A and B find each other",
			nodes:       2,
			near:        []string{"A:B", "B:A"},
			memberships: 2,
			size:        2,
			whole:       "A:B B:A",
			live:        true,
			readings:    everyPair(true),
		},
		{
			name:        "three",
			doc:         "A finds B and C",
			nodes:       3,
			near:        []string{"A:BC"},
			memberships: 2,
			size:        3,
			whole:       "A:BC",
			live:        true,
			readings:    everyPair(false),
		},
		{
			name:        "two-suitors",
			doc:         "A finds B, and so does C",
			nodes:       3,
			near:        []string{"A:B", "C:B"},
			memberships: 2,
			size:        2,
			whole:       "A:B C:B",
			live:        true,
		},
		{
			name:        "pair-dup",
			doc:         "A finds B, one message repeated",
			nodes:       2,
			near:        []string{"A:B"},
			memberships: 1,
			size:        2,
			budget:      model.Budget{Duplicate: 1},
			readings:    published.Readings{Once: true},
		},
		{
			name:        "recollect-other",
			doc:         "A finds B, then C",
			nodes:       3,
			near:        []string{"A:B", "A:C"},
			memberships: 2,
			size:        3,
			readings:    published.Readings{TellsFormer: true},
		},
	}
}

func publishedFaultless() []publishedScenario {
	return []publishedScenario{
		{
			name: "own", doc: "A and B find each other; M is 1 and counts a node's own cluster", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 1, ownCounts: true, size: 2,
			expect: violated(
				"a client limits the clusters that solicit it; its own comes on top, so it is in M+1",
				"MembershipBound",
			),
		},
		{
			name: "pair", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, readings: published.Readings{SolicitsSelf: true},
			expect: violated(
				"the head's own client has nobody to measure when it accepts and reports at once: its cluster is measured from one end",
				"Measured",
			),
		},
		{
			name: "three", doc: "A finds B and C", nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC",
			expect: slices.Concat(
				violated(
					"a client that accepts first has reported before it hears of the others: a pair is measured from one end",
					"Measured",
				),
				violated(
					"B and C have both reported before either has heard of the other, and the pair nobody measured counts as too far",
					"Whole",
				),
			),
		},
		{
			name: "three", doc: "A finds B and C", nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC", readings: published.Readings{Lenient: true},
			expect: violated(
				"B and C have both reported before either has heard of the other: they share a cluster unmeasured",
				"Measured",
			),
		},
		{
			name: "recollect-full", doc: "A finds B, then B and C; M is 1", nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 1, size: 3, readings: everyPair(false),
			expect: violated(
				"a member with its full allocation rejects its own head's next solicitation and stays committed to the old cluster",
				"Agree",
			),
		},
		{
			name: "recollect-other", doc: "A finds B, then C", nodes: 3, near: []string{"A:B", "A:C"}, memberships: 2, size: 3,
			expect: violated(
				"who is not in the next discovered cluster is not told and stays committed to the old one",
				"Agree",
			),
		},
		{
			name: "recollect-more", doc: "A finds B, then B and C", nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 2, size: 3, readings: published.Readings{WaitsForPairs: true, Once: true},
			expect: violated(
				"a report of what was measured for the first cluster arrives late and is counted for the second",
				"Measured",
			),
		},
		{
			name: "two-suitors", doc: "A finds B, and so does C", nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B", readings: published.Readings{DeferIsHeard: true},
			expect: violated("a client that deferred is never asked again though it has room", "AskedAgain", "Whole"),
		},
		{
			name: "freed", doc: "A finds B, and so does C; A and B are too far apart; M is 1", nodes: 3, near: []string{"A:B", "C:B"}, far: "AB", memberships: 1, size: 2, whole: "A: C:B",
			expect: violated("B rejects C for A, A filters B out, and nobody asks B again: a rejection is for ever", "Whole"),
		},
	}
}

func publishedFaulty() []publishedScenario {
	return []publishedScenario{
		{
			name: "mutual-early", doc: "A and B find each other, one time-out of WAIT early", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, readings: everyPair(true), live: true, budget: model.Budget{Spurious: 1},
			expect: violated(
				"deadlock: each client waits in MEASURE for its own head's confirmation, each head for the other client, which defers it",
				"Converges",
			),
		},
		{
			name: "pair-drop", doc: "A finds B, one message lost", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Drop: 1},
			expect: slices.Concat(
				violated("a lost solicitation is not repeated: the head waits in SOLICIT for ever", "NobodyStuck"),
				violated("a lost confirmation is not repeated: the head counts a member that waits in MEASURE for ever", "Agree")),
		},
		{
			name: "pair-dup", doc: "A finds B, one message repeated; M is 1", nodes: 2, near: []string{"A:B"}, memberships: 1, size: 2, budget: model.Budget{Duplicate: 1},
			expect: violated(
				"a repeated solicitation is appended twice: the same suitor is rejected and accepted, and the client waits for ever",
				"NobodyStuck",
			),
		},
		{
			name: "two-suitors-dup", doc: "A finds B, and so does C, one message repeated", nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, whole: "A:B C:B", budget: model.Budget{Duplicate: 1},
			expect: slices.Concat(
				violated(
					"a repeated solicitation takes up a second place: another suitor is rejected though there is room",
					"Whole",
				),
				violated(
					"a suitor whose solicitation was repeated is rejected and accepted, and the client waits for it for ever",
					"NobodyStuck",
				),
			),
		},
		{
			name: "pair-crash-head", doc: "A finds B and fails", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "A",
			expect: violated(
				"only committed clients notice that a head fails: one that has accepted waits in MEASURE for ever",
				"NobodyStuck",
				"Agree",
			),
		},
		{
			name: "pair-crash-client", doc: "A finds B, which fails", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "B",
			expect: slices.Concat(
				violated("a head has no time-out for clients that do not answer: it waits in SOLICIT for ever", "NobodyStuck"),
				violated("a head never notices that a member has failed", "Agree")),
		},
		{
			name: "pair-crash-measure", doc: "A finds B, which fails in MEASURE", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "B", inMeasure: true,
			expect: slices.Concat(
				violated("a head waits in FILTER for the measurements of a client that has failed", "NobodyStuck"),
				violated("a head never notices that a member has failed", "Agree")),
		},
		{
			name: "two-suitors-crash", doc: "A finds B and fails; C finds B", nodes: 3, near: []string{"A:B", "C:B"}, memberships: 2, size: 2, live: true, budget: model.Budget{Crash: 1}, crashers: "A",
			expect: slices.Concat(
				violated(
					"a client that waits for a failed head keeps every other head waiting, for its answer or for its measurements",
					"Converges",
				),
				violated("only committed clients notice that a head fails", "NobodyStuck", "Agree"),
			),
		},
	}
}

// everyPair is the reading in which a head waits for every pair to be measured from both ends.
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
