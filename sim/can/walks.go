package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
)

// walked describes the world of walks through drawn maps. Beside what may go wrong, joins and leaves are its operations, in any order; who joins
// asks the founder that Arg says.
func walked() sim.World {
	return walks.World{
		Title: "can/walks", Line: "maps and orders that nobody has thought of: walks through the checker's actions, even ones and by PCT",
		Fill: drawWalk, System: systemOf, Least: &sim.Plan{Nodes: 1, Founders: 1},
	}.Scene()
}

// drawWalk draws who is there and what may happen.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(5))
	p.Nodes = p.Founders + int(c.Below(3)*c.Below(2))
	anybody := func() int { return int(c.Below(uint64(p.Founders))) }
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{Do: opJoin, Node: node, Arg: uint64(anybody())})
	}
	for range c.Below(3) {
		p.Ops = append(p.Ops, sim.Op{Do: opLeave, Node: anybody()})
	}
	walks.DrawFaults(p, c, min(2, uint64(p.Founders)-1))
}

// systemOf returns the system of a plan of walks.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := maps.Setting{
		Name: fmt.Sprint("seed-", p.Seed), Founders: p.Founders, Contacts: make([]int, max(p.Nodes-p.Founders, 0)), Budget: walks.BudgetOf(p),
		Leavers: walks.NodesOf(p, opLeave),
	}
	for node := range p.Founders {
		s.Returns = append(s.Returns, node)
	}
	var err error
	if s.Space, s.Coords, err = smallSpace(p.Shape, p.Nodes); err != nil {
		return nil, err
	}
	for _, op := range p.Ops {
		switch {
		case op.Do == opJoin && op.Node >= p.Founders && op.Arg < uint64(p.Founders):
			s.Contacts[op.Node-p.Founders] = int(op.Arg)
		case op.Do == opJoin:
			return nil, fmt.Errorf("%w: node %d joins by node %d, but the first %d nodes are founders", sim.ErrPlan, op.Node, op.Arg, p.Founders)
		case op.Do != opLeave && !walks.IsFault(op) && !walks.IsStep(op):
			return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
		}
	}
	return s.Compile()
}

// smallSpace draws a space without a virtual dimension, and the coordinates of all nodes in it. What is drawn in a virtual one would be
// part of the walk, and those who are to be there before it begins might never find a place.
func smallSpace(shape uint64, nodes int) (space.Space, []space.Point, error) {
	c := sim.NewChance(shape, 1)
	all := [][]int32{{32}, {32}, {8, 8}, {4, 16}, {4, 4, 4}}
	s, err := space.New(false, all[c.Below(uint64(len(all)))]...)
	if err != nil {
		return s, nil, fmt.Errorf("%w: %w", sim.ErrPlan, err)
	}
	coords, err := drawApart(s, c, nodes)
	return s, coords, err
}
