package checker

import (
	"fmt"
	"slices"
	"strings"
)

// Order is the order in which a check visits the state space.
type Order uint8

const (
	// BreadthFirst visits every state, those nearer to the initial states first. Its paths are
	// shortest. It is the only order with checkpoints.
	BreadthFirst Order = iota
	// RandomWalk goes from an initial state to a random successor, and on, until a walk ends or is
	// [Options.MaxDepth] steps long; then it begins another. It stores no states, needs almost no
	// memory and goes deep soon. It looks for violations of Always, Quiescent and DeadlockFree and
	// for witnesses, and ends when [Options.MaxStates] states were visited or the context ends.
	// Undiscovered states may exist: no property but a Sometimes can hold, and properties that need
	// the graph of all states are Inconclusive. It draws among actions, so a state with many
	// incoming actions is visited more often than others.
	RandomWalk
	// DepthFirst visits every state, those found last first, so it goes deep soon. It proves what
	// [BreadthFirst] proves, but its paths are not shortest, and [Report.Depth] counts steps along
	// them. It expands 128 states at a time, so that all workers have something to do.
	DepthFirst
	// IterativeBound is DepthFirst down to a bound, which is raised by [Options.BoundStep] whenever
	// no state above it is left. So near states come before deep ones.
	IterativeBound
	// PCT takes walks as RandomWalk does, by probabilistic concurrency testing (Burckhardt,
	// Kothari, Musuvathi and Nagarakatte, 2010). The classes of actions have priorities, drawn
	// again for each walk, and the next action is one of the enabled class with the highest
	// priority. At [Options.BugDepth] - 1 random steps, the class that would act next falls below
	// all others. So delays are long, where those of RandomWalk are short: PCT finds sooner what
	// takes one thing to be late while much else happens.
	PCT
)

var orderNames = [...]string{"breadth-first", "random-walk", "depth-first", "iterative-bound", "pct"}

// Samples reports whether the order is one of random walks, which store no states.
func (o Order) Samples() bool { return o == RandomWalk || o == PCT }

// String returns the name of the order in lower-case letters.
func (o Order) String() string {
	if int(o) >= len(orderNames) {
		return fmt.Sprintf("order(%d)", uint8(o))
	}
	return orderNames[o]
}

// ParseOrder returns the order of a name that [Order.String] gives.
func ParseOrder(name string) (Order, error) {
	if i := slices.Index(orderNames[:], name); i >= 0 {
		return Order(i), nil
	}
	return BreadthFirst, fmt.Errorf("there is no order %q; it is one of %s", name, strings.Join(orderNames[:], ", "))
}

// search is one way to go through the states of a model.
type search interface {
	// run visits states and notes in the ledger what they decide.
	run()

	found() uint64   // the states found, or visited by random walks
	depth() int      // of the deepest state found
	waiting() uint64 // states found and not yet expanded

	// visitedStates passes the states that were evaluated, until yield returns false.
	visitedStates(yield func(state []uint32) bool)

	pathTo(c *crash) (*Path, error)   // to the state in which a task panicked
	pathOf(f *finding) (*Path, error) // that shows a finding; nil if there is nothing to show

	// describe adds to a report what only this search knows.
	describe(r *Report)

	close()
}

// search returns the search of this order. Its options are the resolved ones.
func (o Order) search(e *engine) search {
	switch o {
	case DepthFirst:
		return newDepthFirst(e, 0)
	case IterativeBound:
		return newDepthFirst(e, e.options.BoundStep)
	case RandomWalk:
		return &sampling{engine: e, picks: newPicker}
	case PCT:
		return &sampling{engine: e, picks: e.prioritised}
	}
	return newBreadthFirst(e)
}
