package store

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/store"
)

// handovers are runs in which a node awaits two handovers at once, of one giver or of two.
func handovers() []scenario {
	seed := []call{put("A", 8, at(1), 8), put("A", 9, at(5), 9)}
	reads := []call{get("B", 1, at(5)), get("B", 2, at(1))}
	return []scenario{
		{
			layout: row2(), name: "join-giver-leaves", doc: "A lets C in and leaves: C gets items of A twice",
			joiners: one(5, "A"), leavers: "A", seed: seed, calls: reads, witness: moved,
		},
		{
			layout: row2(), name: "join-giver-leaves-dup", doc: "A lets C in and leaves; one message duplicated",
			joiners: one(5, "A"), leavers: "A", seed: seed, calls: reads, budget: model.Budget{Duplicate: 1}, witness: moved,
			safety: true,
		},
		{
			layout: row2(), name: "two-givers", doc: "A lets C in and B leaves, by rounds of one number: C gets items of both",
			joiners: two(5, "A", 14, "B"), former: "D", leavers: "B",
			seed:  []call{put("B", 8, at(10), 8), put("A", 9, at(5), 9)},
			calls: []call{get("A", 1, at(5)), get("A", 2, at(10))}, witness: moved, safety: true,
		},
	}
}

// lives are runs with two crashes.
func lives() []scenario {
	return []scenario{
		{
			layout: row3(), name: "crash-crash", doc: "two owners of a key may crash, one after the other",
			calls:    []call{cas("A", 1, at(6), 0, 1), get("A", 2, at(6)), get("A", 3, at(6))},
			crashers: "BC", budget: model.Budget{Crash: 2}, spaced: true, witness: uncertain, safety: true,
		},
		{
			layout: row3(), name: "crash-rejoin-twice", doc: "B may crash and rejoin twice",
			calls: []call{put("A", 1, at(6), 1)}, crashers: "B", spaced: true, rejoin: "B",
			budget: model.Budget{Crash: 2, Restart: 2}, witness: moved, safety: true,
		},
	}
}

// limits are runs with limits so low that they are reached. The last one is an expected failure.
func limits() []scenario {
	duplicate := model.Budget{Duplicate: 1}
	decided := scenario{
		layout: row2(), name: "few-decided", doc: "B remembers as many decisions as requests are open; one duplicate",
		seed:  []call{put("A", 7, at(10), 7), put("A", 8, at(10), 8)},
		calls: []call{put("A", 1, at(10), 1), cas("A", 2, at(10), 1, 2), get("B", 3, at(10))}, budget: duplicate,
		limits: func(c *store.Config) { c.DecidedLimit = 2 }, witness: mismatched, safety: true,
	}
	fewer := decided
	fewer.name, fewer.doc = "limit-few-decided", "B remembers fewer decisions than requests are open; one duplicate"
	fewer.limits = func(c *store.Config) { c.DecidedLimit = 1 }
	const why = "a copy of a request of which the decision is forgotten is executed again"
	fewer.expect = []model.Expectation{{Property: "Linearizable", Violated: true, Why: why}}
	return []scenario{
		decided,
		{
			layout: row3(), name: "few-left", doc: "B leaves; C remembers one leaver, and remembered another before",
			joiners: one(14, "C"), former: "D", leavers: "B", seed: seed(), calls: leaves()[:2],
			limits: func(c *store.Config) { c.LeftLimit = 1 }, witness: moved | refused | mismatched, safety: true,
		},
		{
			layout: row2(), name: "few-items", doc: "B stores one item; one message duplicated",
			seed:   []call{put("A", 8, at(10), 8)},
			calls:  []call{put("A", 1, at(12), 1), put("B", 2, at(10), 0), get("B", 3, at(12))},
			limits: func(c *store.Config) { c.ItemLimit = 1 }, budget: duplicate, witness: rejected, safety: true,
		},
		{
			layout: row2(), name: "few-operations", doc: "A has one operation at a time",
			calls:  []call{put("A", 1, at(10), 1), put("A", 2, at(10), 2), get("B", 3, at(10))},
			limits: func(c *store.Config) { c.OpLimit = 1 }, witness: rejected,
		},
		{
			layout: row3(), name: "few-tried", doc: "two owners may crash; an operation survives the crash of one",
			calls: []call{cas("A", 1, at(6), 0, 1), get("A", 2, at(6))}, crashers: "BC", spaced: true,
			limits: func(c *store.Config) { c.TriedLimit = 1 }, budget: model.Budget{Crash: 2}, witness: uncertain,
			safety: true,
		},
		fewer,
	}
}

// small are runs of a few thousand states, in which handovers and crashes meet one operation or
// two. They find most mistakes sooner than the larger ones.
func small() []scenario {
	own := []call{put("B", 9, at(10), 9)}
	crash := model.Budget{Crash: 1}
	return []scenario{
		{
			layout: row2(), name: "leaver-served", doc: "B leaves, and may have executed the put of A, its taker",
			leavers: "B", seed: own, calls: []call{put("A", 1, at(10), 1), get("A", 2, at(10))}, witness: moved,
		},
		{
			layout: row2(), name: "leaver-served-dup", doc: "B leaves, and may have executed the put of A; one duplicate",
			leavers: "B", seed: own, calls: []call{cas("A", 1, at(10), 9, 1)}, budget: model.Budget{Duplicate: 1},
			witness: moved, safety: true,
		},
		{
			layout: row2(), name: "leaver-served-drop", doc: "B leaves, and may have executed the put of A; one message dropped",
			leavers: "B", seed: own, calls: []call{cas("A", 1, at(10), 9, 1)}, budget: model.Budget{Drop: 1}, witness: moved,
		},
		{
			layout: row2(), name: "owner-crash", doc: "B may crash; A cannot know whether its put was executed",
			calls: []call{put("A", 1, at(10), 1), get("A", 2, at(10))}, crashers: "B", budget: crash, witness: uncertain,
		},
		{
			layout: row2(), name: "owner-rejected", doc: "A calls an operation after its command to leave",
			leavers: "A", calls: []call{put("B", 1, at(10), 1)}, late: []call{put("A", 2, at(10), 2)}, witness: rejected,
		},
		{
			layout: row3(), name: "one-crash", doc: "B or C may crash; a put of A goes to the owner of that time",
			calls: []call{put("A", 1, at(6), 1)}, crashers: "BC", budget: crash, witness: uncertain,
		},
		{
			layout: row3(), name: "one-leave", doc: "B leaves; a put of C finds the owner of that time",
			leavers: "B", seed: seed(), calls: []call{cas("C", 1, at(6), 9, 1)}, witness: moved,
		},
		{
			layout: row3(), name: "one-leave-dup", doc: "B leaves; A and C put at a key of its zone; one message duplicated",
			leavers: "B", calls: []call{put("A", 1, at(6), 1), cas("C", 2, at(6), 1, 2)},
			budget: model.Budget{Duplicate: 1}, witness: moved, safety: true,
		},
		{
			layout: row3(), name: "leaves-in-turn", doc: "B and C leave; A takes all over while its operations go on",
			leavers: "BC", calls: []call{cas("A", 1, at(6), 0, 1), put("A", 2, at(12), 2)}, witness: moved, safety: true,
		},
		{
			layout: row2(), name: "leaver-served-early",
			doc:     "B leaves, and may have executed a put of A; one premature timeout",
			leavers: "B", seed: own, calls: []call{put("A", 1, at(10), 1), cas("A", 2, at(10), 1, 2)},
			budget: model.Budget{Spurious: 1}, witness: moved, safety: true,
		},
		{
			layout: row2(), name: "passed", doc: "C joins at A and leaves, perhaps before its items arrive; one get",
			joiners: one(5, "A"), leavers: "C", seed: []call{put("A", 9, at(5), 9)}, calls: []call{get("B", 1, at(5))},
			witness: moved,
		},
		{
			layout: tee(), name: "crash", doc: "A may crash; its zone falls to two nodes",
			calls: []call{put("B", 1, at(6, 1), 1)}, crashers: "A", budget: crash, witness: uncertain,
		},
		{
			layout: row2(), name: "giver-crash", doc: "C joins at A, which may crash with the items of C",
			joiners: one(5, "A"), seed: []call{put("A", 9, at(5), 9)}, calls: []call{get("B", 1, at(5))}, crashers: "A",
			budget: crash, witness: moved, safety: true,
		},
		{
			layout: row2(), name: "receiver-crash", doc: "C joins at A and may crash before it has its items",
			joiners: one(5, "A"), calls: []call{put("B", 1, at(5), 1)}, crashers: "C", budget: crash, witness: uncertain,
			safety: true,
		},
	}
}
