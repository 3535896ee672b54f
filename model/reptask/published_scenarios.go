package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// publishedScenarios lists them all: what holds, what breaks without any fault, and what breaks when
// something is lost, repeated or fails.
func publishedScenarios() []publishedScenario {
	return slices.Concat(publishedSound(), publishedFaultless(), publishedKills(), publishedMoves(), publishedFaulty())
}

// kindest is the reading that breaks least.
func kindest() published.Readings {
	return published.Readings{Requeue: true, Tells: true, WholeOrder: true, LateCancel: true, ByPair: true}
}

// Jobs of two nodes, in a cluster of two.
func onPair(jobs ...publishedJob) publishedScenario {
	return publishedScenario{clusters: pair(), jobs: jobs}
}

func (s publishedScenario) called(name, doc string, r published.Readings, expect ...[]model.Expectation) publishedScenario {
	s.name, s.doc, s.readings, s.expect = name, doc, r, slices.Concat(expect...)
	return s
}

func (s publishedScenario) under(b model.Budget, crashers string) publishedScenario {
	s.budget, s.crashers = b, crashers
	return s
}

func (s publishedScenario) folded(fold int) publishedScenario {
	s.fold = fold
	return s
}

func publishedSound() []publishedScenario {
	return []publishedScenario{
		onPair(publishedJob{"A", "A", 1, 1, 2}).called("one", "a job of two", published.Readings{}),
		onPair(
			publishedJob{"A", "A", 1, 1, 1},
		).folded(2).
			called("over", "a job of one, dispatched to two", published.Readings{LateCancel: true}),
		moved("CB").called("move", "Algorithm 1 moves an idle job to a cluster that shares B", kindest()),
	}
}

func publishedFaultless() []publishedScenario {
	sameTime := onPair(publishedJob{"A", "A", 1, 1, 2}, publishedJob{"B", "B", 1, 2, 2})
	return []publishedScenario{
		onPair(
			publishedJob{"A", "A", 1, 1, 1},
		).folded(2).
			called("over", "a job of one, dispatched to two", published.Readings{},
				violated(
					"a CANCEL that overtakes its DISPATCH is void: the dependent gets ready for nobody and keeps its node",
					"NoOrphan",
				)),
		publishedScenario{
			clusters: []string{"A", "B"},
			jobs:     []publishedJob{{"A", "A", 1, 1, 2}},
		}.called(
			"small",
			"a job of two in what is now a cluster of one",
			kindest(),
			violated(
				"nobody compares a job with the cluster as it is when it arrives: it waits for ever",
				"AllDone",
				"NoOrphan",
			),
		),
		onPair(
			publishedJob{"A", "A", 1, 1, 2},
			publishedJob{"B", "B", 1, 1, 2},
		).called("tie", "two jobs of one submit time and equal properties", kindest(),
			violated(
				"equal jobs have equal hashes: queues differ, and each job holds the node that the other needs",
				"AllDone",
				"NoOrphan",
			)),
		sameTime.called(
			"same-time",
			"two jobs of one submit time",
			published.Readings{Requeue: true, Tells: true},
			violated(
				"neither is older by submit time, so neither is killed, and each holds the node that the other needs",
				"AllDone",
				"NoOrphan",
			),
		),
	}
}

// publishedKills are two jobs that arrive crosswise.
func publishedKills() []publishedScenario {
	cross := onPair(publishedJob{"A", "A", 1, 1, 2}, publishedJob{"B", "B", 2, 2, 2})
	const doc = "two jobs, both need both nodes"
	return []publishedScenario{
		cross.called("cross", doc, published.Readings{},
			violated("a representative counts a dependent that was killed", "VotesHeld"),
			violated("it starts k dependents of which one is dead: k-1 compute", "NeverFewer"),
			violated("a dependent that is killed is gone: BEGIN finds nothing and the job never ends", "AllDone", "NoOrphan")),
		cross.called("cross", doc, published.Readings{Tells: true},
			violated("until it is told, a representative counts a dependent that was killed", "VotesHeld"),
			violated("the news of the kill crosses the BEGIN: k-1 compute", "NeverFewer"),
			violated("a dependent that is killed is gone: its job never has enough", "AllDone", "NoOrphan")),
		cross.called(
			"cross",
			doc,
			kindest(),
			violated("until it is told, a representative counts a dependent that was killed", "VotesHeld"),
			violated("the news of the kill crosses the BEGIN: k-1 compute", "NeverFewer"),
			violated(
				"the news of a kill comes after the READY that follows it, and takes that back: the task keeps its node for nobody",
				"AllDone",
				"NoOrphan",
			),
		),
	}
}

// moved is a job of two, represented at A, that Algorithm 1 sends to C with this cluster.
func moved(target string) publishedScenario {
	toC := published.Command{
		Kind:       published.DLB,
		Neighbours: []published.Neighbour{{Node: id('C'), Coordinate: 2, Residue: 2}},
	}
	return publishedScenario{
		clusters: []string{
			"AB",
			"B",
			target,
		}, jobs: []publishedJob{{"A", "A", 1, 1, 2}}, balances: []balancing{{"A", toC}}, witnesses: "Moves",
	}
}

func publishedMoves() []publishedScenario {
	const doc = "Algorithm 1 moves an idle job to a cluster that shares B"
	return []publishedScenario{
		moved("CB").called("move", doc, published.Readings{},
			violated("a host takes the new representative's BEGIN for the task of the old one", "OneEpochRuns"),
			violated("the old representative's CANCEL removes the new one's task: k-1 compute", "NeverFewer"),
			violated(
				"a CANCEL that overtakes its DISPATCH is void: the orphan keeps B, where the moved job needs it",
				"AllDone",
				"NoOrphan",
			)),
		moved("CB").called("move", doc, published.Readings{ByPair: true},
			violated(
				"a CANCEL that overtakes its DISPATCH is void: the orphan keeps B, where the moved job needs it",
				"AllDone",
				"NoOrphan",
			)),
		moved("C").called("move-stale", "Algorithm 1 moves an idle job to C, where a node has gone since", kindest(),
			violated("the residue was stale and a job moves only once: it waits for ever", "AllDone", "NoOrphan")),
	}
}

func publishedFaulty() []publishedScenario {
	routed := onPair(publishedJob{"A", "B", 1, 1, 2})
	crash := model.Budget{Crash: 1}
	return []publishedScenario{
		routed.under(model.Budget{Drop: 1}, "").called("drop", "a job of two, represented at B, one message lost", kindest(),
			violated("a lost ROUTE is not repeated: the job is lost", "AllDone"),
			violated("a lost DISPATCH is not repeated: the other dependent is ready for ever and keeps its node", "NoOrphan"),
			violated("a lost BEGIN is not repeated: k-1 compute", "NeverFewer")),
		routed.under(model.Budget{Duplicate: 1}, "").
			called("dup", "a job of two, represented at B, one message repeated", kindest(),
				violated("a repeated DISPATCH is a second task of the same job, which gets ready for nobody", "NoOrphan"),
				violated("a ROUTE that is repeated after the job is over starts it again", "NeverMore", "CancelledStays")),
		onPair(
			publishedJob{"A", "A", 1, 1, 2},
		).under(crash, "B").
			called("crash-host", "a job of two, whose other host fails", kindest(),
				violated("nobody notices that the host of a dependent has failed: the job never ends", "AllDone", "NoOrphan")),
		routed.under(crash, "B").called("crash-representative", "a job of two, whose representative fails", kindest(),
			violated("nobody notices that a representative has failed: the job is lost", "AllDone"),
			violated("its dependents stay ready and keep their nodes for ever", "NoOrphan")),
	}
}
