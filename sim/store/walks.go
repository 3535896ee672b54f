package store

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// walkScenario walks through drawn maps and calls.
func walkScenario() *sim.Scenario {
	return random.Scenario{
		Name: "store/walks", Doc: "random walks and PCT through small drawn maps with client operations",
		Fill: drawWalk, System: systemOf, Least: &sim.Plan{Nodes: 1, Founders: 1},
	}.Build()
}

// drawWalk draws the nodes, the faults, and the clients' calls of one or two keys.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(3))
	p.Nodes = p.Founders + int(c.Below(3))
	anybody := func() int { return int(c.Below(uint64(p.Founders))) }
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{Do: opJoin, Node: node, Arg: uint64(anybody())})
	}
	leavers := c.Below(2 + uint64(p.Founders)/4)
	for range leavers {
		p.Ops = append(p.Ops, sim.Op{Do: opLeave, Node: anybody()})
	}
	failures := uint64(0)
	if uint64(p.Founders) >= 2+leavers {
		failures = 1
	}
	random.DrawFaults(p, c, failures)
	keys, drawn := 1+c.Below(3)/2, make([]uint64, 2)
	for value := range 2 + c.Below(4) {
		key, expect := c.Below(keys), uint64(0)
		if c.Of(1, 2) {
			expect = drawn[key]
		}
		op := sim.Op{
			Do:   calls[c.Below(uint64(len(calls)-1))],
			Node: int(c.Below(uint64(p.Nodes))),
			Arg:  argument(key, value+1, expect),
		}
		if op.Do != opGet {
			drawn[key] = value + 1
		}
		p.Ops = append(p.Ops, op)
	}
}

// systemOf returns the closed system of a plan.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := storemodel.Setting{
		Name: fmt.Sprint("seed-", p.Seed), Budget: random.BudgetOf(p),
		Leavers: random.NodesOf(p, opLeave),
	}
	for node := range p.Founders {
		s.Returns = append(s.Returns, node)
	}
	if p.Nodes > storemodel.RowSize || p.Founders > p.Nodes {
		return nil, fmt.Errorf(
			"%w: %d founders of %d nodes; at most %d nodes are possible",
			sim.ErrPlan,
			p.Founders,
			p.Nodes,
			storemodel.RowSize,
		)
	}
	var keys []space.Point
	s.Founders, s.Joiners, keys = drawRow(p)
	s.Contacts = make([]int, len(s.Joiners))
	for _, op := range p.Ops {
		kind, call := kinds[op.Do]
		switch {
		case op.Do == opJoin && op.Node >= p.Founders && op.Arg < uint64(p.Founders):
			s.Contacts[op.Node-p.Founders] = int(op.Arg)
		case op.Do == opJoin:
			return nil, fmt.Errorf(
				"%w: node %d joins by node %d, but the first %d nodes are founders",
				sim.ErrPlan,
				op.Node,
				op.Arg,
				p.Founders,
			)
		case call:
			o := store.Operation{
				ID:     uint32(op.Arg >> 8 & (1<<24 - 1)),
				Kind:   kind,
				Key:    keys[op.Arg&0xff%uint64(len(keys))],
				Expect: uint32(op.Arg >> 32),
			}
			if kind == store.Put || kind == store.CompareAndSet {
				o.Value = o.ID
			}
			s.Calls = append(s.Calls, storemodel.Call{Node: op.Node, Operation: o})
		case op.Do != opLeave && !random.IsFault(op) && !op.IsStep():
			return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
		}
	}
	return s.Compile()
}

// drawRow draws the coordinates of the founders, from left to right, and of the joiners, no two
// alike, and two keys.
func drawRow(p *sim.Plan) (founders, joiners []int32, keys []space.Point) {
	c := sim.NewChance(p.Shape, 1)
	all := make([]int32, storemodel.RowSize)
	for i := range all {
		all[i] = int32(i)
	}
	for i := range all {
		j := i + int(c.Below(uint64(len(all)-i)))
		all[i], all[j] = all[j], all[i]
	}
	founders, joiners = slices.Sorted(slices.Values(all[:p.Founders])), all[p.Founders:p.Nodes]
	for range 2 {
		keys = append(keys, space.Point{int32(c.Below(storemodel.RowSize))})
	}
	return founders, joiners, keys
}
