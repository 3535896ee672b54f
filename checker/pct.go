package checker

import (
	"math/rand/v2"
	"slices"
)

// chooser draws what a walk does next.
type chooser struct {
	random *rand.Rand

	// Of order PCT. The larger a class's priority the sooner are its actions taken.
	priorities []uint64
	changes    []int // the steps at which the priority of what would come next is lowered, in their order
	lowered    uint64
}

// begin draws what a walk draws beforehand: for order PCT, priorities and change points. Steps is how long walks are
// expected to be.
func (c *chooser) begin(o *Options, seed uint64, classes, steps int) {
	c.random = rand.New(rand.NewPCG(seed, mixA))
	c.changes = c.changes[:0]
	if o.Order != PCT {
		return
	}
	depth := uint64(o.PCTDepth)
	c.lowered = depth
	c.priorities = c.priorities[:0]
	for _, place := range c.random.Perm(classes) {
		c.priorities = append(c.priorities, depth+1+uint64(place))
	}
	for range depth - 1 {
		c.changes = append(c.changes, c.random.IntN(max(steps, 1)))
	}
	slices.Sort(c.changes)
}

// next draws among the successors of a state.
func (c *chooser) next(step int, out *Successors) int {
	if len(c.priorities) == 0 {
		return c.random.IntN(out.Len())
	}
	class := c.foremost(out)
	for len(c.changes) > 0 && c.changes[0] <= step {
		c.changes = c.changes[1:]
		c.lowered--
		c.priorities[class] = c.lowered
		class = c.foremost(out)
	}
	// Those of one class are alike to the priorities.
	chosen, alike := 0, 0
	for i, other := range out.classes {
		if int(other) != class {
			continue
		}
		if alike++; c.random.IntN(alike) == 0 {
			chosen = i
		}
	}
	return chosen
}

// foremost is the class of the highest priority that has an action.
func (c *chooser) foremost(out *Successors) int {
	best := int(out.classes[0])
	for _, class := range out.classes {
		if c.priorities[class] > c.priorities[best] {
			best = int(class)
		}
	}
	return best
}
