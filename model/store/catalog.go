package store

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{
		faultless(), lookups(), faulty(), crashes(), handovers(), small(), lives(), limits(),
	} {
		for _, s := range list {
			c, err := model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
				under := s
				under.budget = b
				return under.system().Compile()
			})
			if err != nil {
				panic(fmt.Sprintf("the catalogue is broken: %v", err))
			}
			all = append(all, c)
		}
	}
	return all
}

// one is a node from outside.
func one(coord int32, contact string) []joiner { return []joiner{{at(coord), contact}} }

// two are nodes from outside.
func two(first int32, contact string, second int32, other string) []joiner {
	return []joiner{{at(first), contact}, {at(second), other}}
}

// faultless are changes of the map without a fault.
func faultless() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join", doc: "C joins at A and gets a key that A and B use",
			joiners: one(5, "A"), calls: []call{put("A", 1, at(5), 1), put("B", 2, at(5), 2), get("B", 3, at(5))},
			witness: moved | refused,
		},
		{
			layout: row2(), name: "join-cas", doc: "C joins at A; operations on its key that must not run twice",
			joiners: one(5, "A"), calls: []call{cas("A", 1, at(5), 0, 1), cas("B", 2, at(5), 0, 2), get("B", 3, at(5))},
			witness: moved | refused | mismatched,
		},
		{
			layout: row2(), name: "join-leaves", doc: "C joins at A and leaves, perhaps before its items arrive",
			joiners: one(5, "A"), leavers: "C", seed: []call{put("A", 9, at(5), 9)},
			calls: []call{cas("A", 1, at(5), 9, 1), get("B", 2, at(5))}, witness: moved | refused,
		},
		{
			layout: row2(), name: "join-join", doc: "C joins; D joins at C, perhaps before the items arrive",
			joiners: two(5, "A", 4, "A"), seed: []call{put("A", 9, at(4), 9)},
			calls: []call{put("A", 1, at(4), 1), get("B", 2, at(4))}, witness: moved | refused, safety: true, deep: true,
		},
		{
			layout: row2(), name: "leave", doc: "B leaves while A and B use a key of its zone",
			leavers: "B", seed: []call{put("B", 9, at(10), 9)},
			calls:   []call{put("A", 1, at(10), 1), get("A", 2, at(10)), cas("B", 3, at(10), 9, 3)},
			witness: moved | mismatched,
		},
		{
			layout: tee(), name: "leave", doc: "A leaves; its zone and items go to two takers",
			leavers: "A", seed: []call{put("A", 8, at(1, 1), 8), put("A", 9, at(6, 1), 9)},
			calls:   []call{put("B", 1, at(6, 1), 1), get("B", 2, at(1, 1)), cas("C", 3, at(6, 1), 9, 3)},
			witness: moved | refused | mismatched,
		},
		{
			layout: row3(), name: "leaver-calls", doc: "B leaves while its own client uses keys of B and C",
			leavers: "B", calls: []call{get("A", 1, at(6))}, late: []call{put("B", 2, at(6), 2), put("B", 3, at(12), 3)},
			witness: moved | rejected,
		},
		{
			layout: row3(), name: "leave", doc: "B leaves while A and C use a key of its zone",
			leavers: "B", seed: seed(), calls: leaves(), witness: moved | refused | mismatched,
		},
		{
			layout: row3(), name: "join-leave", doc: "D joins at A while C leaves; a key of each changes hands",
			joiners: one(3, "A"), leavers: "C", calls: []call{put("B", 1, at(3), 1), put("A", 2, at(12), 2)},
			witness: moved | refused, safety: true, deep: true,
		},
	}
}

// lookups are changes while clients look up the owner of a point.
func lookups() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join-lookup", doc: "C joins at A while A and B look up the owner of its point",
			joiners: one(5, "A"), calls: []call{lookup("A", 1, at(5)), lookup("B", 2, at(5)), lookup("B", 3, at(5))},
			witness: refused | found,
		},
		{
			layout: row3(), name: "leave-lookup", doc: "B leaves while A and C look up the owner of its point",
			leavers: "B", calls: []call{lookup("A", 1, at(6)), lookup("C", 3, at(6))}, witness: refused | found,
		},
		{
			layout: row3(), name: "crash-lookup", doc: "any node may crash while A and C look up the owner of a point",
			calls:  []call{lookup("A", 1, at(6)), lookup("C", 2, at(6)), lookup("C", 3, at(6))},
			budget: model.Budget{Crash: 1}, witness: found,
		},
	}
}

// joins are operations on a key that falls to the joiner C. They show an operation that is executed
// twice.
func joins() []call {
	return []call{cas("A", 1, at(5), 2, 1), put("B", 2, at(5), 2), get("B", 3, at(5))}
}

// leaves are operations on a key that falls from B to C. They too show an operation that is
// executed twice.
func leaves() []call {
	return []call{put("A", 1, at(6), 1), cas("C", 2, at(6), 1, 2), get("C", 3, at(6))}
}

func seed() []call { return []call{put("B", 9, at(6), 9)} }

// faulty are changes with a message dropped or duplicated, or with a premature timeout.
func faulty() []scenario {
	all := moved | refused | mismatched
	return []scenario{
		{
			layout: row2(), name: "join-drop", doc: "C joins at A; one message dropped",
			joiners: one(5, "A"), calls: joins(), budget: model.Budget{Drop: 1}, witness: all,
		},
		{
			layout: row2(), name: "join-leaves-drop",
			doc:     "C joins at A and leaves; A may refuse what C executes; one message dropped",
			joiners: one(5, "A"), leavers: "C", calls: []call{cas("B", 1, at(5), 0, 1)},
			budget: model.Budget{Drop: 1}, witness: moved | refused,
		},
		{
			layout: row2(), name: "join-dup", doc: "C joins at A; one message duplicated",
			joiners: one(5, "A"), calls: joins(), budget: model.Budget{Duplicate: 1}, witness: all, safety: true,
		},
		{
			layout: row2(), name: "join-early", doc: "C joins at A; one premature timeout",
			joiners: one(5, "A"), calls: joins(), budget: model.Budget{Spurious: 1}, witness: all, safety: true,
		},
		{
			layout: row2(), name: "join-drop-dup", doc: "C joins at A; one message dropped, one duplicated",
			joiners: one(5, "A"), calls: joins(), budget: model.Budget{Drop: 1, Duplicate: 1}, witness: all,
			safety: true, deep: true,
		},
		{
			layout: row3(), name: "leave-drop", doc: "B leaves; one message dropped",
			leavers: "B", seed: seed(), calls: leaves(), budget: model.Budget{Drop: 1}, witness: all,
		},
		{
			layout: row3(), name: "leave-dup", doc: "B leaves; one message duplicated",
			leavers: "B", seed: seed(), calls: leaves(), budget: model.Budget{Duplicate: 1}, witness: all, safety: true,
		},
		{
			layout: row3(), name: "leave-early", doc: "B leaves; one premature timeout",
			leavers: "B", seed: seed(), calls: leaves(), budget: model.Budget{Spurious: 1}, witness: all, safety: true,
		},
		{
			layout: row3(), name: "leave-drop-dup", doc: "B leaves; one message dropped, one duplicated",
			leavers: "B", seed: seed(), calls: leaves(), budget: model.Budget{Drop: 1, Duplicate: 1}, witness: all,
			safety: true, deep: true,
		},
	}
}

// crashes are runs in which a node crashes, checked against the weaker specification. The last one
// is an expected failure: it checks the strict specification.
func crashes() []scenario {
	crash := model.Budget{Crash: 1}
	joining := []call{put("A", 1, at(5), 1), get("B", 2, at(5)), cas("B", 3, at(5), 1, 3)}
	return []scenario{
		{
			layout: row3(), name: "crash", doc: "any node may crash",
			calls: leaves(), budget: crash, witness: uncertain | mismatched,
		},
		{
			layout: row3(), name: "crash-reverts", doc: "the owner may crash, and a put is lost",
			seed:     seed(),
			calls:    []call{get("A", 1, at(6)), put("A", 2, at(6), 2), get("C", 3, at(6)), get("C", 4, at(6))},
			crashers: "B", budget: crash, witness: reverted | uncertain,
		},
		{
			layout: row3(), name: "crash-drop", doc: "the owner may crash; one message dropped",
			calls: leaves(), crashers: "B", budget: model.Budget{Crash: 1, Drop: 1}, witness: uncertain | mismatched,
			safety: true,
		},
		{
			layout: row2(), name: "crash-rejoin", doc: "B may crash, rejoin and own its key again",
			seed: []call{put("B", 9, at(10), 9)}, rejoin: "B",
			calls: []call{put("A", 1, at(10), 1), get("A", 2, at(10)), get("A", 3, at(10))}, crashers: "B",
			budget: model.Budget{Crash: 1, Restart: 1}, witness: moved | reverted | uncertain,
		},
		{
			layout: row2(), name: "join-crash", doc: "C joins at A; any node may crash; two operations",
			joiners: one(5, "A"), calls: joining[:2], budget: crash, witness: moved | uncertain, safety: true,
		},
		{
			layout: row2(), name: "join-crash-three", doc: "C joins at A; any node may crash; three operations",
			joiners: one(5, "A"), calls: joining, budget: crash, witness: moved | uncertain | mismatched, deep: true,
		},
		{
			layout: row2(), name: "join-crash-dup", doc: "C joins at A and may crash; one message duplicated",
			joiners: one(5, "A"), calls: []call{put("B", 1, at(5), 1), get("A", 2, at(5)), get("A", 3, at(5))},
			crashers: "C", budget: model.Budget{Crash: 1, Duplicate: 1}, witness: moved | uncertain, safety: true,
			deep: true,
		},
		{
			layout: row3(), name: "leave-crash", doc: "B leaves; B or its taker C may crash",
			leavers: "B", seed: seed(), calls: leaves()[:2], crashers: "BC", budget: crash, witness: moved | uncertain,
			safety: true,
		},
		{
			layout: row3(), name: "leave-crash-three", doc: "B leaves; any node may crash",
			leavers: "B", seed: seed(), calls: leaves(), budget: crash, witness: moved | uncertain | mismatched,
			deep: true, safety: true,
		},
		{
			layout: row3(), name: "limit-crash",
			doc:   "the owner may crash; what was put is lost, since no other node has it",
			calls: []call{put("A", 1, at(6), 1), get("A", 2, at(6))}, crashers: "B", budget: crash, strict: true,
			expect: []model.Expectation{
				{Property: "Linearizable", Violated: true, Why: "items have one copy: they are lost when their owner crashes"},
			},
		},
	}
}
