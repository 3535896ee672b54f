package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/asprinted"
)

// Printed lists the systems of the printed core: those in which a property breaks, with what breaks, and
// for comparison some in which all hold.
func Printed() []model.Checkable {
	var all []model.Checkable
	for _, s := range printed() {
		if r := s.readings.String(); r != "letter" {
			s.name += "@" + r
		}
		all = append(all, compiled(s.printed().Compile()))
	}
	return all
}

func printed() []scenario {
	letter := asprinted.Readings{}
	fixed := asprinted.Readings{FixedNeighbourhood: true}
	clears := asprinted.Readings{FixedNeighbourhood: true, CancelClears: true}
	counted := asprinted.Readings{FixedNeighbourhood: true, InstancePerChange: true}
	kindest := asprinted.Readings{FixedNeighbourhood: true, InstancePerChange: true, ExceptProposer: true, CancelClears: true}
	drop := model.Budget{Drop: 1}
	duplicate := model.Budget{Duplicate: 1}
	early := model.Budget{Spurious: 1}
	crash := model.Budget{Crash: 1}
	return []scenario{
		{layout: row2(), name: "join-join", readings: letter, doc: "joins at adjacent owners", joiners: two(4, "A", 12, "B"), conflict: true},
		{layout: row3(), name: "leave-leave", readings: letter, doc: "both ends leave; they share a direct neighbour", leavers: "AC", conflict: true},
		{layout: tee(), name: "leave", readings: letter, doc: "figure 6.2: A leaves, B and C take a part each", leavers: "A"},
		{
			layout: row3(), name: "leave-early", readings: letter, doc: "a lone leave, one time-out early", leavers: "B", budget: early,
			expect: violated("an answer after its time-out turns the cancelled round into a committed one", "CancelledStays"),
		},
		{layout: row3(), name: "leave-early", readings: clears, doc: "the same, where cancel clears the command", leavers: "B", budget: early},
		{
			layout: row3(), name: "join-dup", readings: clears, doc: "a lone join, one message repeated", joiners: one(4, "A"), budget: duplicate,
			expect: violated("a repeated YES starts the next CommitPhase of a round that is over", "CancelledStays"),
		},
		{
			layout: row3(), name: "join-drop", readings: clears, doc: "a lone join, one message lost", joiners: one(4, "A"), budget: drop,
			expect: violated("a Commit that is lost is never repeated: its receiver stays BUSY", "NobodyBusy"),
		},
		{
			layout: row2(), name: "leave-leave", readings: letter, doc: "siblings leave one after the other", leavers: "AB",
			expect: violated("with nobody to answer, the last node's request never ends", "NobodyBusy"),
		},
		{
			layout: row2(), name: "join-leave", readings: kindest, doc: "a join at B, which leaves", joiners: one(12, "A"), leavers: "B",
			expect: violated("the hand-over is late: the replicas take the joiner for the owner of a zone that it does not have yet",
				"NoOverlap", "ViewsAgree", "Routable", "NobodyBusy"),
		},
		{
			layout: row2(), name: "stale-update", readings: letter, noInstance: true, doc: "figure 6.3 without section 6.1: an old update comes late", joiners: one(12, "A"), leavers: "B", budget: early,
			expect: violated("a node that has left is taken for a neighbour that has failed",
				"NoOverlap", "CancelledStays", "ViewsAgree", "Routable", "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-leave", readings: counted, doc: "a join and a leave that share a direct neighbour", joiners: one(4, "A"), leavers: "C", conflict: true,
			expect: violated("an update overtakes the Commit, whose number is then too old to end the BUSY state", "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-leave-owner", readings: letter, doc: "a join at B by way of A while B leaves", joiners: one(4, "A"), leavers: "B", conflict: true,
			expect: violated("the joiner's neighbours believe what its stale owner said", "NoOverlap", "NoGap", "Routable"),
		},
		{
			layout: row4(), name: "leave-leave", readings: letter, doc: "figure 6.4: B and C leave, one after the other", leavers: "BC", conflict: true,
			expect: violated("the second leaves before updates told its taker about the first one's: the very discontinuity that the protocol is to prevent",
				"NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: row4(), name: "leave-leave", readings: fixed, doc: "the same, with N_L fixed at the request", leavers: "BC", conflict: true,
			expect: violated("the same", "NeighboursKnow", "ViewsAgree", "Routable"),
		},
		{
			layout: square(), name: "leave-leave", readings: letter, doc: "opposite corners leave", leavers: "AD", conflict: true,
			expect: violated("a neighbour that was learnt after the request was never asked: the round never ends", "NobodyBusy"),
		},
		{
			layout: tee(), name: "leave-leave", readings: counted, doc: "A and one of its takers leave", leavers: "AB", conflict: true,
			expect: violated("an update overtakes the Commit, whose number is then too old to end the BUSY state", "NobodyBusy"),
		},
		{
			layout: row3(), name: "leave-crash", readings: fixed, doc: "a leave and a crash of anybody", leavers: "B", budget: crash,
			expect: violated("a leaver that fails half-way leaves a zone that nobody takes and neighbours that stay BUSY", "NoGap", "NobodyBusy"),
		},
		{
			layout: row3(), name: "join-crash", readings: fixed, doc: "a join and a crash of anybody", joiners: one(4, "A"), budget: crash,
			expect: violated("an owner that fails half-way is replaced by a taker that knows nothing of the joiner", "NoOverlap", "Routable", "NobodyBusy"),
		},
	}
}
