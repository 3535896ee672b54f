package reptask

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Models lists the systems of the corrected core: first those in which every property holds, then those that show what
// no such protocol can do.
func Models() []model.Checkable {
	var all []model.Checkable
	for _, list := range [][]scenario{calm()} {
		for _, s := range list {
			all = append(all, compiled(s))
		}
	}
	return all
}

// calm are runs without faults: every message arrives once, in any order.
func calm() []scenario {
	return []scenario{
		{name: "lone", doc: "one job of two", clusters: []string{"AB", "AB"}, jobs: []request{{"A", 1, 2, reptask.OverNone, "B"}}},
		{name: "two-jobs", doc: "two jobs of two on the same two nodes", clusters: []string{"AB", "AB"}, jobs: []request{{"A", 1, 2, reptask.OverNone, "A"}, {"B", 2, 2, reptask.OverNone, "B"}}, witnesses: "Kills"},
		{name: "overlap", doc: "two jobs of two in overlapping clusters, dispatched everywhere", clusters: []string{"ABC", "ABC", "ABC"}, jobs: []request{{"A", 1, 2, reptask.OverTotal, "A"}, {"C", 2, 2, reptask.OverTotal, "C"}}, witnesses: "Kills Cancels"},
	}
}
