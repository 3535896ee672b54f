package store

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{quiet(), lookups(), faulty(), crashes()} {
		for _, s := range list {
			c, err := s.system().Compile()
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

// quiet are changes of the map without a fault.
func quiet() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join", doc: "A's zone is split while both founders use a key that falls to the joiner",
			joiners: one(5, "A"), calls: []call{put("A", 1, at(5), 1), put("B", 2, at(5), 2), get("B", 3, at(5))}, witness: moved | refused,
		},
		{
			layout: row2(), name: "join-cas", doc: "the same with operations that must not be executed twice",
			joiners: one(5, "A"), calls: []call{cas("A", 1, at(5), 0, 1), cas("B", 2, at(5), 0, 2), get("B", 3, at(5))}, witness: moved | refused | mismatched,
		},
		{
			layout: row2(), name: "leave", doc: "B leaves while both use a key of its zone",
			leavers: "B", seed: []call{put("B", 9, at(10), 9)}, calls: []call{put("A", 1, at(10), 1), get("A", 2, at(10)), cas("B", 3, at(10), 9, 3)}, witness: moved | mismatched,
		},
	}
}

// lookups are changes while somebody looks for the owner of a point.
func lookups() []scenario {
	return []scenario{
		{
			layout: row2(), name: "join-lookup", doc: "the owner of a point is looked for while the point falls to a joiner",
			joiners: one(5, "A"), homes: "A", calls: []call{lookup("A", 1, at(5)), lookup("B", 2, at(5)), lookup("B", 3, at(5))}, witness: refused | found,
		},
		{
			layout: row3(), name: "leave-lookup", doc: "the same while its owner leaves",
			leavers: "B", homes: "B", calls: []call{lookup("A", 1, at(6)), lookup("A", 2, at(6)), lookup("C", 3, at(6))}, witness: refused | found,
		},
	}
}

// faulty are changes with a message lost, a message repeated, or a timer early.
func faulty() []scenario {
	joins := []call{cas("A", 1, at(5), 0, 1), put("B", 2, at(5), 2), get("B", 3, at(5))}
	leaves := []call{put("A", 1, at(6), 1), cas("C", 2, at(6), 9, 2), get("C", 3, at(6))}
	seed := []call{put("B", 9, at(6), 9)}
	return []scenario{
		{layout: row2(), name: "join-drop", doc: "a split, one message lost", joiners: one(5, "A"), calls: joins, budget: model.Budget{Drop: 1}, witness: moved | refused | mismatched},
		{layout: row2(), name: "join-dup", doc: "a split, one message repeated", joiners: one(5, "A"), calls: joins, budget: model.Budget{Duplicate: 1}, witness: moved | refused | mismatched},
		{layout: row2(), name: "join-early", doc: "a split, one timer early", joiners: one(5, "A"), calls: joins, budget: model.Budget{Spurious: 1}, witness: moved | refused | mismatched},
		{layout: row3(), name: "leave", doc: "a merge", leavers: "B", seed: seed, calls: leaves, witness: moved | refused | mismatched},
		{layout: row3(), name: "leave-drop", doc: "a merge, one message lost", leavers: "B", seed: seed, calls: leaves, budget: model.Budget{Drop: 1}, witness: moved | refused | mismatched},
		{layout: row3(), name: "leave-dup", doc: "a merge, one message repeated", leavers: "B", seed: seed, calls: leaves, budget: model.Budget{Duplicate: 1}, witness: moved | refused | mismatched},
		{layout: row3(), name: "leave-early", doc: "a merge, one timer early", leavers: "B", seed: seed, calls: leaves, budget: model.Budget{Spurious: 1}, witness: moved | refused | mismatched},
	}
}

// crashes are runs in which a node fails, checked against the weaker specification.
func crashes() []scenario {
	calls := []call{put("A", 1, at(6), 1), get("A", 2, at(6)), cas("C", 3, at(6), 0, 3)}
	crash := model.Budget{Crash: 1}
	return []scenario{
		{layout: row3(), name: "crash", doc: "anybody fails", calls: calls, budget: crash, witness: reverted | uncertain | mismatched},
		{layout: row2(), name: "join-crash", doc: "a split, and anybody fails", joiners: one(5, "A"), calls: []call{put("A", 1, at(5), 1), get("B", 2, at(5)), cas("B", 3, at(5), 1, 3)}, budget: crash, witness: moved | uncertain | mismatched},
		{layout: row3(), name: "leave-crash", doc: "a merge, and anybody fails", leavers: "B", calls: calls, budget: crash, witness: moved | uncertain | mismatched},
	}
}
