package random

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of walks that are faults. Each happens once, at any time.
const (
	Crash     = "fails"   // of a node
	Restart   = "returns" // of a node that has crashed
	Drop      = "lose"    // of a message
	Duplicate = "repeat"  // of a message
	Premature = "early"   // firing of a timer
)

// IsFault reports whether an operation is a fault.
func IsFault(op sim.Op) bool {
	return slices.Contains([]string{Crash, Restart, Drop, Duplicate, Premature}, op.Do)
}

// BudgetOf is the fault budget of a plan.
func BudgetOf(p *sim.Plan) model.Budget {
	count := func(do string) int { return len(NodesOf(p, do)) } // the walk chooses the node
	return model.Budget{
		Crash:     count(Crash),
		Restart:   count(Restart),
		Drop:      count(Drop),
		Duplicate: count(Duplicate),
		Spurious:  count(Premature),
	}
}

// NodesOf lists the nodes of the operations of one kind.
func NodesOf(p *sim.Plan, do string) (nodes []int) {
	for _, op := range p.Ops {
		if op.Do == do {
			nodes = append(nodes, op.Node)
		}
	}
	return nodes
}

// NodesIn lists the nodes whose bits are set.
func NodesIn(mask uint64) (places []int) {
	for ; mask != 0; mask &= mask - 1 {
		places = append(places, bits.TrailingZeros64(mask))
	}
	return places
}

// DrawFaults draws a bounded number of crashes, with a restart for one in four. In half of the
// plans each it draws up to two dropped messages, duplicated messages and premature timeouts. Bugs
// that take three such faults are rare among all that four can do.
func DrawFaults(p *sim.Plan, c *sim.Chance, failures uint64) {
	add := func(do string) { p.Ops = append(p.Ops, sim.Op{Do: do}) }
	for range c.Below(failures + 1) {
		add(Crash)
		if c.Of(1, 4) {
			add(Restart)
		}
	}
	for _, do := range []string{Drop, Duplicate, Premature} {
		if c.Of(1, 2) {
			for range c.Below(3) {
				add(do)
			}
		}
	}
}
