package walks

import (
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of plans of walks that say what may go wrong, each once, at any time.
const (
	Crash     = "fails"   // a node
	Restart   = "returns" // a node that has failed
	Drop      = "lose"    // a message
	Duplicate = "repeat"  // a message
	Premature = "early"   // a timer fires
)

// IsFault reports whether an operation says what may go wrong.
func IsFault(op sim.Op) bool {
	return slices.Contains([]string{Crash, Restart, Drop, Duplicate, Premature}, op.Do)
}

// BudgetOf is how often what may go wrong.
func BudgetOf(p *sim.Plan) model.Budget {
	count := func(do string) int { return len(NodesOf(p, do)) } // which node is the walk's choice
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

// PlacesOf lists the nodes whose bits are set.
func NodesIn(mask uint64) (places []int) {
	for ; mask != 0; mask &= mask - 1 {
		places = append(places, bits.TrailingZeros64(mask))
	}
	return places
}

// DrawFaults draws at most so many failures, after one in four of which somebody returns, and in
// half of the plans each up to two messages lost, repeated and timers early. What takes three of
// them is rare among all that four can do.
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
