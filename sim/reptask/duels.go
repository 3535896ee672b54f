package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// chainTriggers are the triggers of strikes in duels. A strike may hit the node that takes over
// from the victim of the one before.
var chainTriggers = []string{
	reptask.EventGrant, reptask.EventAccept, reptask.EventPart, reptask.EventMove, reptask.EventFinish,
	reptask.EventDecide,
	reptask.EventAdopt, reptask.EventAdopt, reptask.EventAdopt,
}

// drawDuels draws a few nodes, one to three jobs, some commands, and strikes.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	p.Latency = sim.DrawLatency(c)
	p.Nodes = 3 + int(c.Below(2))
	sim.DrawDelays(p, c, 20*second)
	within := []int64{1, second / 5, second, 5 * second}[c.Below(4)]
	draw := func(times int, after int64, kinds ...string) {
		d := drawer{plan: p, chance: c, kinds: kinds, ticket: uint64(len(p.Ops))}
		for range times {
			at := second + c.Exponential(within) + c.Exponential(after)
			d.op(at)
			p.UntilMicros = max(p.UntilMicros, at)
		}
	}
	draw(1+int(c.Below(3)), 1, opSubmit)
	others := [][]string{{opMove}, {opMove, opCancel}, {opCrash}, {opLeave, opCluster, opMove}}[c.Below(4)]
	draw(int(c.Below(4)), []int64{1, second, 10 * second}[c.Below(3)], others...)
	for range c.Below(4) {
		blow := uint64(slices.Index(triggers, chainTriggers[c.Below(uint64(len(chainTriggers)))]))
		after := uint64(c.Exponential([]int64{1, second / 3}[c.Below(2)])) % second
		p.Ops = append(p.Ops, sim.Op{Do: opStrike, Arg: blow | after<<8})
	}
	p.UntilMicros += c.Exponential(10*second) + p.DelayMicros
}
