package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// drawOrphans draws a few members that admit joiners, one of which fails meanwhile. The possible
// actions of the other nodes depend on whether the joiner has its part of the round. So the joiner
// receives nothing for a while, or its messages arrive delayed and in another order.
func drawOrphans(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(3))
	p.Nodes = p.Founders + 2 + int(c.Below(2))
	sim.DrawDuplicates(
		p,
		c,
		[]int64{2 * second, 5 * second, 10 * second, 20 * second},
		[]uint32{100_000, 300_000},
		[]uint32{0, 100_000, 300_000},
	)
	at := int64(second)
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opJoin, Node: node, Arg: c.Below(1 << 32)})
		at += c.Exponential([]int64{second / 5, 2 * second, 5 * second}[c.Below(3)])
	}
	p.UntilMicros = at + 10*second + p.DelayMicros
	follows := func(cause string, what, whom uint8, after int64) {
		s := followUp{trigger: uint8(slices.Index(triggers, cause)), effect: what, target: whom, after: after}
		p.Ops = append(p.Ops, sim.Op{Do: opSequel, Arg: s.pack()})
	}
	for range []int{0, 1, 1, 2}[c.Below(4)] { // earlier rounds have left something behind
		follows(can.EventJoined, thenDeaf, 0, 1)
	}
	joiners := uint8(255) << p.Founders
	if whom := []uint8{0, joiners, joiners, uint8(c.Below(256))}[c.Below(4)]; whom > 0 {
		follows(can.EventRequest, thenDeaf, whom, 5*second+c.Exponential(5*second))
	}
	follows(can.EventDecide, thenFails, 0, c.Exponential([]int64{1, second / 5, second, 2 * second}[c.Below(4)]))
}
