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
	unbroken := ofRun[S, M]
	return []model.Property[S, M]{
		of("OneRunPerNode", "no node runs two dependent tasks", checker.Always, oneRunPerNode[S, M]),
		of("OneEpochRuns", "at most one attempt at a job runs, even after a move or a crash", checker.Always,
			func(g *globalState[S, M]) bool { return OneEpochRuns(liveViews(g)) }),
		of("VotesHeld", "a node whose vote is counted holds the task of that vote", checker.Always, votesHeld[S, M]),
		unbroken(brokenMore),
		unbroken(brokenCancelled),
		unbroken(brokenOvertaking),
		unbroken(brokenMove),
		unbroken(brokenRevoked),
		unbroken(brokenAsked),
		unbroken(brokenLeaving),
		of("OnlyCancelled", "a job ends as cancelled only if its client cancelled it", checker.Always, o.onlyCancelled),
		unbroken(brokenResult),
		unbroken(brokenRun),
		of("NeverFewer", "when quiescent, an attempt started on k nodes or on none, unless a node crashed",
			checker.Quiescent, func(g *globalState[S, M]) bool { return past(g).neverFewer(o.sizes) }),
		of("AllDone", "when quiescent, every job has ended",
			checker.Quiescent, func(g *globalState[S, M]) bool { return !o.open(g) }),
		of("Survives", "when quiescent, every open job that is not lost has a live owner",
			checker.Quiescent, survive[S, M]),
		of("NoOrphan", "when quiescent, no node hosts or represents a task",
			checker.Quiescent, func(g *globalState[S, M]) bool { return !occupied(g) }),
	}
}

// ofRun is a property of whole runs.
func ofRun[S, M any](bit uint32) model.Property[S, M] {
	of := ofRuns[bits.TrailingZeros32(bit)]
	return model.Property[S, M]{
		Property: checker.Property{Name: of.name, Doc: of.doc, Shape: checker.Always},
		Holds:    func(g *globalState[S, M]) bool { return past(g).broken&bit == 0 },
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
		Holds: func(g *globalState[S, M]) bool { return past(g).allStarted(o.sizes) },
	}
}

func oneRunPerNode[S, M any](g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if !OneRunPerNode(v) {
			return false
		}
	}
	return true
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

// open reports whether a job has not ended. "No cluster could take it" counts as an end only where
// capacity may not suffice.
func (o oracle[S, M]) open(g *globalState[S, M]) bool {
	return slices.ContainsFunc(past(g).jobs, func(j job) bool {
		return j.isOpen() || j.state == Failed && o.roomy && j.reporter != 0
	})
}

// survive reports whether every open job that is not lost has a live owner.
func survive[S, M any](g *globalState[S, M]) bool {
	for i := range past(g).jobs {
		if j := &past(g).jobs[i]; j.isOpen() && ownerOf(j.id, liveViews(g)) == nil {
			return false
		}
	}
	return true
}

// occupied reports whether some node still hosts or represents a task.
func occupied[S, M any](g *globalState[S, M]) bool {
	for _, v := range views(g) {
		if v.Occupied() {
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
