package store

import (
	"github.com/canvass-grid/canvass/sim"
)

// drawDuels draws a few members, one or two keys, changes of their owners within a few seconds, and
// calls around these. Message faults delay and duplicate requests and replies.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(3))
	p.Nodes = p.Founders + 1 + int(c.Below(2))
	sim.DrawDelays(p, c, 20*second)
	keys := 1 + c.Below(4)/3
	within := []int64{second / 5, second, 5 * second}[c.Below(3)]
	kinds := changes[c.Below(uint64(len(changes)))]
	for range 1 + c.Below(4) {
		op := sim.Op{
			AtMicros: second + c.Exponential(within),
			Do:       kinds[c.Below(uint64(len(kinds)))],
			Node:     int(c.Below(uint64(p.Nodes))),
		}
		switch op.Do {
		case opJoin:
			op.Node = p.Founders + int(c.Below(uint64(p.Nodes-p.Founders)))
		case opQuit, opCrash:
			op.Arg = 1 + c.Below(keys)
		}
		p.Add(op)
	}
	p.UntilMicros += c.Exponential(5*second) + p.DelayMicros
	drawCallsAround(p, c, keys)
}

// changes are the kinds of changes in a run.
var changes = [][]string{{opQuit}, {opJoin, opQuit}, {opJoin, opCrash}, {opJoin, opCrash}, {opJoin, opQuit, opCrash}}

// drawCallsAround draws calls, most of them within a second before or after a change.
func drawCallsAround(p *sim.Plan, c *sim.Chance, keys uint64) {
	drawn := make([]uint64, keys)
	changed := p.Ops
	most, value := 3+c.Below(8), uint64(0)
	for value < most {
		value++
		at := c.Between(0, p.UntilMicros)
		if c.Of(2, 3) {
			at = max(0, changed[c.Below(uint64(len(changed)))].AtMicros+c.Exponential(second)-c.Exponential(second/2))
		}
		key := c.Below(keys)
		op := sim.Op{AtMicros: at, Do: calls[c.Below(uint64(len(calls)-1))], Node: int(c.Below(uint64(p.Nodes)))}
		expect := uint64(0)
		if c.Of(1, 2) {
			expect = drawn[key]
		}
		op.Arg = argument(key, value, expect)
		if op.Do != opGet {
			drawn[key] = value
		}
		p.Ops = append(p.Ops, op)
	}
	for key := range keys { // some client reads repeatedly
		for range 5 {
			at := c.Between(0, p.UntilMicros)
			value++
			op := sim.Op{AtMicros: at, Do: opGet, Node: int(c.Below(uint64(p.Nodes))), Arg: argument(key, value, 0)}
			p.Ops = append(p.Ops, op)
		}
	}
}
