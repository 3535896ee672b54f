package reptask

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// oracle holds what the properties need in addition to a global state.
type oracle[S, M any] struct {
	sizes func(reptask.Job) int
	jobs  int  // the number of submitted jobs
	roomy bool // some cluster can always take every job

	cancelled func(reptask.Job) bool // whether its client may cancel a job; nil: perhaps
}

type globalState[S, M any] = model.GlobalState[S, M]

func past[S, M any](g *globalState[S, M]) *history { return g.MonitorView.(*history) }

// properties lists every property that both cores are checked against.
func (o oracle[S, M]) properties() []model.Property[S, M] {
	of := func(name, doc string, shape checker.Shape, holds func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{Property: checker.Property{Name: name, Doc: doc, Shape: shape}, Holds: holds}
	}
	unbroken := func(bit uint32) func(*globalState[S, M]) bool {
		return func(g *globalState[S, M]) bool { return past(g).broken&bit == 0 }
	}
	return []model.Property[S, M]{
		of("OneRunPerNode", "no node runs two dependent tasks", checker.Always, o.oneRunPerNode),
		of(
			"OneEpochRuns",
			"at most one attempt at a job runs, even after a move or a crash",
			checker.Always,
			o.oneEpochRuns,
		),
		of("VotesHeld", "a node whose vote is counted holds the task of that vote", checker.Always, votesHeld[S, M]),
		of(
			"NeverMore",
			"at most k dependent tasks of an attempt start, each on another node",
			checker.Always,
			unbroken(brokenMore),
		),
		of(
			"CancelledStays",
			"a dependent task that was cancelled, superseded or killed never starts",
			checker.Always,
			unbroken(brokenCancelled),
		),
		of(
			"BoundedOvertaking",
			"while a task waits at a node, at most one newer job starts there",
			checker.Always,
			unbroken(brokenOvertaking),
		),
		of(
			"MovesOnce",
			"a job moves at most once, or once by each algorithm where that is configured",
			checker.Always,
			unbroken(brokenMove),
		),
		of(
			"RevokedEnds",
			"a job is not granted while its owner revokes it, nor after a representative knows of that",
			checker.Always,
			unbroken(brokenRevoked),
		),
		of(
			"AskedAll",
			"a job fails only if all its candidates in a row refused it or were silent",
			checker.Always,
			unbroken(brokenAsked),
		),
		of(
			"LeaverTakesNothing",
			"a node that leaves takes no new job, attempt or task, and starts no attempt",
			checker.Always,
			unbroken(brokenLeaving),
		),
		of("OnlyCancelled", "a job ends as cancelled only if its client cancelled it", checker.Always, o.onlyCancelled),
		of(
			"OneResult",
			"a job ends once; another owner may accept the same result after a crash",
			checker.Always,
			unbroken(brokenResult),
		),
		of(
			"FullRun",
			"an accepted result comes from exactly k dependent tasks that finished",
			checker.Always,
			unbroken(brokenRun),
		),
		of(
			"NeverFewer",
			"when quiescent, an attempt started on k nodes or on none, unless a node crashed",
			checker.Quiescent,
			func(g *globalState[S, M]) bool { return past(g).crashed != 0 || o.allStarted(g) },
		),
		of(
			"AllDone",
			"when quiescent, every job has ended",
			checker.Quiescent,
			func(g *globalState[S, M]) bool { return !o.open(g) },
		),
		of(
			"Survives",
			"when quiescent, every open job that is not lost has a live owner",
			checker.Quiescent,
			survive[S, M],
		),
		of(
			"NoOrphan",
			"when quiescent, no node hosts or represents a task",
			checker.Quiescent,
			func(g *globalState[S, M]) bool { return !occupied(g) },
		),
	}
}

// live lists the liveness properties.
func (o oracle[S, M]) live() []model.Property[S, M] {
	leads := func(name, doc string, pending func(*globalState[S, M]) bool) model.Property[S, M] {
		return model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.LeadsTo},
			Triggers: pending, Holds: func(g *globalState[S, M]) bool { return !pending(g) },
		}
	}
	return []model.Property[S, M]{
		leads("Completes", "every job ends", o.open),
		leads("Freed", "every node becomes free, even after crashes", occupied[S, M]),
	}
}

// allStart is a property that no protocol can promise when a voter may crash.
func (o oracle[S, M]) allStart() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "AllStart",
			Doc:   "when quiescent, an attempt started on k nodes or on none, even after crashes",
			Shape: checker.Quiescent,
		},
		Holds: o.allStarted,
	}
}

// movesFit is a property of scenarios in which the core decides what moves.
func (o oracle[S, M]) movesFit() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name:  "MovesFit",
			Doc:   "a turn of balancing moves the oldest job that a site takes, to a smallest such site",
			Shape: checker.Always,
		},
		Holds: func(g *globalState[S, M]) bool { return past(g).broken&brokenFit == 0 },
	}
}

// cordonHolds is checked where nodes are cordoned.
func (o oracle[S, M]) cordonHolds() model.Property[S, M] {
	return model.Property[S, M]{
		Property: checker.Property{
			Name: "CordonHolds", Doc: "a node that is cordoned takes no new task", Shape: checker.Always,
		},
		Holds: func(g *globalState[S, M]) bool { return past(g).broken&brokenCordon == 0 },
	}
}

func (o oracle[S, M]) oneRunPerNode(g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if !OneRunPerNode(v) {
			return false
		}
	}
	return true
}

func (o oracle[S, M]) oneEpochRuns(g *globalState[S, M]) bool {
	return OneEpochRuns(func(yield func(*View) bool) {
		for _, v := range views(g) {
			if !yield(v) {
				return
			}
		}
	})
}

func (o oracle[S, M]) onlyCancelled(g *globalState[S, M]) bool {
	return o.cancelled == nil || !slices.ContainsFunc(past(g).jobs, func(j job) bool {
		return j.state == Cancelled && !o.cancelled(j.id)
	})
}

// votesHeld: see VotesHeld.
func votesHeld[S, M any](g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if !VotesHeld(v, func(id protocol.NodeID) (*View, bool) { return viewOf(g, id) }) {
			return false
		}
	}
	return true
}

// allStarted reports whether no attempt was started on fewer than k nodes.
func (o oracle[S, M]) allStarted(g *globalState[S, M]) bool {
	if past(g).seen&seenFewer != 0 {
		return false
	}
	for _, a := range past(g).attempts {
		if a.started != 0 && bits.OnesCount32(a.started) != o.sizes(a.job) {
			return false
		}
	}
	return true
}

// open reports whether a job has not ended. A job is lost if a crash leaves it neither owner nor
// representative, or if its owner crashes between two attempts; then the client must submit it
// again. "No cluster could take it" counts as an end only where capacity may not suffice.
func (o oracle[S, M]) open(g *globalState[S, M]) bool {
	return slices.ContainsFunc(past(g).jobs, func(job job) bool {
		return job.state == Open && !job.lost || job.state == Failed && o.roomy && job.reporter != 0
	})
}

// survive reports whether every open job that is not lost has a live owner.
func survive[S, M any](g *globalState[S, M]) bool {
	for _, job := range past(g).jobs {
		if job.state != Open || job.lost {
			continue
		}
		owned := false
		for _, v := range views(g) {
			owned = owned || slices.ContainsFunc(v.Owned, func(o Owned) bool { return o.Job == job.id && o.State == Open })
		}
		if !owned {
			return false
		}
	}
	return true
}

// occupied reports whether some node still hosts or represents a task.
func occupied[S, M any](g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if len(v.Tasks)+len(v.Roles) > 0 {
			return true
		}
	}
	return false
}

// witnesses are the events that must happen in some run; without them the model shows nothing.
func (o oracle[S, M]) witnesses(names string) []model.Property[S, M] {
	var all []model.Property[S, M]
	shows := func(name, doc string, holds func(g *globalState[S, M]) bool) {
		if listed(names, name) {
			all = append(all, model.Property[S, M]{
				Property: checker.Property{Name: name, Doc: doc, Shape: checker.Sometimes}, Holds: holds,
			})
		}
	}
	sometimes := func(name, doc string, holds func(h *history) bool) {
		shows(name, doc, func(g *globalState[S, M]) bool { return holds(past(g)) })
	}
	seen := func(bit uint32) func(h *history) bool { return func(h *history) bool { return h.seen&bit != 0 } }
	sometimes("Completed", "every job has a result", func(h *history) bool { return h.ended(Accepted) == o.jobs })
	sometimes(
		"Withdrawn",
		"a client cancels a job in time",
		func(h *history) bool { return h.ended(Cancelled) > 0 },
	)
	sometimes("Refused", "a job ends because no cluster can take it", func(h *history) bool { return h.ended(Failed) > 0 })
	shows("Kills", "a task that had voted is queued again behind an older one", o.kills)
	sometimes("Moves", "an idle job moves", seen(seenMove))
	sometimes("Queues", "queue balancing moves an idle job", seen(seenQueued))
	sometimes("MovesTwice", "each algorithm moves one and the same job", seen(seenTwice))
	sometimes("Regrants", "an owner begins a second attempt", seen(seenRegrant))
	sometimes("Cancels", "a waiting dependent task is cancelled while others run", func(h *history) bool {
		return slices.ContainsFunc(
			h.attempts,
			func(a attempt) bool { return !a.closed() && a.cancelled != 0 && a.started != 0 },
		)
	})
	sometimes("Stops", "a running dependent task is stopped", seen(seenStop))
	sometimes("Recovers", "a job completes although a node crashed", func(h *history) bool {
		return h.crashed != 0 && h.seen&seenRegrant != 0 && h.ended(Accepted) > 0
	})
	sometimes(
		"Adopts",
		"a job that another node adopted has a result",
		func(h *history) bool { return h.seen&seenAdopt != 0 && h.ended(Accepted) > 0 },
	)
	sometimes("Again", "a second owner accepts a result after the first one crashed", seen(seenAgain))
	return all
}

func (h *history) ended(state JobState) int {
	n := 0
	for _, j := range h.jobs {
		if j.state == state {
			n++
		}
	}
	return n
}

func (o oracle[S, M]) kills(g *globalState[S, M]) bool {
	for i, v := range views(g) {
		for _, t := range v.Tasks {
			for _, a := range past(g).attempts {
				if t.State == Queued && a.by == t.By && a.epoch == t.Epoch && !a.closed() && a.killed&(1<<i) != 0 {
					return true
				}
			}
		}
	}
	return false
}
