package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
	refinemodel "github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// The operations of walks, in any order, are faults, those of the other scenarios (except that a
// node that leaves ends), and these. The first introductions of a node come before the walk begins.
// The other commands come at any time, but those of one node in their order.
const (
	opLater  = "later"  // nodes learn even the first candidates at any time
	opFar    = "far"    // a node and the node of address Arg are too far from each other
	opWavers = "wavers" // every measurement of a node and the node of address Arg may come out either way
	opBounds = "bounds" // in Arg: M, from 1, in 4 bits; N, from 1, in 4 bits; the criterion of clients in 2 bits
)

// usualBounds are M = 2, N = 3, and first come, first served.
const usualBounds = 2 | 3<<4

// walkScenario walks through drawn groups of nodes.
func walkScenario() *sim.Scenario {
	return random.Scenario{
		Name: "refine/walks", SeedName: "clusters/walks",
		Doc:  "random walks and PCT through drawn groups of heads and clients",
		Fill: drawWalk, System: systemOf, Least: &sim.Plan{Nodes: 1},
	}.Build()
}

// drawWalk draws the nodes, the candidates of each head, the distances, changes and faults.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	p.Nodes = 2 + int(c.Below(3))
	anybody := func() int { return int(c.Below(uint64(p.Nodes))) }
	add := func(do string, node int, arg uint64) { p.Ops = append(p.Ops, sim.Op{Do: do, Node: node, Arg: arg}) }
	others := func(node int) uint64 { return c.Below(1<<p.Nodes) &^ (1 << node) }
	add(opBounds, 0, 1+c.Below(3)+c.Below(2)|(2+c.Below(3))<<4|c.Below(3)<<8)
	if c.Of(1, 4) {
		add(opLater, 0, 0)
	}
	for node := range p.Nodes {
		if near := others(node); near != 0 {
			add(opNear, node, near)
		}
	}
	for range c.Below(3) {
		if a, b := anybody(), anybody(); a != b {
			add([]string{opFar, opFar, opWavers}[c.Below(3)], a, uint64(b))
		}
	}
	for range c.Below(4) {
		node := anybody()
		do, arg := []string{opNear, opNear, opStruckOff, opMeasure, opLeave}[c.Below(5)], others(node)
		if arg != 0 || do == opMeasure || do == opLeave {
			add(do, node, arg)
		}
	}
	random.DrawFaults(p, c, min(2, uint64(p.Nodes)-1))
}

// systemOf returns the closed system of a plan.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := refinemodel.Setting{
		Name: fmt.Sprint("seed-", p.Seed), Candidates: make([][]int, p.Nodes), Budget: random.BudgetOf(p),
	}
	bound(&s, usualBounds)
	for _, op := range p.Ops {
		pair := [2]int{op.Node, int(op.Arg & 0xff)}
		switch kind, order := commands[op.Do]; {
		case op.Do == opNear && s.Candidates[op.Node] == nil:
			s.Candidates[op.Node] = random.NodesIn(op.Arg)
		case order:
			s.Later = append(s.Later, refinemodel.Later{Node: op.Node, Kind: kind, Nodes: about(op)})
		case op.Do == opLater:
			s.Started = true
		case op.Do == opFar:
			s.Distant = append(s.Distant, pair)
		case op.Do == opWavers:
			s.Drifting = append(s.Drifting, pair)
		case op.Do == opBounds:
			bound(&s, op.Arg)
		case !random.IsFault(op) && !op.IsStep():
			return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
		}
	}
	return s.Compile()
}

// commands are the operations that are commands to a node.
var commands = map[string]refine.CommandKind{
	opNear: refine.CommandAdd, opStruckOff: refine.CommandDrop, opMeasure: refine.CommandMeasure,
	opLeave: refine.CommandLeave,
}

// about lists the nodes that a command is about.
func about(op sim.Op) []int {
	if op.Do == opNear || op.Do == opStruckOff {
		return random.NodesIn(op.Arg)
	}
	return nil
}

// bound sets the bounds and the criterion.
func bound(s *refinemodel.Setting, arg uint64) {
	s.Membership, s.Size, s.Criterion = int(arg&15), int(arg>>4&15), refine.Criterion(arg>>8&3)
}
