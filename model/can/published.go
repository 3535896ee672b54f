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

// publishedScenarios lists them all, with the interpretation in each name.
func publishedScenarios() []scenario {
	list := slices.Concat(publishedSound(), publishedFaulty(), publishedFaultless())
	for i, s := range list {
		list[i].safety = true // a published core that breaks nothing else may still never answer
		if r := s.readings.String(); r != "letter" {
			list[i].name += "@" + r
		}
	}
	return list
}

// Reasons that several scenarios share.
const (
	lateYes       = "a late YES, after its timeout, commits a round that was already cancelled"
	aloneForEver  = "no node is left to answer, so the last node's request never ends"
	ignorantTaker = "a taker that has not received news of the split takes its neighbour's " +
		"whole former zone, with the joiner's half"
	aheadOfItself = "a node that counts another's change runs ahead of that node's instance number " +
		"and ignores its next Commit"
	buriedProposal = "a Propose that arrives after its proposer was found failed leaves the receiver BUSY forever"
	figure64       = "the second leave begins before its taker knows of the first: " +
		"the routing discontinuity that the protocol should prevent"
)

// publishedSound are those that the published core passes.
func publishedSound() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join-join", doc: "C joins at A while D joins at B",
			joiners: two(4, "A", 12, "B"), conflict: true,
		},
		{
			layout: row3(), name: "leave-leave", doc: "A and C leave; they share a direct neighbour",
			leavers: "AC", conflict: true,
		},
		{
			layout: tee(), name: "leave", doc: "figure 6.2: A leaves; B and C each take over a part of its zone",
			leavers: "A",
		},
		{
			layout: row3(), name: "leave-early", readings: clears(),
			doc:     "B leaves; one premature timeout; cancelling clears the request",
			leavers: "B", budget: model.Budget{Spurious: 1},
		},
	}
}

// publishedFaulty are those that break when a message is dropped or duplicated, a timeout is
// premature, or a node crashes.
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
			doc:     "B leaves; any node may crash; one premature timeout",
			leavers: "B", budget: model.Budget{Crash: 1, Spurious: 1},
			expect: slices.Concat(
				violated(
					"a node that takes the departure for a failure ignores the Commit and "+
						"does not learn the taker before that crashes",
					"NoGap",
				),
				violated(buriedProposal, "NobodyBusy"),
			),
		},
		{
			layout: row3(), name: "join-crash-early", readings: kindest(),
			doc:     "D joins at B; any node may crash; one premature timeout",
			joiners: one(4, "A"), budget: model.Budget{Crash: 1, Spurious: 1},
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "Routable"),
				violated(buriedProposal, "NobodyBusy")),
		},
		{
			layout: row3(), name: "leave-leave-early", doc: "A and C leave; two premature timeouts",
			leavers: "AC", budget: model.Budget{Spurious: 2}, conflict: true,
			expect: slices.Concat(
				violated(lateYes, "CancelledStays"),
				violated("both rounds take effect: a late answer commits the cancelled one", "NoConflict")),
		},
	}
}

// publishedFaultless are those that break without any fault.
func publishedFaultless() []scenario {
	return []scenario{
		{
			layout: row2(), name: "leave-leave", doc: "A and B leave, one after the other",
			leavers: "AB",
			expect:  violated(aloneForEver, "NobodyBusy"),
		},
		{
			layout: row2(), name: "join-leave", readings: kindest(), doc: "C joins at B while B leaves",
			joiners: one(12, "A"), leavers: "B",
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "ViewsAgree", "Routable"),
				violated(aloneForEver, "NobodyBusy")),
		},
		{
			layout: row3(), name: "join-leave", readings: counted(), doc: "D joins at B while C leaves",
			joiners: one(4, "A"), leavers: "C", conflict: true,
			expect: violated(aheadOfItself, "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-leave-owner", doc: "D joins at B, through A, while B leaves",
			joiners: one(4, "A"), leavers: "B", conflict: true,
			expect: violated(
				"the owner's next request voids its Commit, which is still in flight, so no node learns of the split",
				"NoOverlap",
				"NoGap",
				"Routable",
			),
		},
		{
			layout: row4(), name: "leave-leave", doc: "figure 6.4: B and C leave, one after the other",
			leavers: "BC", conflict: true,
			expect: violated(figure64, "NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: row4(), name: "leave-leave", readings: fixed(),
			doc:     "figure 6.4, with N_L fixed when the round begins",
			leavers: "BC", conflict: true,
			expect: violated(figure64, "NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: square(), name: "leave-leave", doc: "A and D leave, which lie at opposite corners",
			leavers: "AD", conflict: true,
			expect: violated(
				"an update brings back a neighbour that was never asked; the round waits for it forever",
				"NobodyBusy",
			),
		},
		{
			layout: tee(), name: "leave-leave", readings: counted(), doc: "A leaves, and so does B, one of its takers",
			leavers: "AB", conflict: true,
			expect: violated(aheadOfItself, "NobodyBusy"),
		},
	}
}

// The interpretations of the paper, from the literal one (the zero value) to the one that breaks
// least.
func fixed() published.Readings { return published.Readings{FixedNeighbourhood: true} }

func clears() published.Readings {
	return published.Readings{FixedNeighbourhood: true, CancelClears: true}
}

func counted() published.Readings {
	return published.Readings{FixedNeighbourhood: true, InstancePerChange: true}
}

func kindest() published.Readings {
	return published.Readings{FixedNeighbourhood: true, InstancePerChange: true, ExceptProposer: true, CancelClears: true}
}
