package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	published "github.com/canvass-grid/canvass/protocol/published/can"
)

// Printed lists the systems of the printed core: those in which a property breaks, with what
// breaks, and for comparison some in which all hold.
func Published() []model.Checkable {
	var all []model.Checkable
	for _, s := range publishedScenarios() {
		all = append(all, compiled(newSized(s, transcribed)))
	}
	return all
}

// publishedScenarios lists them all, the readings in their names.
func publishedScenarios() []scenario {
	list := slices.Concat(publishedSound(), publishedFaulty(), publishedFaultless())
	for i, s := range list {
		list[i].safety = true // a printed core that breaks nothing else may still never answer
		if r := s.readings.String(); r != "letter" {
			list[i].name += "@" + r
		}
	}
	return list
}

// What goes wrong in more than one of them.
const (
	lateYes        = "an answer after its time-out turns the cancelled round into a committed one"
	aloneForEver   = "with nobody to answer, the last node's request never ends"
	ignorantTaker  = "a taker that has not heard of the split takes all that its neighbour once owned, the joiner's half included"
	aheadOfItself  = "a replica that counts a change along gets ahead of the node itself and ignores its next Commit"
	buriedProposal = "a proposal that arrives after its proposer was found to have failed leaves its receiver BUSY for ever"
	figure64       = "the second leave begins before updates have told its taker of the first: the very discontinuity that is to be prevented"
)

// publishedSound are those that the printed core passes.
func publishedSound() []scenario {
	return []scenario{
		{layout: row2(), name: "join-join", doc: "joins at adjacent owners", joiners: two(4, "A", 12, "B"), conflict: true},
		{
			layout:   row3(),
			name:     "leave-leave",
			doc:      "both ends leave; they share a direct neighbour",
			leavers:  "AC",
			conflict: true,
		},
		{layout: tee(), name: "leave", doc: "figure 6.2: A leaves, B and C take a part each", leavers: "A"},
		{
			layout:   row3(),
			name:     "leave-early",
			readings: clears(),
			doc:      "a lone leave, one time-out early, where cancel clears the command",
			leavers:  "B",
			budget:   model.Budget{Spurious: 1},
		},
	}
}

// publishedFaulty are those that break when something is lost, repeated, early or fails.
func publishedFaulty() []scenario {
	return []scenario{
		{
			layout: row3(), name: "leave-early", doc: "a lone leave, one time-out early", leavers: "B", budget: model.Budget{Spurious: 1},
			expect: violated(lateYes, "CancelledStays"),
		},
		{
			layout: row3(), name: "join-dup", readings: clears(), doc: "a lone join, one message repeated", joiners: one(4, "A"), budget: model.Budget{Duplicate: 1},
			expect: violated(
				"a repeated Propose is answered NO, and the NO cancels what its YES has committed",
				"CancelledStays",
			),
		},
		{
			layout: row3(), name: "join-drop", readings: clears(), doc: "a lone join, one message lost", joiners: one(4, "A"), budget: model.Budget{Drop: 1},
			expect: violated("a Commit that is lost is never repeated: its receiver stays BUSY", "NobodyBusy"),
		},
		{
			layout: row2(), name: "stale-update", noInstance: true, doc: "figure 6.3 without section 6.1: an old update comes late", joiners: one(12, "A"), leavers: "B", budget: model.Budget{Spurious: 1},
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "ViewsAgree", "Routable"),
				violated(lateYes, "CancelledStays"),
				violated(aloneForEver, "NobodyBusy")),
		},
		{
			layout: row3(), name: "leave-crash-early", readings: kindest(), doc: "a leave, a crash of anybody, one timer early", leavers: "B", budget: model.Budget{Crash: 1, Spurious: 1},
			expect: slices.Concat(
				violated(
					"who takes the departure for a failure ignores the Commit, and loses sight of the taker before that fails",
					"NoGap",
				),
				violated(buriedProposal, "NobodyBusy"),
			),
		},
		{
			layout: row3(), name: "join-crash-early", readings: kindest(), doc: "a join, a crash of anybody, one timer early", joiners: one(4, "A"), budget: model.Budget{Crash: 1, Spurious: 1},
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "Routable"),
				violated(buriedProposal, "NobodyBusy")),
		},
		{
			layout: row3(), name: "leave-leave-early", doc: "both ends leave, two timers early", leavers: "AC", budget: model.Budget{Spurious: 2}, conflict: true,
			expect: slices.Concat(
				violated(lateYes, "CancelledStays"),
				violated("both rounds take effect, the cancelled one by a late answer", "NoConflict")),
		},
	}
}

// publishedFaultless are those that break although nothing fails.
func publishedFaultless() []scenario {
	return []scenario{
		{
			layout: row2(), name: "leave-leave", doc: "siblings leave one after the other", leavers: "AB",
			expect: violated(aloneForEver, "NobodyBusy"),
		},
		{
			layout: row2(), name: "join-leave", readings: kindest(), doc: "a join at B, which leaves", joiners: one(12, "A"), leavers: "B",
			expect: slices.Concat(
				violated(ignorantTaker, "NoOverlap", "ViewsAgree", "Routable"),
				violated(aloneForEver, "NobodyBusy")),
		},
		{
			layout: row3(), name: "join-leave", readings: counted(), doc: "a join and a leave that share a direct neighbour", joiners: one(4, "A"), leavers: "C", conflict: true,
			expect: violated(aheadOfItself, "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-leave-owner", doc: "a join at B by way of A while B leaves", joiners: one(4, "A"), leavers: "B", conflict: true,
			expect: violated(
				"the owner's next request makes its Commit, still on its way, void: nobody learns of the split",
				"NoOverlap",
				"NoGap",
				"Routable",
			),
		},
		{
			layout: row4(), name: "leave-leave", doc: "figure 6.4: B and C leave, one after the other", leavers: "BC", conflict: true,
			expect: violated(figure64, "NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: row4(), name: "leave-leave", readings: fixed(), doc: "the same, with N_L fixed at the request", leavers: "BC", conflict: true,
			expect: violated(figure64, "NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: square(), name: "leave-leave", doc: "opposite corners leave", leavers: "AD", conflict: true,
			expect: violated(
				"a neighbour that an update brings back was never asked: the round waits for it for ever",
				"NobodyBusy",
			),
		},
		{
			layout: tee(), name: "leave-leave", readings: counted(), doc: "A and one of its takers leave", leavers: "AB", conflict: true,
			expect: violated(aheadOfItself, "NobodyBusy"),
		},
	}
}

// The readings, from the letter (the zero value) to the kindest.
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
