package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// publishedScenarios lists them all: scenarios that hold, that break without any fault, and that
// break when a message is dropped or duplicated, or a node crashes.
func publishedScenarios() []publishedScenario {
	return slices.Concat(publishedSound(), publishedFaultless(), publishedKills(), publishedMoves(), publishedFaulty())
}

// kindest is the interpretation that breaks least.
func kindest() published.Readings {
	return published.Readings{Requeue: true, Tells: true, WholeOrder: true, LateCancel: true, ByPair: true}
}

// Jobs of two nodes, in a cluster of two.
func onPair(jobs ...publishedJob) publishedScenario {
	return publishedScenario{clusters: pair(), jobs: jobs}
}

func (s publishedScenario) called(
	name, doc string, r published.Readings, expect ...[]model.Expectation,
) publishedScenario {
	s.name, s.doc, s.readings, s.expect = name, doc, r, slices.Concat(expect...)
	return s
}

func (s publishedScenario) under(b model.Budget, crashers string) publishedScenario {
	s.budget, s.crashers = b, crashers
	return s
}

func (s publishedScenario) ordered() publishedScenario {
	s.fifo = true
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
		moved("CB").ordered().
			called("move", "Algorithm 1 moves an idle job to a cluster that shares B", published.Readings{}),
		killed().called("killed", killedDoc, published.Readings{Requeue: true, Tells: true}),
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
					"a CANCEL that overtakes its DISPATCH is ignored: the task stays ready and keeps its node",
					"NoOrphan",
				)),
		sameTime.called(
			"same-time",
			"two jobs with one submission time",
			published.Readings{Requeue: true, Tells: true},
			violated(
				"neither job is older, so neither is killed, and each holds the node that the other needs",
				"AllDone",
				"NoOrphan",
			),
		),
	}
}

// publishedKills are two jobs that arrive crosswise.
func publishedKills() []publishedScenario {
	cross := onPair(publishedJob{"A", "A", 1, 1, 2}, publishedJob{"B", "B", 2, 2, 2})
	const doc = "two jobs that both need both nodes"
	return []publishedScenario{
		killed().called("killed", killedDoc, published.Readings{},
			violated("a representative counts a dependent that was killed", "VotesHeld"),
			violated("it starts k dependents, of which one was killed: only k-1 compute", "NeverFewer"),
			violated("a killed dependent is gone: its job never has enough", "AllDone", "NoOrphan")),
		cross.called(
			"cross",
			doc,
			kindest(),
			violated("until it is notified, a representative counts a dependent that was killed", "VotesHeld"),
			violated("the news of the kill crosses the BEGIN: only k-1 compute", "NeverFewer"),
			violated(
				"the news of a kill arrives after the READY that follows it and revokes that: the task keeps its node for nothing",
				"AllDone",
				"NoOrphan",
			),
		),
	}
}

const killedDoc = "a job of two and an older job of one, which arrives at A"

// killed is a newer job of two, represented at A, and an older job that needs A alone.
func killed() publishedScenario {
	return onPair(publishedJob{"A", "A", 2, 2, 2}, publishedJob{"B", "A", 1, 1, 1})
}

// moved is a job of two, represented at A, that Algorithm 1 sends to C with this cluster.
func moved(target string) publishedScenario {
	toC := published.Command{
		Kind:       published.DLB,
		Neighbours: []published.Neighbour{{Node: id('C'), Coordinate: 2, Residue: 2}},
	}
	return publishedScenario{
		clusters: []string{"AB", "B", target}, jobs: []publishedJob{{"A", "A", 1, 1, 2}},
		balances: []balancing{{"A", toC}}, witnesses: "Moves",
	}
}

// crowded is a job that has two others ahead of it at A. B is idle when A decides, as A knows.
func crowded() publishedScenario {
	return publishedScenario{
		clusters: []string{"A", "B"},
		jobs: []publishedJob{
			{"A", "A", 1, 1, 1}, {"A", "A", 2, 2, 1}, {"A", "A", 6, 6, 1},
			{"B", "B", 3, 3, 1}, {"B", "B", 4, 4, 1}, {"B", "B", 5, 5, 1},
		},
		balances: []balancing{{"A", published.Command{
			Kind: published.QB, Neighbours: []published.Neighbour{{Node: id('B'), Coordinate: 1}},
			Positions: []published.Position{{Job: published.Job{Owner: id('A'), Number: 3}, Average: 2}},
		}}},
		witnesses: "Moves",
	}
}

func publishedMoves() []publishedScenario {
	const doc = "Algorithm 1 moves an idle job to a cluster that shares B"
	return []publishedScenario{
		moved("CB").called("move", doc, published.Readings{},
			violated(
				"a recall that overtakes its DISPATCH finds no task: the orphan keeps B, which the moved job needs",
				"AllDone", "NoOrphan",
			)),
		crowded().called("crowded", "Algorithm 2 moves a job to B, where three older jobs arrive at the same time",
			published.Readings{},
			violated("the exact numbers promised a position of at most 2, and three jobs are ahead on arrival", "NotWorse")),
		moved("C").called("move-stale", "Algorithm 1 moves an idle job to C, whose cluster has shrunk", kindest(),
			violated("the residue was stale, and a job moves only once: it waits forever", "AllDone", "NoOrphan")),
	}
}

func publishedFaulty() []publishedScenario {
	routed := onPair(publishedJob{"A", "B", 1, 1, 2})
	crash := model.Budget{Crash: 1}
	return []publishedScenario{
		routed.under(model.Budget{Drop: 1}, "").
			called("drop", "a job of two, represented at B; one message dropped", kindest(),
				violated("a dropped ROUTE is not resent: the job is lost", "AllDone"),
				violated("a dropped DISPATCH is not resent: the other dependent is ready forever and keeps its node", "NoOrphan"),
				violated("a dropped BEGIN is not resent: only k-1 compute", "NeverFewer")),
		routed.under(model.Budget{Duplicate: 1}, "").
			called("dup", "a job of two, represented at B; one message duplicated", kindest(),
				violated("a duplicated DISPATCH makes a second task of the same job, which no representative knows", "NoOrphan"),
				violated("a ROUTE that is duplicated after the job has ended starts it again", "NeverMore", "CancelledStays")),
		onPair(
			publishedJob{"A", "A", 1, 1, 2},
		).under(crash, "B").
			called("crash-host", "a job of two; B, its other host, may crash", kindest(),
				violated("no node notices that the host of a dependent has failed: the job never ends", "AllDone", "NoOrphan")),
		routed.under(crash, "B").called("crash-representative", "a job of two; B, its representative, may crash", kindest(),
			violated("no node notices that a representative has failed: the job is lost", "AllDone"),
			violated("its dependents stay ready and keep their nodes forever", "NoOrphan")),
	}
}
