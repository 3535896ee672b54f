package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems of the corrected core: first those in which every property holds, then
// those that show what no such protocol can do.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{rows(), planes(), crashes(), adequacy(), limits()} {
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
		{layout: row2(), name: "join", doc: "a lone join", joiners: one(4, "A")},
		{layout: row2(), name: "leave", doc: "a lone leave", leavers: "B"},
		{
			layout:   row2(),
			name:     "leave-leave",
			doc:      "two siblings leave; the last node must stay",
			leavers:  "AB",
			conflict: true,
		},
		{layout: row2(), name: "join-join", doc: "joins at adjacent owners", joiners: two(4, "A", 12, "B"), conflict: true},
		{
			layout:   row2(),
			name:     "join-join-same",
			doc:      "two joins at the same owner, by different ways",
			joiners:  two(4, "A", 5, "B"),
			conflict: true,
		},
		{
			layout:   row2(),
			name:     "stale-update",
			doc:      "figure 6.3: B splits, then leaves, and an old update comes late",
			joiners:  one(12, "A"),
			leavers:  "B",
			budget:   model.Budget{Spurious: 1},
			conflict: true,
		},
		{
			layout:   row2(),
			name:     "join-leave-faulty",
			doc:      "a join and a leave, one message lost, one repeated",
			joiners:  one(4, "A"),
			leavers:  "B",
			budget:   model.Budget{Drop: 1, Duplicate: 1},
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "join-join",
			doc:      "joins at owners that share a direct neighbour",
			joiners:  two(4, "A", 14, "C"),
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "join-join-leave",
			doc:      "joins at both ends while the middle leaves",
			joiners:  two(4, "A", 14, "C"),
			leavers:  "B",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row3(),
			name:     "join-leave",
			doc:      "a join and a leave that share a direct neighbour",
			joiners:  one(4, "A"),
			leavers:  "C",
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "join-leave-drop",
			doc:      "the same, one message lost",
			joiners:  one(4, "A"),
			leavers:  "C",
			budget:   model.Budget{Drop: 1},
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "join-leave-dup",
			doc:      "the same, one message repeated",
			joiners:  one(4, "A"),
			leavers:  "C",
			budget:   model.Budget{Duplicate: 1},
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row3(),
			name:     "join-leave-early",
			doc:      "the same, one timer early",
			joiners:  one(4, "A"),
			leavers:  "C",
			budget:   model.Budget{Spurious: 1},
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row3(),
			name:     "leave-leave",
			doc:      "both ends leave; they share a direct neighbour",
			leavers:  "AC",
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "leave-leave-faulty",
			doc:      "the same, one message lost, one repeated",
			leavers:  "AC",
			budget:   model.Budget{Drop: 1, Duplicate: 1},
			conflict: true,
		},
		{
			layout:   row3(),
			name:     "leave-leave-early",
			doc:      "the same, one timer early",
			leavers:  "AC",
			budget:   model.Budget{Spurious: 1},
			conflict: true,
		},
		{layout: row4(), name: "leave-leave", doc: "figure 6.4: B and C leave at once", leavers: "BC", conflict: true},
		{
			layout:   row4(),
			name:     "leave-leave-leave",
			doc:      "all but C leave",
			leavers:  "ABD",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row4(),
			name:     "leave-leave-ends",
			doc:      "A and D leave; they share indirect neighbours only",
			leavers:  "AD",
			conflict: true,
		},
		{
			layout:   row4(),
			name:     "join-leave",
			doc:      "a join at A and a leave of C",
			joiners:  one(4, "A"),
			leavers:  "C",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row5(),
			name:     "leave-leave",
			doc:      "both ends leave; they share one indirect neighbour",
			leavers:  "AE",
			conflict: true,
		},
		{
			layout:   row5(),
			name:     "leave-leave-leave",
			doc:      "every other node leaves",
			leavers:  "ACE",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{
			layout:   row5(),
			name:     "leave-leave-stale",
			doc:      "B and E leave; news of E's taker, an indirect neighbour, reaches B late",
			leavers:  "BE",
			conflict: true,
		},
		{
			layout:   row6(),
			name:     "leave-leave-leave",
			doc:      "two leaves in conflict, and one far away",
			leavers:  "ACF",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{layout: row6(), name: "leave-leave", doc: "both ends leave; they share nobody and never wait", leavers: "AF"},
	}
}

// planes are changes without a crash in two and three dimensions.
func planes() []scenario {
	return []scenario{
		{layout: tee(), name: "leave", doc: "figure 6.2: A leaves, B and C take a part each", leavers: "A"},
		{layout: tee(), name: "leave-leave", doc: "A and one of its takers leave", leavers: "AB", conflict: true},
		{
			layout:   tee(),
			name:     "leave-leave-faulty",
			doc:      "the same, one message lost, one repeated",
			leavers:  "AB",
			budget:   model.Budget{Drop: 1, Duplicate: 1},
			conflict: true,
		},
		{
			layout:  tee(),
			name:    "join-leave",
			doc:     "a join into A's zone while A leaves",
			joiners: []joiner{{at(6, 1), "C"}},
			leavers: "A",
		},
		{layout: square(), name: "leave-leave", doc: "opposite corners leave", leavers: "AD", conflict: true},
		{
			layout:  square(),
			name:    "leave-drop",
			doc:     "a corner leaves, one message lost, one timer early",
			leavers: "A",
			budget:  model.Budget{Drop: 1, Spurious: 1},
		},
		{
			layout:   long(),
			name:     "join-leave",
			doc:      "a join into the long zone while one beside it leaves",
			joiners:  []joiner{{at(6, 6), "A"}},
			leavers:  "C",
			conflict: true,
		},
		{layout: long(), name: "leave-leave", doc: "the long zone and one beside it leave", leavers: "BC", conflict: true},
		{
			layout:   cube(),
			name:     "join-leave",
			doc:      "three dimensions: a join and a leave",
			joiners:  []joiner{{at(0, 0, 3), "B"}},
			leavers:  "C",
			conflict: true,
		},
		{
			layout:   clones(),
			name:     "join-join",
			doc:      "equal machines are told apart by a drawn coordinate",
			joiners:  []joiner{{at(1), "A"}, {at(1), "A"}},
			conflict: true,
			chancy:   true,
		},
	}
}

// crashes are runs in which a node fails, and perhaps comes back.
func crashes() []scenario {
	crash := model.Budget{Crash: 1}
	early := model.Budget{Crash: 1, Spurious: 1}
	back := model.Budget{Crash: 1, Restart: 1}
	return []scenario{
		{
			layout:   row2(),
			name:     "join-join-crash",
			doc:      "two joins and a crash of anybody",
			joiners:  two(4, "A", 12, "B"),
			budget:   crash,
			conflict: true,
		},
		{
			layout:   row2(),
			name:     "join-join-crash-early",
			doc:      "two joins, a crash of the owner of one, one timer early",
			joiners:  two(4, "A", 12, "A"),
			budget:   early,
			crashers: "B",
			conflict: true,
			chancy:   true,
		},
		{
			layout:   row2(),
			name:     "join-crash-rejoin",
			doc:      "a join; a founder crashes and comes back",
			joiners:  one(12, "A"),
			budget:   back,
			crashers: "AB",
			rejoin:   "AB",
		},
		{layout: row3(), name: "crash", doc: "a crash at rest", budget: crash},
		{layout: row3(), name: "crash-rejoin", doc: "a crash, a takeover, a new incarnation", budget: back, rejoin: "ABC"},
		{layout: row3(), name: "join-crash", doc: "a join and a crash of anybody", joiners: one(4, "A"), budget: crash},
		{layout: row3(), name: "join-crash-early", doc: "the same, one timer early", joiners: one(4, "A"), budget: early},
		{
			layout:  row3(),
			name:    "join-crash-drop",
			doc:     "the same, one message lost",
			joiners: one(4, "A"),
			budget:  model.Budget{Crash: 1, Drop: 1},
		},
		{
			layout:  row3(),
			name:    "join-crash-dup",
			doc:     "the same, one message repeated",
			joiners: one(4, "A"),
			budget:  model.Budget{Crash: 1, Duplicate: 1},
		},
		{
			layout:   row3(),
			name:     "join-leave-crash",
			doc:      "a join, a leave and a crash of anybody",
			joiners:  one(4, "A"),
			leavers:  "C",
			budget:   crash,
			conflict: true,
			safety:   true,
		},
		{
			layout:   row3(),
			name:     "join-leave-crash-rejoin",
			doc:      "the same, and a founder comes back",
			joiners:  one(4, "A"),
			leavers:  "C",
			budget:   back,
			crashers: "AB",
			rejoin:   "AB",
			conflict: true,
			deep:     true,
			safety:   true,
		},
		{layout: row3(), name: "leave-crash", doc: "a leave and a crash of anybody", leavers: "B", budget: crash},
		{
			layout:  row3(),
			name:    "leave-crash-early",
			doc:     "the same, two timers early",
			leavers: "B",
			budget:  model.Budget{Crash: 1, Spurious: 2},
		},
		{
			layout:  row3(),
			name:    "leave-crash-faulty",
			doc:     "the same, one message lost, one repeated",
			leavers: "B",
			budget:  model.Budget{Crash: 1, Drop: 1, Duplicate: 1},
		},
		{
			layout:  row3(),
			name:    "leave-crash-rejoin",
			doc:     "a leave, a crash, a new incarnation",
			leavers: "C",
			budget:  back,
			rejoin:  "ABC",
		},
		{
			layout:  row4(),
			name:    "leave-crash-rejoin",
			doc:     "a leave, a crash, a new incarnation",
			leavers: "B",
			budget:  back,
			rejoin:  "ABCD",
			safety:  true,
		},
		{
			layout:  row3(),
			name:    "join-crash-rejoin",
			doc:     "a join, a crash, a new incarnation",
			joiners: one(4, "A"),
			budget:  back,
			rejoin:  "ABC",
		},
		{
			layout: row3(),
			name:   "crash-rejoin-early",
			doc:    "a crash, a new incarnation, two timers early",
			budget: model.Budget{Crash: 1, Restart: 1, Spurious: 2},
			rejoin: "ABC",
		},
		{layout: row4(), name: "crash-early", doc: "a crash, two timers early", budget: model.Budget{Crash: 1, Spurious: 2}},
		{layout: row4(), name: "leave-crash", doc: "a leave and a crash of anybody", leavers: "B", budget: crash},
		{
			layout:  row4(),
			name:    "leave-crash-early",
			doc:     "the same, one timer early",
			leavers: "B",
			budget:  early,
			safety:  true,
		},
		{
			layout:  row5(),
			name:    "leave-crash",
			doc:     "the middle leaves and anybody crashes",
			leavers: "C",
			budget:  crash,
			safety:  true,
		},
		{
			layout:   row6(),
			name:     "crash-crash",
			doc:      "two nodes fail that have a neighbour between them",
			budget:   model.Budget{Crash: 2},
			crashers: "CE",
		},
		{
			layout:   row6(),
			name:     "crash-crash-takers",
			doc:      "two nodes fail that have their two takers between them",
			budget:   model.Budget{Crash: 2},
			crashers: "CF",
		},
		{
			layout:     row4(),
			name:       "crash-crash",
			doc:        "two nodes fail, the second when the first is overcome",
			budget:     model.Budget{Crash: 2},
			successive: true,
		},
		{
			layout:     row5(),
			name:       "leave-crash-crash",
			doc:        "A leaves; C fails when it has promised to A, and then B, which was granted the zone of A",
			leavers:    "A",
			budget:     model.Budget{Crash: 2},
			crashers:   "BC",
			successive: true,
		},
		{
			layout:     row6(),
			name:       "crash-crash-crash",
			doc:        "three nodes fail, each when the former is overcome",
			budget:     model.Budget{Crash: 3},
			successive: true,
		},
		{
			layout:     outward(),
			name:       "crash-crash",
			doc:        "two nodes fail, and the second may be the only one who knew both takers",
			budget:     model.Budget{Crash: 2},
			successive: true,
		},
		{
			layout:     outward(),
			name:       "crash-crash-early",
			doc:        "the same, one timer early",
			budget:     model.Budget{Crash: 2, Spurious: 1},
			successive: true,
		},
		{
			layout:     outward(),
			name:       "crash-crash-faulty",
			doc:        "the same, one message lost, one repeated",
			budget:     model.Budget{Crash: 2, Drop: 1, Duplicate: 1},
			successive: true,
		},
		{
			layout:     outward(),
			name:       "leave-crash-crash",
			doc:        "two nodes fail, and A leaves",
			leavers:    "A",
			budget:     model.Budget{Crash: 2},
			successive: true,
		},
		{
			layout:     outward(),
			name:       "leave-crash-crash-drop",
			doc:        "A, which may be the only one who knew both takers, wants to leave; one message lost",
			leavers:    "A",
			budget:     model.Budget{Crash: 2, Drop: 1},
			crashers:   "AB",
			successive: true,
			safety:     true,
		},
		{
			layout:   row5(),
			name:     "crash-crash-crash",
			doc:      "every other node fails",
			budget:   model.Budget{Crash: 3},
			crashers: "ACE",
		},
		{
			layout:  tee(),
			name:    "leave-crash",
			doc:     "figure 6.2 with a crash of the leaver or of a taker",
			leavers: "A",
			budget:  crash,
		},
		{layout: tee(), name: "leave-crash-early", doc: "the same, one timer early", leavers: "A", budget: early},
		{layout: square(), name: "leave-crash", doc: "a corner leaves and anybody crashes", leavers: "A", budget: crash},
		{
			layout:  square(),
			name:    "join-crash",
			doc:     "a join at a corner and a crash of anybody",
			joiners: []joiner{{at(3, 3), "B"}},
			budget:  crash,
			deep:    true,
			safety:  true,
		},
		{
			layout:   far(),
			name:     "crash",
			doc:      "one node fails; a bystander sees only one of the two takers",
			budget:   crash,
			crashers: "B",
			deep:     true,
			safety:   true,
		},
		{
			layout:  long(),
			name:    "join-crash",
			doc:     "a join into the long zone and a crash of anybody",
			joiners: []joiner{{at(6, 6), "A"}},
			budget:  crash,
		},
	}
}

// limits are what cannot hold, and the assumption that each of them breaks.
func limits() []scenario {
	return []scenario{
		{
			layout: row4(), name: "limit-adjacent-crashes", doc: "two adjacent nodes fail at once", budget: model.Budget{Crash: 2}, crashers: "BC",
			expect: violated(
				"one level of indirect neighbours does not reach across two failed zones",
				"NoGap",
				"ViewsAgree",
				"Routable",
			), safety: true,
		},
		{
			layout: row2(), name: "limit-last-taker-crash", doc: "a node leaves and the only other one fails", leavers: "B", budget: model.Budget{Crash: 1}, crashers: "A",
			expect: violated("nobody is left to hold the zone that was handed over", "NoGap"), safety: true,
		},
		{
			layout: row3(), name: "limit-false-suspicion", doc: "a live node is taken for failed", budget: model.Budget{Suspect: 1},
			expect: violated(
				"the suspected node still acts until it hears of it: a driver must fence it by leases",
				"NoOverlap",
			), safety: true,
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
