package peer

import (
	"github.com/canvass-grid/canvass/sim"
)

// drawDuels draws the smallest grids: one to three members, nodes that join at the same time, and
// jobs that may be for them.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(3))
	p.Nodes = p.Founders + 1 + int(c.Below(3))
	sim.DrawDelays(p, c, second)
	within := []int64{second / 5, second}[c.Below(2)]
	joined := second
	for node := p.Founders; node < p.Nodes; node++ {
		joined += int(c.Exponential(within))
		p.Add(sim.Op{AtMicros: int64(joined), Do: opJoin, Node: node, Arg: c.Below(1 << 32)})
	}
	for ticket := range 2 + c.Below(8) {
		at := c.Between(second, int64(joined)) + c.Exponential(within)
		p.Add(sim.Op{AtMicros: at, Do: opSubmit, Node: int(c.Below(uint64(p.Nodes))), Arg: drawJob(c, 1+ticket)})
	}
	if c.Of(1, 2) {
		kind := []string{opLeave, opCrash, opCancel}[c.Below(3)]
		p.Add(
			sim.Op{
				AtMicros: second + c.Exponential(4*second),
				Do:       kind,
				Node:     int(c.Below(uint64(p.Nodes))),
				Arg:      1 + c.Below(8),
			},
		)
	}
	p.UntilMicros += p.DelayMicros
}
