package reptask

import (
	"github.com/canvass-grid/canvass/model"
	printed "github.com/canvass-grid/canvass/model/asprinted/reptask"
)

func printedScenarios() []printedScenario {
	one := []printedJob{{"A", "A", 1, 1, 2}}
	tie := []printedJob{{"A", "A", 1, 1, 2}, {"B", "B", 1, 1, 2}}
	sameTime := []printedJob{{"A", "A", 1, 1, 2}, {"B", "B", 1, 2, 2}}
	cross := []printedJob{{"A", "A", 1, 1, 2}, {"B", "B", 2, 2, 2}}
	kind := printed.Readings{Requeue: true, Tells: true, WholeOrder: true, LateCancel: true, ByPair: true}
	pair := []string{"AB", "AB"}
	return []printedScenario{
		{name: "one", doc: "a job of two", clusters: pair, jobs: one},
		{name: "one-drop", doc: "a job of two", clusters: pair, jobs: one, budget: model.Budget{Drop: 1}},
		{name: "one-dup", doc: "a job of two", clusters: pair, jobs: one, budget: model.Budget{Duplicate: 1}},
		{name: "one-dup", readings: kind, doc: "a job of two", clusters: pair, jobs: one, budget: model.Budget{Duplicate: 1}},
		{name: "routed-dup", readings: kind, doc: "a job of one, represented at B", clusters: pair, jobs: []printedJob{{"A", "B", 1, 1, 1}}, budget: model.Budget{Duplicate: 1}},
		{name: "one-crash-host", doc: "a job of two", clusters: pair, jobs: one, budget: model.Budget{Crash: 1}, crashers: "B"},
		{name: "one-crash-representative", doc: "a job of two, represented at B", clusters: pair, jobs: []printedJob{{"A", "B", 1, 1, 2}}, budget: model.Budget{Crash: 1}, crashers: "B"},
		{name: "over", fold: 2, doc: "a job of one, dispatched to two", clusters: []string{"AB", "AB"}, jobs: []printedJob{{"A", "A", 1, 1, 1}}},
		{name: "over", fold: 2, readings: printed.Readings{LateCancel: true}, doc: "a job of one, dispatched to two", clusters: []string{"AB", "AB"}, jobs: []printedJob{{"A", "A", 1, 1, 1}}},
		{name: "small", doc: "a job of two in a cluster of one", clusters: []string{"A", "B"}, jobs: one},
		{name: "tie", readings: kind, doc: "two equal jobs", clusters: pair, jobs: tie},
		{name: "same-time", doc: "two jobs of one submit time", clusters: pair, jobs: sameTime},
		{name: "same-time", readings: printed.Readings{Requeue: true, Tells: true}, doc: "two jobs of one submit time", clusters: pair, jobs: sameTime},
		{name: "cross", doc: "two jobs, both need both nodes", clusters: pair, jobs: cross},
		{name: "cross", readings: printed.Readings{Requeue: true}, doc: "two jobs, both need both nodes", clusters: pair, jobs: cross},
		{name: "cross", readings: printed.Readings{Tells: true}, doc: "two jobs, both need both nodes", clusters: pair, jobs: cross},
		{name: "cross", readings: kind, doc: "two jobs, both need both nodes", clusters: pair, jobs: cross},
	}
}
