package can

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// settings are those of the models. They are computed once, since many runs need them, and must not
// be modified.
var settings = sync.OnceValue(canmodel.Settings)

// drawModel draws a model, and the times of its commands and failures.
func drawModel(p *sim.Plan, c *sim.Chance) {
	all := settings()
	s := all[c.Below(uint64(len(all)))]
	p.Shape, p.Founders, p.Nodes = shapeOf(s.Name), s.Founders, len(s.Coords)
	sim.DrawDelays(p, c, []int64{3, 10}[c.Below(2)]*second)
	within := []int64{1, second / 5, second, 5 * second}[c.Below(4)]
	p.UntilMicros = second
	add := func(do string, node int, arg uint64, mean int64) {
		p.Add(sim.Op{AtMicros: second + c.Exponential(mean), Do: do, Node: node, Arg: arg})
	}
	for i, contact := range s.Contacts {
		add(opJoin, s.Founders+i, uint64(contact), within)
	}
	for _, node := range s.Leavers {
		if !drawOwnFollowUp(p, c, thenLeaves) {
			add(opLeave, node, 0, within)
		}
	}
	for i := range s.Budget.Crash {
		if i == 0 && s.Budget.Crash > 1 || !drawOwnFollowUp(p, c, thenFails) {
			add(opFall, s.Crashers[c.Below(uint64(len(s.Crashers)))], 0, within)
		}
	}
	for range s.Budget.Restart {
		add(opJoin, s.Returns[c.Below(uint64(len(s.Returns)))], c.Below(1<<32), 10*second)
	}
	detection := 8 * second * int64(s.Budget.Crash) // a failure is detected after some seconds
	p.UntilMicros += c.Exponential(4*second) + p.DelayMicros + detection
}

// drawOwnFollowUp draws, in half of the cases, an effect on a node soon after an event in its own
// round.
func drawOwnFollowUp(p *sim.Plan, c *sim.Chance, what uint8) bool {
	if c.Of(1, 2) {
		return false
	}
	cause := []string{can.EventDecide, can.EventExecute}[c.Below(2)]
	s := followUp{
		trigger: uint8(slices.Index(triggers, cause)),
		effect:  what,
		after:   c.Exponential([]int64{1, second / 20, second}[c.Below(3)]),
	}
	p.Ops = append(p.Ops, sim.Op{Do: opSequel, Arg: s.pack()})
	return true
}

// modelSpace finds the space and the coordinates of a plan's model.
func modelSpace(p *sim.Plan) (space.Space, []space.Point, error) {
	s, ok := listedAs(p.Shape)
	if !ok || len(s.Coords) < p.Nodes {
		return space.Space{}, nil, fmt.Errorf(
			"%w: no model with %d nodes or more has the shape %d",
			sim.ErrPlan,
			p.Nodes,
			p.Shape,
		)
	}
	return s.Space, slices.Clone(s.Coords[:p.Nodes]), nil
}

// listedAs returns the model that a plan names.
func listedAs(shape uint64) (canmodel.Setting, bool) {
	all := settings()
	i := slices.IndexFunc(all, func(s canmodel.Setting) bool { return shapeOf(s.Name) == shape })
	if i < 0 {
		return canmodel.Setting{}, false
	}
	return all[i], true
}

// shapeOf is the number by which a plan names a model.
func shapeOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
