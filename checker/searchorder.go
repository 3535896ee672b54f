package checker

import (
	"fmt"
	"slices"
	"strings"
)

// Order is a way through the state space.
type Order uint8

const (
	// BreadthFirst looks at every state, those that are nearer to the initial states first. Only it proves
	// anything, and its paths are shortest.
	BreadthFirst Order = iota
	// RandomWalk goes from an initial state to one of its successors, drawn at random, and on, until a walk ends or is
	// [Options.MaxDepth] steps long; then it begins another. It keeps no states, needs next to no memory and comes
	// deep soon. It looks for violations of Always, Quiescent and DeadlockFree and for witnesses, and ends
	// when [Options.MaxStates] were met, or with the patience of the caller. What it does not find may exist:
	// nothing holds because of it but a Sometimes, and what needs the graph of all states is Inconclusive. It draws
	// among actions, so a state to which many lead is met more often than others.
	RandomWalk
	// PCT is RandomWalk with priorities (probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatti,
	// ASPLOS 2010). Each walk gives the classes of actions an order of priority, drawn at random, and takes what is
	// foremost; at each of [Options.PCTDepth] - 1 steps, drawn beforehand, what would have come next becomes the last.
	// A violation that needs few events in a certain order, and does not mind the rest, is found with
	// odds that do not fall with the length of the runs as those of an even draw do. Classes take the place of the threads
	// of the paper, and among actions of one class the draw is even; so the bound of the paper is not claimed.
	PCT
)

// walks reports whether the order is one of random walks.
func (o Order) walks() bool { return o == RandomWalk || o == PCT }

var orderNames = [...]string{"breadth-first", "random-walk", "pct"}

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
	return BreadthFirst, fmt.Errorf("checker: there is no order %q; it is one of %s", name, strings.Join(orderNames[:], ", "))
}
