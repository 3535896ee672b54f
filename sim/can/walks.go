package can

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/model"
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/walks"
)

// The operations of plans of walks, beside their steps: what may happen, in any order. Who joins asks the node that Arg says.
const (
	opFails   = "fails"
	opReturns = "returns"
	opLose    = "lose" // any message
	opRepeat  = "repeat"
	opEarly   = "early" // any timer
)

// walked describes the world of walks through drawn maps.
func walked() sim.World {
	return sim.Scene{
		Title: "can/walks", Line: "maps and orders that nobody has thought of: walks through the checker's actions, even ones and by PCT",
		Fill: drawWalk,
		Play: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			system, err := systemOf(p)
			if err != nil {
				return nil, err
			}
			return walks.Run(system, p, o)
		},
		ShapeOf: func(property string) string {
			system, err := systemOf(&sim.Plan{Nodes: 1, Founders: 1})
			if err != nil {
				panic("can: a network of one is no system: " + err.Error())
			}
			return walks.ShapeOf(system, property)
		},
	}
}

// drawWalk draws who is there and what may happen. Few things do at a time: what takes three of them is rare among all that four can do.
func drawWalk(p *sim.Plan, c *sim.Chance) {
	p.Latency = "constant 50000"
	p.Founders = 2 + int(c.Below(5))
	p.Nodes = p.Founders + int(c.Below(3)*c.Below(2))
	anybody := func() int { return int(c.Below(uint64(p.Founders))) }
	add := func(do string, most uint64, node func() int) {
		for range c.Below(most + 1) {
			p.Ops = append(p.Ops, sim.Op{Do: do, Node: node()})
		}
	}
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{Do: opJoin, Node: node, Arg: uint64(anybody())})
	}
	add(opLeave, 2, anybody)
	add(opFails, min(2, uint64(p.Founders)-1), anybody)
	for i := range p.Ops {
		if op := p.Ops[i]; op.Do == opFails && c.Of(1, 4) {
			p.Ops = append(p.Ops, sim.Op{Do: opReturns, Node: op.Node})
		}
	}
	for _, do := range []string{opLose, opRepeat, opEarly} {
		if c.Of(1, 2) {
			add(do, 2, func() int { return 0 })
		}
	}
}

// systemOf returns the system of a plan of walks.
func systemOf(p *sim.Plan) (model.Checkable, error) {
	s := maps.Setting{Name: fmt.Sprint("seed-", p.Seed), Founders: p.Founders, Contacts: make([]int, max(p.Nodes-p.Founders, 0))}
	var err error
	if s.Space, s.Coords, err = smallSpace(p.Shape, p.Nodes); err != nil {
		return nil, err
	}
	for _, op := range p.Ops {
		switch op.Do {
		case opJoin:
			if op.Node < p.Founders || op.Arg >= uint64(p.Founders) {
				return nil, fmt.Errorf("%w: node %d joins by node %d, but the first %d nodes are founders", sim.ErrPlan, op.Node, op.Arg, p.Founders)
			}
			s.Contacts[op.Node-p.Founders] = int(op.Arg)
		case opLeave:
			s.Leavers = append(s.Leavers, op.Node)
		case opFails:
			s.Crashers = append(s.Crashers, op.Node)
			s.Budget.Crash++
		case opReturns:
			s.Returns = append(s.Returns, op.Node)
			s.Budget.Restart++
		case opLose:
			s.Budget.Drop++
		case opRepeat:
			s.Budget.Duplicate++
		case opEarly:
			s.Budget.Spurious++
		default:
			if !walks.IsStep(op) {
				return nil, fmt.Errorf("%w: there is no operation %q", sim.ErrPlan, op.Do)
			}
		}
	}
	system, err := s.Compile()
	if errors.Is(err, maps.ErrSetting) || errors.Is(err, model.ErrBudget) {
		err = fmt.Errorf("%w: %w", sim.ErrPlan, err)
	}
	return system, err
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
