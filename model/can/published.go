package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	published "github.com/canvass-grid/canvass/protocol/published/can"
)

// Published lists the systems of the published core: those in which a property breaks, with the
// reason, and for comparison some in which all properties hold.
func Published() []model.Checkable {
	var all []model.Checkable
	for _, s := range publishedScenarios() {
		all = append(all, compiled(newSized(s, transcribed)))
	}
	return all
}

// Interpreted returns a scenario of [Published] in one reading of the text, on links that keep the
// order of messages or do not. It returns nil if there is no such scenario. Nothing is expected of
// the model.
func Interpreted(name string, r published.Readings, fifo bool) (model.Checkable, error) {
	for _, s := range publishedScenarios() {
		if s.layout.name+"/"+s.name == name {
			s.readings, s.fifo, s.expect = r, fifo, nil
			return newSized(s, transcribed)
		}
	}
	return nil, nil
}

// publishedScenarios lists them all.
func publishedScenarios() []scenario {
	list := slices.Concat(publishedSound(), publishedFaulty(), publishedFaultless())
	for i := range list {
		list[i].safety = true // a published core that breaks nothing else may still never answer
	}
	return list
}

// Reasons that several scenarios share.
const (
	lateYes       = "a late YES, after its timeout, commits a round that was already cancelled"
	aloneForEver  = "no node is left to answer, so by Algorithm 6 the last node's request never ends"
	ignorantTaker = "a taker that has not received news of the split takes its neighbour's " +
		"whole former zone, with the joiner's half"
	buriedProposal = "a Propose that arrives after its proposer was found failed leaves the receiver BUSY forever"
	figure64       = "the second leave begins before its taker knows of the first: " +
		"the routing discontinuity that the protocol should prevent"
	apart = "each new node knows the other owner as it was before its split, " +
		"and no update ever tells one new node of the other"
)

// publishedSound are the scenarios that the published core passes.
func publishedSound() []scenario {
	return []scenario{
		{
			layout: row1(), name: "join", readings: published.Readings{AloneCommits: true},
			doc:     "B joins at A, the only node; with no neighbour to ask, a request commits at once",
			joiners: one(10, "A"),
		},
		{
			layout: row2(), name: "join-join", doc: "C joins at A while D joins at B",
			joiners: two(4, "A", 12, "B"), conflict: true,
		},
		{
			layout: row3(), name: "leave-leave", doc: "A and C leave; they share a direct neighbour",
			leavers: "AC", conflict: true,
		},
		{
			layout: row3(), name: "join-leave", readings: published.Readings{InstancePerChange: true},
			doc:     "D joins at B while C leaves; zones are counted too",
			joiners: one(4, "A"), leavers: "C", conflict: true,
		},
		{
			layout: tee(), name: "leave", doc: "figure 6.2: A leaves; B and C each take over a part of its zone",
			leavers: "A",
		},
		{
			layout: tee(), name: "leave-leave", doc: "A leaves, and so does B, one of its takers",
			leavers: "AB", conflict: true,
		},
		{
			layout: square(), name: "leave-leave", doc: "A and D leave, which lie at opposite corners",
			leavers: "AD", conflict: true,
		},
		{
			layout: row3(), name: "leave-early", readings: clears(),
			doc:     "B leaves; one premature timeout; cancelling clears the request",
			leavers: "B", budget: model.Budget{Spurious: 1},
		},
	}
}

// publishedFaulty are the scenarios that break when a message is dropped or duplicated, a timeout
// is premature, or a node crashes.
func publishedFaulty() []scenario {
	return []scenario{
		{
			layout: row3(), name: "leave-early", doc: "B leaves; one premature timeout",
			leavers: "B", budget: model.Budget{Spurious: 1},
			expect: violated(lateYes, "CancelledStays"),
		},
		{
			layout: row3(), name: "join-dup", readings: clears(), doc: "D joins at B; one message duplicated",
			joiners: one(4, "A"), budget: model.Budget{Duplicate: 1},
			expect: violated(
				"a duplicated Propose is answered NO, which cancels a round that the earlier YES committed",
				"CancelledStays",
			),
		},
		{
			layout: row3(), name: "join-drop", readings: clears(), doc: "D joins at B; one message dropped",
			joiners: one(4, "A"), budget: model.Budget{Drop: 1},
			expect: violated("a dropped Commit is never resent, so its receiver stays BUSY", "NobodyBusy"),
		},
		{
			layout: row2(), name: "stale-update", noInstance: true,
			doc:     "figure 6.3 without section 6.1: C joins at B, then B leaves",
			joiners: one(12, "A"), leavers: "B", budget: model.Budget{Spurious: 1},
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "ViewsAgree", "Routable"),
				violated(lateYes, "CancelledStays"),
				violated(aloneForEver, "NobodyBusy")),
		},
		{
			layout: row3(), name: "leave-crash-early", readings: kindest(),
			doc:     "B leaves and may crash; one premature timeout",
			leavers: "B", budget: model.Budget{Crash: 1, Spurious: 1}, crashers: "B",
			expect: violated(buriedProposal, "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-crash-early", readings: kindest(),
			doc:     "D joins at B; any node may crash; one premature timeout",
			joiners: one(4, "A"), budget: model.Budget{Crash: 1, Spurious: 1},
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "Routable"),
				violated(buriedProposal, "NobodyBusy")),
		},
	}
}

// publishedFaultless are the scenarios that break without any fault.
func publishedFaultless() []scenario {
	return []scenario{
		{
			layout: row1(), name: "join", doc: "B joins at A, the only node",
			joiners: one(10, "A"),
			expect:  violated(aloneForEver, "NobodyBusy", "Joins"),
		},
		{
			layout: row2(), name: "join-leave", readings: kindest(), doc: "C joins at B while B leaves",
			joiners: one(12, "A"), leavers: "B",
			expect: violated(ignorantTaker, "NoOverlap", "ViewsAgree", "Routable"),
		},
		{
			layout: row3(), name: "join-leave-owner", doc: "D joins at B, through A, while B leaves",
			joiners: one(4, "A"), leavers: "B", conflict: true,
			expect: violated(
				"the owner's next request voids its Commit, which is still in flight, so no node learns of the split",
				"NoOverlap",
				"NoGap",
				"ViewsAgree",
				"Routable",
			),
		},
		{
			layout: halves(), name: "join-join", undetected: true,
			doc:     "C joins at A and D at B, whose zones lie side by side, without section 6.2",
			joiners: []joiner{{at(1, 6), "A"}, {at(6, 6), "B"}},
			expect:  violated(apart, "NeighboursMeet"),
		},
		{
			layout: row4(), name: "leave-leave", doc: "figure 6.4: B and C leave, one after the other",
			leavers: "BC", conflict: true,
			expect: violated(figure64, "NeighboursKnow", "ViewsAgree", "Routable"),
		},
	}
}

// The interpretations of the paper, from the literal one (the zero value) to the most lenient one.
func clears() published.Readings { return published.Readings{CancelClears: true} }

func kindest() published.Readings {
	return published.Readings{InstancePerChange: true, ExceptProposer: true, CancelClears: true, AloneCommits: true}
}
