package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
	printed "github.com/canvass-grid/canvass/model/asprinted/refine"
	"github.com/canvass-grid/canvass/protocol"
)

func printedScenarios() []printedScenario {
	self := printed.Readings{SolicitsSelf: true}
	pairs := printed.Readings{WaitsForPairs: true}
	return []printedScenario{
		{name: "pair", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, whole: "A:B"},
		{name: "pair", readings: self, doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, whole: "A:B"},
		{name: "own", doc: "A and B find each other", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 1, ownCounts: true, size: 2},
		{name: "mutual", readings: printed.Readings{SolicitsSelf: true, WaitsForPairs: true}, doc: "A and B find each other", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, whole: "A:B B:A"},
		{name: "own", readings: self, doc: "A and B find each other", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 1, size: 2},
		{name: "three", doc: "A finds B and C", nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC"},
		{name: "three", readings: printed.Readings{Lenient: true}, doc: "A finds B and C", nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC"},
		{name: "three", readings: pairs, doc: "A finds B and C", nodes: 3, near: []string{"A:BC"}, memberships: 2, size: 3, whole: "A:BC"},
		{name: "pair-drop", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Drop: 1}},
		{name: "pair-dup", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 1, size: 2, budget: model.Budget{Duplicate: 1}},
		{name: "pair-dup", readings: printed.Readings{Once: true}, doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 1, size: 2, budget: model.Budget{Duplicate: 1}},
		{name: "pair-crash-head", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "A"},
		{name: "pair-crash-client", doc: "A finds B", nodes: 2, near: []string{"A:B"}, memberships: 2, size: 2, budget: model.Budget{Crash: 1}, crashers: "B"},
		{name: "recollect-full", doc: "A finds B, then B and C; M is 1", nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 1, size: 3},
		{name: "recollect-full", readings: pairs, doc: "A finds B, then B and C; M is 1", nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 1, size: 3},
		{name: "recollect-other", doc: "A finds B, then C", nodes: 3, near: []string{"A:B", "A:C"}, memberships: 2, size: 3},
		{name: "recollect-other", readings: printed.Readings{TellsFormer: true}, doc: "A finds B, then C", nodes: 3, near: []string{"A:B", "A:C"}, memberships: 2, size: 3},
		{name: "recollect-more", readings: printed.Readings{WaitsForPairs: true, Once: true}, doc: "A finds B, then B and C", nodes: 3, near: []string{"A:B", "A:BC"}, memberships: 2, size: 3, whole: "A:BC"},
		{name: "two-suitors", doc: "A finds B, and so does C", nodes: 3, near: []string{"A:B", "C:B"}, memberships: 3, size: 2, whole: "A:B C:B"},
		{name: "two-suitors", readings: printed.Readings{DeferIsHeard: true}, doc: "A finds B, and so does C", nodes: 3, near: []string{"A:B", "C:B"}, memberships: 3, size: 2, whole: "A:B C:B"},
		{name: "freed", doc: "A finds B, and so does C; A and B are too far apart", nodes: 3, near: []string{"A:B", "C:B"}, far: "AB", memberships: 1, size: 2, whole: "A: C:B"},
		{name: "crowded", readings: printed.Readings{SolicitsSelf: true, WaitsForPairs: true}, doc: "A and C find B, which finds A", nodes: 3, near: []string{"A:B", "C:B", "B:A"}, memberships: 2, ownCounts: true, size: 2},
		{name: "mutual-early", readings: printed.Readings{SolicitsSelf: true, WaitsForPairs: true}, doc: "A and B find each other, one timer early", nodes: 2, near: []string{"A:B", "B:A"}, memberships: 2, size: 2, whole: "A:B B:A", budget: model.Budget{Spurious: 1}},
	}
}

func lettered(names string) []protocol.NodeID {
	var ids []protocol.NodeID
	for _, name := range names {
		ids = append(ids, protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1})
	}
	return ids
}

func named(i int) string { return string(rune('A' + i)) }

func numbered(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
