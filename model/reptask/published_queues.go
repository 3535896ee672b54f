package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// The promise of Algorithm 2: "since the maximum queue length at the candidate is shorter than the
// current average queue position, the new average queue position would not be any worse". It is
// judged only where the numbers that the algorithm compared were exact.

// queues is the monitor of scenarios in which one node balances the queue of its jobs of one task,
// and has one neighbour, whose queue is empty. It puts a byte before the history.
type queues struct {
	monitor[published.State]
	mover   int // the node that decides
	average int // averageQP, as it receives it
}

// The byte of queues.
const (
	exact    = iota // no other node has taken a task
	inexact         // one has, or the job was elsewhere in its queue: nothing is promised
	promised        // the job has moved, by exact numbers
	worse           // and it came to a larger position
)

func (q queues) Initial() []byte { return append([]byte{exact}, q.monitor.Initial()...) }

func (q queues) View(mon []byte) any {
	h := q.monitor.View(mon[1:]).(*history)
	if mon[0] == worse {
		h.seen |= seenWorse
	}
	return h
}

func (q queues) Observe(mon []byte, node int, after published.State, events []protocol.Event) []byte {
	state := mon[0]
	for _, e := range events {
		switch e.Name {
		case published.EventQueue:
			state = q.queued(state, node, after)
		case published.EventMove:
			if state == exact && len(after.Queue) == q.average { // all others are older
				state = promised
			} else {
				state = inexact
			}
		}
	}
	return append([]byte{state}, q.monitor.Observe(mon[1:], node, after, events)...)
}

// queued compares the position of a job that has moved with the promise.
func (q queues) queued(state byte, node int, after published.State) byte {
	at := slices.IndexFunc(after.Queue, func(t published.Task) bool { return t.Job.Moved })
	switch {
	case state == exact && node != q.mover:
		return inexact
	case state == promised && at > q.average:
		return worse
	case state == promised && at >= 0:
		return inexact
	}
	return state
}

// notWorse is the property.
func notWorse() model.Property[published.State, published.Message] {
	return model.Property[published.State, published.Message]{
		Property: checker.Property{
			Name:  "NotWorse",
			Doc:   "a job that Algorithm 2 moves by exact numbers arrives at a queue position that is no larger",
			Shape: checker.Always,
		},
		Holds: func(g *globalState[published.State, published.Message]) bool { return past(g).seen&seenWorse == 0 },
	}
}

// monitor is the one of the scenario: with queues where Algorithm 2 runs.
func (s *publishedScenario) monitor() model.Monitor[published.State] {
	m := monitor[published.State]{view: PublishedViewOf, sizes: s.sizes()}
	for _, b := range s.balances {
		if b.command.Kind == published.QB {
			return queues{m, int(b.at[0] - 'A'), b.command.Positions[0].Average}
		}
	}
	return m
}

func (s *publishedScenario) balancesQueues() bool {
	return slices.ContainsFunc(s.balances, func(b balancing) bool { return b.command.Kind == published.QB })
}
