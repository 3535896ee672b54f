package load

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// Churn says how often nodes leave, fail and come back. Times are drawn from exponential
// distributions.
type Churn struct {
	LeaveMicros int64 // mean time until a member leaves; 0: none leaves
	FailMicros  int64 // mean time until a member fails; 0: none fails
	AwayMicros  int64 // mean time until a node that has left or failed is back
}

// IsOn reports whether any node comes or goes.
func (c *Churn) IsOn() bool { return c.LeaveMicros > 0 || c.FailMicros > 0 }

const (
	leastChurn = 10 * 1_000_000         // a node that goes must first have come
	mostChurn  = 1_000 * 86_400_000_000 // so that sums stay in 64 bits
	postpone   = 5 * 1_000_000          // a node that may not go yet tries again after so long
)

// Validate names an impossible time and the possible ones.
func (c *Churn) Validate() error {
	switch {
	case c.IsOn() && c.AwayMicros < leastChurn:
		return fmt.Errorf("a node is back after %d µs in the mean; use at least %d", c.AwayMicros, leastChurn)
	case c.LeaveMicros > 0 && c.LeaveMicros < leastChurn, c.FailMicros > 0 && c.FailMicros < leastChurn:
		return fmt.Errorf("a node goes after %d or %d µs in the mean; use 0 or at least %d",
			c.LeaveMicros, c.FailMicros, leastChurn)
	case max(c.LeaveMicros, c.FailMicros, c.AwayMicros) > mostChurn || min(c.LeaveMicros, c.FailMicros) < 0:
		return fmt.Errorf("a time of churn is negative or longer than %d µs", int64(mostChurn))
	}
	return nil
}

// Disturbed is a grid whose nodes come and go.
type Disturbed interface {
	Grid

	MayFail() bool // the grid has overcome the last failure
	Leave(node int)
	Fail(node int)
	Return(node int) // in a new incarnation
}

// Coming lets nodes come and go.
type Coming struct {
	Disturbed
	churn Churn
	draws []*sim.Chance // of the events of each node
}

// Disturb plans when the nodes of a grid go.
func Disturb(g Disturbed, churn Churn, seed uint64) *Coming {
	c := &Coming{Disturbed: g, churn: churn}
	for i := range g.Len() {
		c.draws = append(c.draws, sim.NewChance(seed, uint64(i)+1<<32))
	}
	for i := range c.draws {
		c.Came(i)
	}
	return c
}

// Came draws when a node that has just come leaves or fails, the earlier of the two.
func (c *Coming) Came(node int) {
	leave, fail := c.after(node, c.churn.LeaveMicros), c.after(node, c.churn.FailMicros)
	id := c.ID(node)
	switch {
	case leave > 0 && (fail == 0 || leave < fail):
		c.At(c.Now()+leave, func() { c.leave(id) })
	case fail > 0:
		c.At(c.Now()+fail, func() { c.fail(id) })
	}
}

// Contact returns a member by which a node can join: the first that stays, from a drawn one on, or
// [None].
func (c *Coming) Contact(node int) int {
	return StayingFrom(c, int(c.draws[node].Below(uint64(c.Len()))))
}

// after draws a time; 0 for a mean of 0.
func (c *Coming) after(node int, mean int64) int64 {
	if mean == 0 {
		return 0
	}
	return 1 + c.draws[node].Exponential(mean)
}

// isEnough reports whether most nodes stay when one goes.
func (c *Coming) isEnough() bool {
	staying := 0
	for i := range c.Len() {
		if c.Staying(i) {
			staying++
		}
	}
	return staying > c.Len()/2 && staying > 2
}

// leave lets a node leave, and come back when it has left.
func (c *Coming) leave(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !c.Running(id):
	case !c.Staying(node) || !c.isEnough():
		c.At(c.Now()+postpone, func() { c.leave(id) })
	default:
		c.Leave(node)
		c.awaitLeft(id)
	}
}

// awaitLeft waits until a node has left.
func (c *Coming) awaitLeft(id protocol.NodeID) {
	if c.Running(id) {
		c.At(c.Now()+postpone, func() { c.awaitLeft(id) })
		return
	}
	c.comeBack(int(id.Address))
}

// fail lets a node fail, and come back.
func (c *Coming) fail(id protocol.NodeID) {
	node := int(id.Address)
	switch {
	case !c.Running(id):
	case !c.Staying(node) || !c.isEnough() || !c.MayFail():
		c.At(c.Now()+postpone, func() { c.fail(id) })
	default:
		c.Fail(node)
		c.comeBack(node)
	}
}

// comeBack lets a node that is gone come back later.
func (c *Coming) comeBack(node int) {
	c.At(c.Now()+c.after(node, c.churn.AwayMicros), func() { c.Return(node) })
}
