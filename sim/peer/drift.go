package peer

import (
	"github.com/canvass-grid/canvass/sim"
)

// drawDrift draws nodes that move from time to time, next to another node, far from all, or back,
// and heads that measure again, in time or too late.
func drawDrift(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(7))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(10, 25) * second
	drawPredictions(p, c)
	mean := c.Between(second/2, 5*second)
	for at := c.Between(second, 8*second); at < p.UntilMicros; at += c.Exponential(mean) {
		node, to := int(c.Below(uint64(p.Nodes))), c.Below(uint64(p.Nodes))
		switch c.Below(4) {
		case 0:
			to = uint64(node)
		case 1:
			to = c.Below(1 << 20)
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opDrift, Node: node, Arg: to})
		for _, do := range [...]string{opMeasure, opMeasure, opNear} {
			if c.Of(1, 2) {
				p.Ops = append(p.Ops, sim.Op{AtMicros: at + c.Exponential(second), Do: do, Node: int(c.Below(uint64(p.Nodes)))})
			}
		}
	}
	drawFew(p, c, 6, func() uint64 { return c.Below(1 << 32) })
	drawTrouble(p, c)
}

// drawTrouble draws message faults in half of the runs, and one failure in some.
func drawTrouble(p *sim.Plan, c *sim.Chance) {
	if c.Of(1, 2) {
		sim.DrawRates(p, c)
		p.DelayMicros = min(p.DelayMicros, second)
	}
	if c.Of(1, 4) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, p.UntilMicros), Do: opCrash, Node: int(c.Below(uint64(p.Nodes)))})
	}
}

// drawFew draws a burst of a bounded number of jobs; requirement draws the seed of a job's
// requirement.
func drawFew(p *sim.Plan, c *sim.Chance, most uint64, requirement func() uint64) {
	mean := c.Between(second/20, 2*second)
	at := c.Between(0, p.UntilMicros/2)
	for ticket, last := uint64(1), 1+c.Below(most); ticket <= last && at < p.UntilMicros; ticket++ {
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at, Do: opSubmit, Node: int(c.Below(uint64(p.Nodes))),
			Arg: ticket | (1+c.Below(3))<<16 | c.Below(4)<<20 | requirement()<<24,
		})
		if c.Of(1, 8) {
			p.Ops = append(p.Ops, sim.Op{AtMicros: at + c.Exponential(mean), Do: opCancel, Arg: ticket})
		}
		at += c.Exponential(mean)
	}
}
