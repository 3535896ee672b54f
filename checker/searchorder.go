package checker

import (
	"fmt"
	"slices"
	"strings"
)

// Order is a way through the state space.
type Order uint8

const (
	// BreadthFirst looks at every state, those that are nearer to the initial states first. Its paths are
	// shortest, and only it can be kept in a checkpoint.
	BreadthFirst Order = iota
	// RandomWalk goes from an initial state to one of its successors, drawn at random, and on, until a walk ends or is
	// [Options.MaxDepth] steps long; then it begins another. It keeps no states, needs next to no memory and comes
	// deep soon. It looks for violations of Always, Quiescent and DeadlockFree and for witnesses, and ends
	// when [Options.MaxStates] were met, or with the patience of the caller. What it does not find may exist:
	// nothing holds because of it but a Sometimes, and what needs the graph of all states is Inconclusive. It draws
	// among actions, so a state to which many lead is met more often than others.
	RandomWalk
	// DepthFirst looks at every state, those found last first, so it comes deep soon. It proves what [BreadthFirst]
	// proves, but its paths are not shortest, and [Report.Depth] counts steps along them. It goes down a hundred and
	// some states at a time, so that there is work for all.
	DepthFirst
	// IterativeBound is DepthFirst down to a bound, which is raised by [Options.BoundStep] whenever nothing is left
	// above it: what lies near is looked at before what lies deep.
	IterativeBound
	// PCT takes walks as RandomWalk does, by probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and
	// Nagarakatte, 2010): the classes of actions have priorities, drawn anew for each walk, and the next action is one
	// of the class with the highest. At [Options.BugDepth] - 1 steps, drawn too, the class whose turn it is falls below
	// all others. So delays are long, where those of RandomWalk are short: what takes one thing to be late while much
	// else happens is found sooner.
	PCT
)

var orderNames = [...]string{"breadth-first", "random-walk", "depth-first", "iterative-bound", "pct"}

// Samples reports whether the order is one of walks, which keep no states.
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
