package store

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{faultless(), lookups(), faulty(), crashes()} {
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
			layout: row2(), name: "join", doc: "A's zone is split while both founders use a key that falls to the joiner",
			joiners: one(
				5,
				"A",
			), calls: []call{put("A", 1, at(5), 1), put("B", 2, at(5), 2), get("B", 3, at(5))}, witness: moved | refused,
		},
		{
			layout: row2(), name: "join-cas", doc: "the same with operations that must not be executed twice",
			joiners: one(
				5,
				"A",
			), calls: []call{cas("A", 1, at(5), 0, 1), cas("B", 2, at(5), 0, 2), get("B", 3, at(5))}, witness: moved | refused | mismatched,
		},
		{
			layout: row2(), name: "join-leaves", doc: "the joiner leaves again, perhaps before it has what it was given",
			joiners: one(
				5,
				"A",
			), leavers: "C", seed: []call{put("A", 9, at(5), 9)}, calls: []call{cas("A", 1, at(5), 9, 1), get("B", 2, at(5))}, witness: moved | refused,
		},
		{
			layout: row2(), name: "join-join", doc: "the joiner's zone is split again, perhaps before it has what it was given",
			joiners: two(
				5,
				"A",
				4,
				"A",
			), seed: []call{put("A", 9, at(4), 9)}, calls: []call{put("A", 1, at(4), 1), get("B", 2, at(4))}, witness: moved | refused, safety: true, deep: true,
		},
		{
			layout: row2(), name: "leave", doc: "B leaves while both use a key of its zone",
			leavers: "B", seed: []call{put("B", 9, at(10), 9)}, calls: []call{put("A", 1, at(10), 1), get("A", 2, at(10)), cas("B", 3, at(10), 9, 3)}, witness: moved | mismatched,
		},
		{
			layout: tee(), name: "leave", doc: "A leaves, and its zone and items fall to two takers",
			leavers: "A", seed: []call{put("A", 8, at(1, 1), 8), put("A", 9, at(6, 1), 9)},
			calls: []call{
				put("B", 1, at(6, 1), 1),
				get("B", 2, at(1, 1)),
				cas("C", 3, at(6, 1), 9, 3),
			}, witness: moved | refused | mismatched,
		},
		{
			layout: row3(), name: "leaver-calls", doc: "B leaves while its own client uses a key of its zone and one of C's",
			leavers: "B", calls: []call{get("A", 1, at(6))}, late: []call{put("B", 2, at(6), 2), put("B", 3, at(12), 3)}, witness: moved | rejected,
		},
		{
			layout:  row3(),
			name:    "leave",
			doc:     "B leaves while its neighbours use a key of its zone",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			witness: moved | refused | mismatched,
		},
		{
			layout: row3(), name: "join-leave", doc: "A's zone is split while C leaves, and a key of each changes hands", joiners: one(3, "A"), leavers: "C",
			calls: []call{put("B", 1, at(3), 1), put("A", 2, at(12), 2)}, witness: moved | refused, safety: true, deep: true,
		},
	}
}

// lookups are changes while somebody looks for the owner of a point.
func lookups() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join-lookup", doc: "the owner of a point is looked for while the point falls to a joiner",
			joiners: one(
				5,
				"A",
			), calls: []call{lookup("A", 1, at(5)), lookup("B", 2, at(5)), lookup("B", 3, at(5))}, witness: refused | found,
		},
		{
			layout: row3(), name: "leave-lookup", doc: "the same while its owner leaves",
			leavers: "B", calls: []call{lookup("A", 1, at(6)), lookup("C", 3, at(6))}, witness: refused | found,
		},
		{
			layout: row3(), name: "crash-lookup", doc: "the same while anybody fails",
			calls: []call{
				lookup("A", 1, at(6)),
				lookup("C", 2, at(6)),
				lookup("C", 3, at(6)),
			}, budget: model.Budget{Crash: 1}, witness: found,
		},
	}
}

// joins are operations on a key that falls to the joiner C. An operation that is executed twice is
// seen.
func joins() []call {
	return []call{cas("A", 1, at(5), 2, 1), put("B", 2, at(5), 2), get("B", 3, at(5))}
}

// leaves are operations on a key that falls from B to C. Again whatever is executed twice is seen.
func leaves() []call {
	return []call{put("A", 1, at(6), 1), cas("C", 2, at(6), 1, 2), get("C", 3, at(6))}
}

func seed() []call { return []call{put("B", 9, at(6), 9)} }

// faulty are changes with a message lost, a message repeated, or a timer early.
func faulty() []scenario {
	all := moved | refused | mismatched
	return []scenario{
		{
			layout:  row2(),
			name:    "join-drop",
			doc:     "a split, one message lost",
			joiners: one(5, "A"),
			calls:   joins(),
			budget:  model.Budget{Drop: 1},
			witness: all,
		},
		{
			layout:  row2(),
			name:    "join-dup",
			doc:     "a split, one message repeated",
			joiners: one(5, "A"),
			calls:   joins(),
			budget:  model.Budget{Duplicate: 1},
			witness: all,
			safety:  true,
		},
		{
			layout:  row2(),
			name:    "join-early",
			doc:     "a split, one timer early",
			joiners: one(5, "A"),
			calls:   joins(),
			budget:  model.Budget{Spurious: 1},
			witness: all,
			safety:  true,
		},
		{
			layout:  row2(),
			name:    "join-drop-dup",
			doc:     "a split, one message lost, one repeated",
			joiners: one(5, "A"),
			calls:   joins(),
			budget:  model.Budget{Drop: 1, Duplicate: 1},
			witness: all,
			safety:  true,
			deep:    true,
		},
		{
			layout:  row3(),
			name:    "leave-drop",
			doc:     "a merge, one message lost",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			budget:  model.Budget{Drop: 1},
			witness: all,
		},
		{
			layout:  row3(),
			name:    "leave-dup",
			doc:     "a merge, one message repeated",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			budget:  model.Budget{Duplicate: 1},
			witness: all,
			safety:  true,
		},
		{
			layout:  row3(),
			name:    "leave-early",
			doc:     "a merge, one timer early",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			budget:  model.Budget{Spurious: 1},
			witness: all,
			safety:  true,
		},
		{
			layout:  row3(),
			name:    "leave-drop-dup",
			doc:     "a merge, one message lost, one repeated",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			budget:  model.Budget{Drop: 1, Duplicate: 1},
			witness: all,
			safety:  true,
			deep:    true,
		},
	}
}

// crashes are runs in which a node fails, checked against the weaker specification. The last shows
// that the strict one cannot be had.
func crashes() []scenario {
	crash := model.Budget{Crash: 1}
	joining := []call{put("A", 1, at(5), 1), get("B", 2, at(5)), cas("B", 3, at(5), 1, 3)}
	return []scenario{
		{
			layout:  row3(),
			name:    "crash",
			doc:     "anybody fails",
			calls:   leaves(),
			budget:  crash,
			witness: uncertain | mismatched,
		},
		{
			layout:   row3(),
			name:     "crash-reverts",
			doc:      "the owner fails, and what was put is gone",
			seed:     seed(),
			calls:    []call{get("A", 1, at(6)), put("A", 2, at(6), 2), get("C", 3, at(6)), get("C", 4, at(6))},
			crashers: "B",
			budget:   crash,
			witness:  reverted | uncertain,
		},
		{
			layout:   row3(),
			name:     "crash-drop",
			doc:      "the owner fails, and a message is lost",
			calls:    leaves(),
			crashers: "B",
			budget:   model.Budget{Crash: 1, Drop: 1},
			witness:  uncertain | mismatched,
			safety:   true,
		},
		{
			layout: row2(), name: "crash-rejoin", doc: "B fails, comes back as another, and gets its key again", seed: []call{put("B", 9, at(10), 9)}, rejoin: "B",
			calls: []call{
				put("A", 1, at(10), 1),
				get("A", 2, at(10)),
				get("A", 3, at(10)),
			}, crashers: "B", budget: model.Budget{Crash: 1, Restart: 1}, witness: moved | reverted | uncertain,
		},
		{
			layout:  row2(),
			name:    "join-crash",
			doc:     "a split, and anybody fails",
			joiners: one(5, "A"),
			calls:   joining[:2],
			budget:  crash,
			witness: moved | uncertain,
			safety:  true,
		},
		{
			layout:  row2(),
			name:    "join-crash-three",
			doc:     "the same, three operations",
			joiners: one(5, "A"),
			calls:   joining,
			budget:  crash,
			witness: moved | uncertain | mismatched,
			deep:    true,
		},
		{
			layout:   row2(),
			name:     "join-crash-dup",
			doc:      "a split, the joiner fails, one message repeated",
			joiners:  one(5, "A"),
			calls:    []call{put("B", 1, at(5), 1), get("A", 2, at(5)), get("A", 3, at(5))},
			crashers: "C",
			budget:   model.Budget{Crash: 1, Duplicate: 1},
			witness:  moved | uncertain,
			safety:   true,
			deep:     true,
		},
		{
			layout:   row3(),
			name:     "leave-crash",
			doc:      "a merge, and the leaver or the taker fails",
			leavers:  "B",
			seed:     seed(),
			calls:    leaves()[:2],
			crashers: "BC",
			budget:   crash,
			witness:  moved | uncertain,
			safety:   true,
		},
		{
			layout:  row3(),
			name:    "leave-crash-three",
			doc:     "a merge, and anybody fails",
			leavers: "B",
			seed:    seed(),
			calls:   leaves(),
			budget:  crash,
			witness: moved | uncertain | mismatched,
			deep:    true,
			safety:  true,
		},
		{
			layout: row3(), name: "limit-crash", doc: "the owner fails: what was put is gone, since nobody else has it", calls: []call{put("A", 1, at(6), 1), get("A", 2, at(6))}, crashers: "B", budget: crash, strict: true,
			expect: []model.Expectation{
				{Property: "Linearizable", Violated: true, Why: "items are kept once: with their owner's failure they are lost"},
			},
		},
	}
}
