package tasks

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// chases are blows that follow on each other: each strikes who takes up what the one before has left behind.
var chases = []string{
	reptask.EventGrant, reptask.EventPart, reptask.EventAdopt, reptask.EventMove, reptask.EventFinish, reptask.EventDecide,
}

// drawDuels draws a few nodes and one to three jobs, once, and one to three strikes.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	p.Latency = can.DrawLatency(c)
	p.Nodes = 3 + int(c.Below(2))
	can.DrawLate(p, c, 20*second)
	jobs := drawer{plan: p, chance: c, kinds: []string{opSubmit}}
	within := []int64{1, second / 5, second, 5 * second}[c.Below(4)]
	draw := func(d *drawer) {
		at := second + c.Exponential(within)
		d.op(at)
		p.UntilMicros = max(p.UntilMicros, at)
	}
	for range 1 + c.Below(3) {
		draw(&jobs)
	}
	others := drawer{plan: p, chance: c, kinds: [][]string{{opMove}, {opMove, opCancel}, {opCrash}, {opLeave, opCluster}}[c.Below(4)]}
	for range c.Below(3) {
		draw(&others)
	}
	for range c.Below(4) {
		blow := uint64(slices.Index(blows, chases[c.Below(uint64(len(chases)))]))
		after := uint64(c.Exponential([]int64{1, second / 5}[c.Below(2)])) % second
		p.Ops = append(p.Ops, sim.Op{Do: opStrike, Arg: blow | after<<8})
	}
	p.UntilMicros += c.Exponential(10*second) + p.DelayMicros
}
