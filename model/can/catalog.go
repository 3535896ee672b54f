package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems of the corrected core: first those in which every property holds, then
// the expected failures.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{rows(), planes(), crashes(), adequacy(), rare(), limits()} {
		for _, s := range list {
			all = append(all, compiled(newSized(s, corrected)))
		}
	}
	return all
}

func compiled(c model.Checkable, err error) model.Checkable {
	if err != nil {
		panic(fmt.Sprintf("the catalogue is broken: %v", err))
	}
	return c
}

// rows are changes without a crash on a row of zones.
func rows() []scenario {
	return []scenario{
		{layout: row2(), name: "join", doc: "C joins at A", joiners: one(4, "A")},
		{layout: row2(), name: "leave", doc: "B leaves", leavers: "B"},
		{
			layout: row2(), name: "leave-leave", doc: "A and B leave; the last node must stay",
			leavers: "AB", conflict: true,
		},
		{
			layout: row2(), name: "join-join", doc: "C joins at A while D joins at B",
			joiners: two(4, "A", 12, "B"), conflict: true,
		},
		{
			layout: row2(), name: "join-join-same", doc: "C and D join at A, through different contacts",
			joiners: two(4, "A", 5, "B"), conflict: true,
		},
		{
			layout: row2(), name: "stale-update",
			doc:     "figure 6.3: C joins at B, then B leaves; an old update is delayed",
			joiners: one(12, "A"), leavers: "B", budget: model.Budget{Spurious: 1}, conflict: true,
		},
		{
			layout: row2(), name: "join-leave-faulty",
			doc:     "C joins at A while B leaves; one message dropped, one duplicated",
			joiners: one(4, "A"), leavers: "B", budget: model.Budget{Drop: 1, Duplicate: 1}, conflict: true,
		},
		{
			layout: row3(), name: "join-join", doc: "D joins at B while E joins at C",
			joiners: two(4, "A", 14, "C"), conflict: true,
		},
		{
			layout: row3(), name: "join-join-leave", doc: "D joins at B while E joins at C; B leaves too",
			joiners: two(4, "A", 14, "C"), leavers: "B", conflict: true, deep: true, safety: true,
		},
		{
			layout: row3(), name: "join-leave", doc: "D joins at B while C leaves",
			joiners: one(4, "A"), leavers: "C", conflict: true,
		},
		{
			layout: row3(), name: "join-leave-drop", doc: "D joins at B while C leaves; one message dropped",
			joiners: one(4, "A"), leavers: "C", budget: model.Budget{Drop: 1}, conflict: true,
		},
		{
			layout: row3(), name: "join-leave-dup", doc: "D joins at B while C leaves; one message duplicated",
			joiners: one(4, "A"), leavers: "C", budget: model.Budget{Duplicate: 1}, conflict: true, deep: true,
			safety: true,
		},
		{
			layout: row3(), name: "join-leave-early", doc: "D joins at B while C leaves; one premature timeout",
			joiners: one(4, "A"), leavers: "C", budget: model.Budget{Spurious: 1}, conflict: true, deep: true,
			safety: true,
		},
		{
			layout: row3(), name: "leave-leave", doc: "A and C leave; they share a direct neighbour",
			leavers: "AC", conflict: true,
		},
		{
			layout: row3(), name: "leave-leave-faulty", doc: "A and C leave; one message dropped, one duplicated",
			leavers: "AC", budget: model.Budget{Drop: 1, Duplicate: 1}, conflict: true,
		},
		{
			layout: row3(), name: "leave-leave-early", doc: "A and C leave; one premature timeout",
			leavers: "AC", budget: model.Budget{Spurious: 1}, conflict: true,
		},
		{
			layout: row4(), name: "leave-leave", doc: "figure 6.4: B and C leave at the same time",
			leavers: "BC", conflict: true,
		},
		{
			layout: row4(), name: "leave-leave-leave", doc: "A, B and D leave",
			leavers: "ABD", conflict: true, deep: true, safety: true,
		},
		{
			layout: row4(), name: "leave-leave-ends", doc: "A and D leave; they share only indirect neighbours",
			leavers: "AD", conflict: true,
		},
		{
			layout: row4(), name: "join-leave", doc: "E joins at B while C leaves",
			joiners: one(4, "A"), leavers: "C", conflict: true, deep: true, safety: true,
		},
		{
			layout: row5(), name: "leave-leave", doc: "A and E leave; they share one indirect neighbour",
			leavers: "AE", conflict: true,
		},
		{
			layout: row5(), name: "leave-leave-leave", doc: "A, C and E leave",
			leavers: "ACE", conflict: true, deep: true, safety: true,
		},
		{
			layout: row5(), name: "leave-leave-stale", doc: "B and E leave; B learns late which node took E's zone over",
			leavers: "BE", conflict: true,
		},
		{
			layout: row6(), name: "leave-leave-leave", doc: "A and C leave in conflict; F leaves far away",
			leavers: "ACF", conflict: true, deep: true, safety: true,
		},
		{
			layout: row6(), name: "leave-leave", doc: "A and F leave; they share no neighbour and never wait",
			leavers: "AF",
		},
	}
}

// planes are changes without a crash in two and three dimensions.
func planes() []scenario {
	return []scenario{
		{
			layout: tee(), name: "leave", doc: "figure 6.2: A leaves; B and C each take over a part of its zone",
			leavers: "A",
		},
		{
			layout: tee(), name: "leave-leave", doc: "A leaves, and so does B, one of its takers",
			leavers: "AB", conflict: true,
		},
		{
			layout: tee(), name: "leave-leave-faulty", doc: "A and B leave; one message dropped, one duplicated",
			leavers: "AB", budget: model.Budget{Drop: 1, Duplicate: 1}, conflict: true,
		},
		{
			layout: tee(), name: "join-leave", doc: "D joins at A while A leaves",
			joiners: []joiner{{at(6, 1), "C"}}, leavers: "A",
		},
		{
			layout: square(), name: "leave-leave", doc: "A and D leave, which lie at opposite corners",
			leavers: "AD", conflict: true,
		},
		{
			layout: square(), name: "leave-drop", doc: "A leaves a corner; one message dropped, one premature timeout",
			leavers: "A", budget: model.Budget{Drop: 1, Spurious: 1},
		},
		{
			layout: long(), name: "join-leave", doc: "D joins at B, the long zone, while C beside it leaves",
			joiners: []joiner{{at(6, 6), "A"}}, leavers: "C", conflict: true,
		},
		{
			layout: long(), name: "leave-leave", doc: "B, the long zone, and C beside it leave",
			leavers: "BC", conflict: true,
		},
		{
			layout: cube(), name: "join-leave", doc: "three dimensions: D joins at A while C leaves",
			joiners: []joiner{{at(0, 0, 3), "B"}}, leavers: "C", conflict: true,
		},
		{
			layout: clones(), name: "join-join", doc: "B and C join; a drawn coordinate tells equal machines apart",
			joiners: []joiner{{at(1), "A"}, {at(1), "A"}}, conflict: true, chancy: true,
		},
	}
}

// crashes are runs in which a node crashes, and perhaps rejoins.
func crashes() []scenario {
	crash := model.Budget{Crash: 1}
	early := model.Budget{Crash: 1, Spurious: 1}
	back := model.Budget{Crash: 1, Restart: 1}
	return []scenario{
		{
			layout: row2(), name: "join-join-crash", doc: "C joins at A, D joins at B; any node may crash",
			joiners: two(4, "A", 12, "B"), budget: crash, conflict: true,
		},
		{
			layout: row2(), name: "join-join-crash-early",
			doc:     "C joins at A, D joins at B; B may crash; one premature timeout",
			joiners: two(4, "A", 12, "A"), budget: early, crashers: "B", conflict: true, chancy: true,
		},
		{
			layout: row2(), name: "join-crash-rejoin", doc: "C joins at B; A or B may crash and rejoin",
			joiners: one(12, "A"), budget: back, crashers: "AB", rejoin: "AB",
		},
		{layout: row3(), name: "crash", doc: "any node may crash", budget: crash},
		{layout: row3(), name: "crash-rejoin", doc: "any node may crash and rejoin", budget: back, rejoin: "ABC"},
		{
			layout: row3(), name: "crash-rejoin-twice", doc: "B may crash and rejoin, twice",
			budget: model.Budget{Crash: 2, Restart: 2}, crashers: "B", rejoin: "B", successive: true, safety: true,
		},
		{
			layout: row3(), name: "join-crash", doc: "D joins at B; any node may crash",
			joiners: one(4, "A"), budget: crash,
		},
		{
			layout: row3(), name: "join-crash-early", doc: "D joins at B; any node may crash; one premature timeout",
			joiners: one(4, "A"), budget: early,
		},
		{
			layout: row3(), name: "join-crash-drop", doc: "D joins at B; any node may crash; one message dropped",
			joiners: one(4, "A"), budget: model.Budget{Crash: 1, Drop: 1},
		},
		{
			layout: row3(), name: "join-crash-dup", doc: "D joins at B; any node may crash; one message duplicated",
			joiners: one(4, "A"), budget: model.Budget{Crash: 1, Duplicate: 1},
		},
		{
			layout: row3(), name: "join-leave-crash", doc: "D joins at B while C leaves; any node may crash",
			joiners: one(4, "A"), leavers: "C", budget: crash, conflict: true, safety: true,
		},
		{
			layout: row3(), name: "join-leave-crash-rejoin",
			doc:     "D joins at B while C leaves; A or B may crash and rejoin",
			joiners: one(4, "A"), leavers: "C", budget: back, crashers: "AB", rejoin: "AB", conflict: true, deep: true,
			safety: true,
		},
		{layout: row3(), name: "leave-crash", doc: "B leaves; any node may crash", leavers: "B", budget: crash},
		{
			layout: row3(), name: "leave-crash-early", doc: "B leaves; any node may crash; two premature timeouts",
			leavers: "B", budget: model.Budget{Crash: 1, Spurious: 2},
		},
		{
			layout: row3(), name: "leave-crash-faulty",
			doc:     "B leaves; any node may crash; one message dropped, one duplicated",
			leavers: "B", budget: model.Budget{Crash: 1, Drop: 1, Duplicate: 1},
		},
		{
			layout: row3(), name: "leave-crash-rejoin", doc: "C leaves; any node may crash and rejoin",
			leavers: "C", budget: back, rejoin: "ABC",
		},
		{
			layout: row4(), name: "leave-crash-rejoin", doc: "B leaves; any node may crash and rejoin",
			leavers: "B", budget: back, rejoin: "ABCD", safety: true,
		},
		{
			layout: row3(), name: "join-crash-rejoin", doc: "D joins at B; any node may crash and rejoin",
			joiners: one(4, "A"), budget: back, rejoin: "ABC",
		},
		{
			layout: row3(), name: "crash-rejoin-early", doc: "any node may crash and rejoin; two premature timeouts",
			budget: model.Budget{Crash: 1, Restart: 1, Spurious: 2}, rejoin: "ABC",
		},
		{
			layout: row4(), name: "crash-early", doc: "any node may crash; two premature timeouts",
			budget: model.Budget{Crash: 1, Spurious: 2},
		},
		{layout: row4(), name: "leave-crash", doc: "B leaves; any node may crash", leavers: "B", budget: crash},
		{
			layout: row4(), name: "leave-crash-early", doc: "B leaves; any node may crash; one premature timeout",
			leavers: "B", budget: early, safety: true,
		},
		{
			layout: row5(), name: "leave-crash", doc: "C leaves; any node may crash",
			leavers: "C", budget: crash, safety: true,
		},
		{
			layout: row6(), name: "crash-crash", doc: "C and E may crash; D lies between them",
			budget: model.Budget{Crash: 2}, crashers: "CE",
		},
		{
			layout: row6(), name: "crash-crash-takers", doc: "C and F may crash; their takers D and E lie between them",
			budget: model.Budget{Crash: 2}, crashers: "CF",
		},
		{
			layout: row4(), name: "crash-crash", doc: "two crashes, the second after recovery from the first",
			budget: model.Budget{Crash: 2}, successive: true,
		},
		{
			layout: row5(), name: "leave-crash-crash", doc: "A leaves; C may crash, then B, which takes A's zone over",
			leavers: "A", budget: model.Budget{Crash: 2}, crashers: "BC", successive: true,
		},
		{
			layout: row6(), name: "crash-crash-crash", doc: "three crashes, each after recovery from the one before",
			budget: model.Budget{Crash: 3}, successive: true,
		},
		{
			layout: outward(), name: "crash-crash",
			doc:    "two crashes; the second may hit the only node that knew both takers",
			budget: model.Budget{Crash: 2}, successive: true,
		},
		{
			layout: outward(), name: "crash-crash-early", doc: "two crashes, one after the other; one premature timeout",
			budget: model.Budget{Crash: 2, Spurious: 1}, successive: true,
		},
		{
			layout: outward(), name: "crash-crash-faulty",
			doc:    "two crashes, one after the other; one message dropped, one duplicated",
			budget: model.Budget{Crash: 2, Drop: 1, Duplicate: 1}, successive: true,
		},
		{
			layout: outward(), name: "leave-crash-crash", doc: "A leaves; two crashes, one after the other",
			leavers: "A", budget: model.Budget{Crash: 2}, successive: true,
		},
		{
			layout: outward(), name: "leave-crash-crash-drop",
			doc:     "A leaves; A and B may crash, one after the other; one message dropped",
			leavers: "A", budget: model.Budget{Crash: 2, Drop: 1}, crashers: "AB", successive: true, safety: true,
		},
		{
			layout: row5(), name: "crash-crash-crash", doc: "A, C and E may crash",
			budget: model.Budget{Crash: 3}, crashers: "ACE",
		},
		{
			layout: tee(), name: "leave-crash", doc: "figure 6.2: A leaves; any node may crash",
			leavers: "A", budget: crash,
		},
		{
			layout: tee(), name: "leave-crash-early",
			doc:     "figure 6.2: A leaves; any node may crash; one premature timeout",
			leavers: "A", budget: early,
		},
		{
			layout: square(), name: "leave-crash", doc: "A leaves a corner; any node may crash",
			leavers: "A", budget: crash,
		},
		{
			layout: square(), name: "join-crash", doc: "E joins at A; any node may crash",
			joiners: []joiner{{at(3, 3), "B"}}, budget: crash, deep: true, safety: true,
		},
		{
			layout: far(), name: "crash", doc: "B may crash; a bystander knows only one of its two takers",
			budget: crash, crashers: "B", deep: true, safety: true,
		},
		{
			layout: long(), name: "join-crash", doc: "D joins at B, the long zone; any node may crash",
			joiners: []joiner{{at(6, 6), "A"}}, budget: crash,
		},
	}
}

// limits are the expected failures. Each drops one assumption.
func limits() []scenario {
	return []scenario{
		{
			layout: row4(), name: "limit-adjacent-crashes",
			doc:    "B and C, which are adjacent, may crash at the same time",
			budget: model.Budget{Crash: 2}, crashers: "BC",
			expect: violated(
				"one level of indirect neighbours does not reach across two failed zones",
				"NoGap",
				"ViewsAgree",
				"Routable",
			),
			safety: true,
		},
		{
			layout: row2(), name: "limit-last-taker-crash", doc: "B leaves; A, the only other node, may crash",
			leavers: "B", budget: model.Budget{Crash: 1}, crashers: "A",
			expect: violated("no node is left to own the zone that was handed over", "NoGap"),
			safety: true,
		},
		{
			layout: row3(), name: "limit-false-suspicion", doc: "a running node is falsely suspected",
			budget: model.Budget{Suspect: 1},
			expect: violated(
				"the suspected node acts until it learns of the suspicion; a driver must fence it with leases",
				"NoOverlap",
			),
			safety: true,
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

func one(coordinate int32, contact string) []joiner { return []joiner{{at(coordinate), contact}} }

func two(first int32, contact string, second int32, contact2 string) []joiner {
	return append(one(first, contact), one(second, contact2)...)
}
