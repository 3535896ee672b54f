package can

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/random"
)

// walkScenario walks through drawn maps and through those of the models. Its operations are faults,
// joins and leaves, in any order. The Arg of a join is the founder that the joiner contacts.
func walkScenario() *sim.Scenario {
	return random.Scenario{
		Name: "can/walks", Doc: "random walks and PCT through drawn maps and through the checker's models",
		Fill: drawWalk, System: systemOf, Least: &sim.Plan{Nodes: 1, Founders: 1},
	}.Build()
}

// drawWalk draws the nodes and the events that may happen to them. Half of the plans are a model of
// the catalogue.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	if c.Of(1, 2) {
		all := walkable()
		listModel(p, all[c.Below(uint64(len(all)))])
		return
	}
	p.Founders = 2 + int(c.Below(5))
	p.Nodes = p.Founders + int(c.Below(3)*c.Below(2))
	anybody := func() int { return int(c.Below(uint64(p.Founders))) }
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{Do: opJoin, Node: node, Arg: uint64(anybody())})
	}
	for range c.Below(3) {
		p.Ops = append(p.Ops, sim.Op{Do: opLeave, Node: anybody()})
	}
	random.DrawFaults(p, c, min(2, uint64(p.Founders)-1))
}

// walkable lists the models whose founders have places before a walk begins. A virtual coordinate
// would be drawn during the walk, and founders might never find a place.
func walkable() []canmodel.Setting {
	return slices.DeleteFunc(slices.Clone(settings()), func(s canmodel.Setting) bool { return s.Space.Virtual > 0 })
}

// listModel makes the plan that of a model.
func listModel(p *sim.Plan, s canmodel.Setting) {
	p.Shape, p.Founders, p.Nodes = shapeOf(s.Name), s.Founders, len(s.Coords)
	add := func(times int, do string, node int, arg uint64) {
		for range times {
			p.Ops = append(p.Ops, sim.Op{Do: do, Node: node, Arg: arg})
		}
	}
	for i, contact := range s.Contacts {
		add(1, opJoin, s.Founders+i, uint64(contact))
	}
	for _, node := range s.Leavers {
		add(1, opLeave, node, 0)
	}
	b := s.Budget
	add(b.Crash, random.Crash, 0, 0)
	add(b.Restart, random.Restart, 0, 0)
	add(b.Drop, random.Drop, 0, 0)
	add(b.Duplicate, random.Duplicate, 0, 0)
	add(b.Spurious, random.Premature, 0, 0)
}

// systemOf returns the closed system of a plan.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := canmodel.Setting{
		Name:     fmt.Sprint("seed-", p.Seed),
		Founders: p.Founders, Contacts: make([]int, max(p.Nodes-p.Founders, 0)), Budget: random.BudgetOf(p),
		Leavers: random.NodesOf(p, opLeave),
	}
	for node := range p.Founders {
		s.Returns = append(s.Returns, node)
	}
	var err error
	if listed, ok := listedAs(p.Shape); ok && p.Nodes <= len(listed.Coords) {
		s.Space, s.Coords = listed.Space, slices.Clone(listed.Coords[:p.Nodes])
		s.Crashers = slices.DeleteFunc(slices.Clone(listed.Crashers), func(node int) bool { return node >= p.Nodes })
	} else if s.Space, s.Coords, err = smallSpace(p.Shape, p.Nodes); err != nil {
		return nil, err
	}
	for _, op := range p.Ops {
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
		case op.Do != opLeave && !random.IsFault(op) && !op.IsStep():
			return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
		}
	}
	return s.Compile()
}

// smallSpace draws a space without a virtual dimension, and the coordinates of all nodes in it.
func smallSpace(shape uint64, nodes int) (space.Space, []space.Point, error) {
	c := sim.NewChance(shape, 1)
	all := [][]int32{{32}, {32}, {8, 8}, {4, 16}, {4, 4, 4}}
	s, err := space.New(0, all[c.Below(uint64(len(all)))]...)
	if err != nil {
		return s, nil, fmt.Errorf("%w: %w", sim.ErrPlan, err)
	}
	coords, err := drawApart(s, c, nodes)
	if s.Dims == 2 && c.Of(1, 2) {
		wall(s, coords)
	}
	return s, coords, err
}

// wall gives the first node a whole side of the space, along which the others lie, so that it has
// many takers.
func wall(s space.Space, coords []space.Point) {
	for i := range coords {
		for x := int32(1); x < s.Size[0] && i > 0 && coords[i][0] == 0; x++ {
			if at := (space.Point{x, coords[i][1]}); !slices.Contains(coords, at) {
				coords[i] = at
			}
		}
	}
	if len(coords) > 0 {
		coords[0][0] = 0
	}
}
