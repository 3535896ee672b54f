package dtm

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Models lists the systems.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, s := range scenarios() {
		c, err := compile(s)
		if err != nil {
			panic(fmt.Sprintf("the catalogue is broken: %v", err))
		}
		all = append(all, c)
	}
	return all
}

func scenarios() []scenario {
	return slices.Concat(networks(joining(), leaving(), mixed(), failing(), aggregating()), limits())
}

func joining() []scenario {
	return []scenario{
		{
			name: "begin", doc: "A begins a tree, and B is given A",
			tree: "A B:A@0/8", joins: "A: B:A", manner: dtm.Walk, sees: seesJoin,
		},
		{
			name: "join", doc: "C joins a tree of two hosts",
			tree: "A B:A@0/8 C:B@4/2", members: 2, joins: "C:AB", manner: dtm.Walk, sees: seesJoin,
		},
		{
			name: "join-fit", lossy: true, doc: "D joins a tree of three hosts; manner fit",
			tree: "A B:A@0/8 C:B@4/2 D:C@1/3", members: 3, joins: "D:ABC", manner: dtm.Fit, sees: seesJoin,
		},
		{
			name: "join-both", doc: "D joins a tree of three hosts, by fit and by a walk; its latencies are of no tree",
			tree: "A B:A@0/8 C:B@4/2 D:C@1/3", members: 3, joins: "D:ABC", longer: "AD", sees: seesJoin,
		},
		{
			name: "join-chain", doc: "E joins at the end of a chain, from its beginning",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/6 E:D@2/6", members: 4, joins: "E:A", manner: dtm.Walk, sees: seesJoin,
		},
		{
			name: "join-empty", doc: "D is given C, whose segment is empty",
			tree: "A B:A@0/8 C:B@4/0 D:B@6/2", members: 3, joins: "D:C", manner: dtm.Walk, sees: seesJoin,
		},
		{
			name: "two-join-point", doc: "D and E join where the segment of C ends, and share a part of the way",
			tree: "A B:A@0/8 C:B@4/6 D:B@4/6 E:D@2/2", members: 3, joins: "D:C E:A", manner: dtm.Walk,
			sees: seesJoin | seesRefusal,
		},
		{
			name: "two-join", lossy: true, early: 1, doc: "C and D join at the same place, and share a part of the way",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/2", members: 2, joins: "C:A D:A", manner: dtm.Walk,
			sees: seesJoin | seesRefusal,
		},
		{
			name: "two-join-star", doc: "C and D join at the same point",
			tree: "A B:A@0/8 C:B@4/6 D:B@4/2", members: 2, joins: "C:A D:B", manner: dtm.Walk,
			sees: seesJoin | seesRefusal,
		},
		{
			name: "two-join-fit", lossy: true, doc: "C and D join at the same place; manner fit",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/2", members: 2, joins: "C:AB D:AB", manner: dtm.Fit,
			sees: seesJoin | seesRefusal,
		},
	}
}

func leaving() []scenario {
	return []scenario{
		{
			name: "leave-root", doc: "the root leaves; it has two children",
			tree: "A B:A@0/8 C:A@0/2", members: 3, leaves: "A", sees: seesLeave,
		},
		{
			name: "leave-middle", lossy: true, doc: "a host with two children and an anchor leaves",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, leaves: "B", sees: seesLeave,
		},
		{
			name: "leave-leaf", doc: "a host without children leaves",
			tree: "A B:A@0/8 C:B@6/2", members: 3, leaves: "C", sees: seesLeave,
		},
		{
			name: "leave-deep", doc: "a host leaves whose grandchildren have children",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/4 E:D@2/2", members: 5, leaves: "B", sees: seesLeave,
		},
		{
			name: "leave-adjacent", lossy: true, doc: "a host and its child leave at once",
			tree: "A B:A@0/8 C:B@4/2 D:B@6/2", members: 4, leaves: "BC", sees: seesLeave | seesTwoLeaves,
		},
		{
			name: "leave-chain", lossy: true, doc: "two adjacent hosts in a chain leave at once",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/4", members: 4, leaves: "BC", sees: seesLeave | seesTwoLeaves,
		},
		{
			name: "leave-siblings", early: 1, doc: "two children of the root leave at once",
			tree: "A B:A@0/8 C:A@0/6 D:B@2/4", members: 4, leaves: "BC", sees: seesLeave | seesTwoLeaves,
		},
		{
			name: "leave-root-child", lossy: true, doc: "the root and its heir leave at once",
			tree: "A B:A@0/8 C:B@4/6 D:A@0/4", members: 4, leaves: "AB", sees: seesLeave | seesTwoLeaves,
		},
		{
			name: "leave-all", doc: "all hosts leave",
			tree: "A B:A@0/8 C:B@4/2", members: 3, leaves: "ABC", sees: seesLeave | seesTwoLeaves,
		},
		{
			name: "leave-three", doc: "three hosts of a chain of four leave at once",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/4", members: 4, leaves: "BCD", sees: seesLeave | seesTwoLeaves,
		},
	}
}

func mixed() []scenario {
	return []scenario{
		{
			name: "join-leave-anchor", lossy: true, early: 1, doc: "C joins a host that leaves",
			tree: "A B:A@0/8 C:B@4/6", members: 2, joins: "C:AB", leaves: "B", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-leave-row", lossy: true, doc: "D joins a row of three whose last host leaves, and leaves itself",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/6", members: 3, joins: "D:ABC", leaves: "CD", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-join-leave-row", doc: "C and D join a row of two; B and D leave",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/6", members: 2, joins: "C:AB D:ABC", leaves: "BD", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-leave-sibling", doc: "D joins while another child of its anchor leaves",
			tree: "A B:A@0/8 C:A@0/6 D:A@0/4", members: 3, joins: "D:A", leaves: "C", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-leave-heir", lossy: true, doc: "D joins a host whose anchor leaves",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/2", members: 3, joins: "D:AC", leaves: "B", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-leave-walk", doc: "E is given a host whose anchor leaves, and walks to a sibling",
			tree: "A B:A@0/8 C:B@2/4 D:B@6/4 E:D@2/2", members: 4, joins: "E:C", leaves: "B", manner: dtm.Walk,
			sees: seesJoin | seesLeave,
		},
		{
			name: "join-leave-deep", doc: "F is given hosts of two branches below one that leaves",
			tree: "A B:A@0/8 C:B@2/4 D:B@6/4 E:D@2/2 F:E@1/3", members: 5, joins: "F:EC", leaves: "B", manner: dtm.Fit,
			sees: seesJoin | seesLeave,
		},
	}
}

func failing() []scenario {
	return []scenario{
		{
			name: "crash-middle", lossy: true, doc: "a host with two children and an anchor crashes",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4,
			crashers: "B", budget: model.Budget{Crash: 1}, sees: seesHealing,
		},
		{
			name: "crash-root", doc: "the root crashes; it has two children",
			tree: "A B:A@0/8 C:A@0/2 D:B@2/4", members: 4,
			crashers: "A", budget: model.Budget{Crash: 1}, sees: seesHealing,
		},
		{
			name: "crash-leaf", doc: "a host without children crashes",
			tree: "A B:A@0/8 C:B@6/2", members: 3,
			crashers: "C", budget: model.Budget{Crash: 1}, sees: seesForgetting,
		},
		{
			name: "crash-any", doc: "any host of four crashes",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, budget: model.Budget{Crash: 1}, sees: seesHealing,
		},
		{
			name: "crash-leaver", lossy: true, doc: "a host that leaves crashes",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, leaves: "B",
			crashers: "B", budget: model.Budget{Crash: 1}, sees: seesHealing | seesLeave,
		},
		{
			name: "crash-joiner", doc: "a host that joins crashes, and begins again",
			tree: "A B:A@0/8 C:B@4/2", members: 2, joins: "C:AB",
			crashers: "C", manner: dtm.Walk, budget: model.Budget{Crash: 1, Restart: 1},
			sees: seesJoin,
		},
		{
			name: "crash-anchor", lossy: true, doc: "D joins while a host that it may attach to crashes",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/2", members: 3, joins: "D:AC",
			crashers: "B", manner: dtm.Walk, budget: model.Budget{Crash: 1}, sees: seesHealing | seesJoin,
		},
	}
}

func aggregating() []scenario {
	return []scenario{
		{
			name: "near", lossy: true, early: 1, doc: "three hosts report near hosts",
			tree: "A B:A@0/8 C:B@4/2", members: 3, near: 2, sees: seesNear,
		},
		{
			name: "near-cut", doc: "four hosts report the nearest host",
			tree: "A B:A@0/8 C:B@4/2 D:B@6/2", members: 4, near: 1, sees: seesNear,
		},
		{
			name: "near-leave", doc: "a host leaves while hosts report near hosts",
			tree: "A B:A@0/8 C:B@4/2", members: 3, leaves: "B", near: 2, sees: seesLeave,
		},
		{
			name: "near-join", lossy: true, doc: "a host joins while hosts report near hosts",
			tree: "A B:A@0/8 C:B@4/2", members: 2, joins: "C:A", manner: dtm.Walk, near: 2, sees: seesJoin,
		},
	}
}

// networks lists all scenarios, and each that says so under faults, too: one message is dropped and
// one is duplicated, or timeouts are premature.
func networks(lists ...[]scenario) []scenario {
	all := slices.Concat(lists...)
	for _, s := range all {
		if s.lossy {
			under := s
			under.name, under.doc = s.name+"-lossy", s.doc+"; a message is dropped, and one is duplicated"
			under.budget.Drop, under.budget.Duplicate = 1, 1
			all = append(all, under)
		}
		if s.early > 0 {
			under := s
			under.name, under.doc = s.name+"-early", s.doc+"; timeouts fire too early"
			under.budget.Spurious = s.early
			all = append(all, under)
		}
	}
	return all
}

// limits are expected failures: each drops one assumption.
func limits() []scenario {
	return []scenario{
		{
			name: "limit-crash-early", doc: "an anchor crashes before its children know all of them",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/2", members: 3, joins: "D:AC", crashers: "B", manner: dtm.Walk, anytime: true,
			budget: model.Budget{Crash: 1}, sees: seesJoin,
			expect: violated("C follows an heir that never joined",
				"Held", "LabelsTrue", "SiblingsKnown", "NobodyLocked", "Joins"),
		},
		{
			name: "limit-heal-early", doc: "the place of a crashed host is given up before its heir claims it",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, crashers: "B", anytime: true,
			budget: model.Budget{Crash: 1, Spurious: 1}, sees: seesHealing,
			expect: violated("the anchor no longer knows of a place to claim",
				"Held", "LabelsTrue", "NobodyLocked"),
		},
		{
			name: "limit-crash-two", doc: "an anchor and its heir crash",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, crashers: "BD",
			budget: model.Budget{Crash: 2},
			expect: violated("C follows an heir that has crashed", "LabelsTrue", "SiblingsKnown", "NobodyLocked"),
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
