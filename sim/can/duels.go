package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// drawDuels draws a few members, one burst of joins and leaves, and failures triggered by them.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	kinds, most := []string{opJoin, opLeave}, 1+c.Below(4)
	switch c.Below(3) {
	case 0: // a young map: old messages describe a map of even fewer members
		kinds, most = []string{opJoin}, 2+c.Below(4)
		p.Founders = 1 + int(c.Below(3))
		p.Nodes = p.Founders + 2 + int(c.Below(4))
	case 1: // only merges
		kinds = []string{opLeave}
		p.Founders = 3 + int(c.Below(5))
		p.Nodes = p.Founders
	default:
		p.Founders = 2 + int(c.Below(4))
		p.Nodes = p.Founders + 1 + int(c.Below(3))
	}
	sim.DrawDelays(p, c, 10*second)
	drawBurst(p, c, int(most), kinds)
	drawFollowUps(p, c, 1+int(c.Below(2)), []string{
		can.EventDecide, can.EventDecide, can.EventExecute, can.EventExecute, can.EventJoined, can.EventPromise,
	})
}

// drawYoung draws a row of one to three members that many nodes join within seconds. Old messages
// then describe a map that has changed almost completely.
func drawYoung(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(3))
	p.Nodes = p.Founders + 3 + int(c.Below(3))
	sim.DrawDelays(p, c, 10*second)
	kinds := [][]string{{opJoin}, {opJoin}, {opJoin, opJoin, opJoin, opLeave}}[c.Below(3)]
	drawBurst(p, c, 3+int(c.Below(5)), kinds)
	drawFollowUps(
		p,
		c,
		1+int(c.Below(2)),
		[]string{can.EventDecide, can.EventDecide, can.EventJoined, can.EventJoined, can.EventExecute},
	)
}

// drawHoles draws more members, one burst of failures, and more failures triggered by them.
func drawHoles(p *sim.Plan, c *sim.Chance) {
	p.Founders = 4 + int(c.Below(7))
	p.Nodes = p.Founders
	sim.DrawDelays(p, c, 3*second)
	drawBurst(p, c, 1+int(c.Below(3)), []string{opFall})
	drawFollowUps(p, c, 1+int(c.Below(2)), []string{can.EventDecide, can.EventExecute, can.EventExecute, can.EventFailed})
}

// drawLosses draws some members, of which a few want to leave, and failures that follow each other.
func drawLosses(p *sim.Plan, c *sim.Chance) {
	p.Founders = 3 + int(c.Below(6))
	p.Nodes = p.Founders + int(c.Below(3))
	sim.DrawDelays(p, c, 3*second)
	drawBurst(
		p,
		c,
		1+int(c.Below(4)),
		[][]string{{opFall}, {opFall, opLeave}, {opFall, opJoin}, {opFall, opLeave, opJoin}}[c.Below(4)],
	)
	drawFollowUps(p, c, 1+int(c.Below(3)), []string{can.EventDecide, can.EventExecute, can.EventExecute, can.EventFailed})
}

// drawBurst draws a bounded number of operations of the given kinds, close together. The run ends
// when all delayed messages have arrived.
func drawBurst(p *sim.Plan, c *sim.Chance, most int, kinds []string) {
	within := []int64{1, second / 5, second, 5 * second}[c.Below(4)]
	p.UntilMicros = second
	for range most {
		op := sim.Op{AtMicros: second + c.Exponential(within), Do: kinds[c.Below(uint64(len(kinds)))]}
		op.Node, op.Arg = int(c.Below(uint64(p.Nodes))), c.Below(1<<32)
		if op.Do == opJoin && p.Nodes > p.Founders {
			op.Node = p.Founders + int(c.Below(uint64(p.Nodes-p.Founders)))
		}
		p.Add(op)
	}
	p.UntilMicros += c.Exponential(4*second) + p.DelayMicros
}

// drawFollowUps draws a bounded number of failures, and a few leaves, that are triggered by events
// of the given kinds. In half of the cases some nodes receive nothing for a while before that, from
// when a round is requested or promised.
func drawFollowUps(p *sim.Plan, c *sim.Chance, most int, on []string) {
	add := func(cause string, what uint8, mean int64) {
		s := followUp{trigger: uint8(slices.Index(triggers, cause)), effect: what, after: c.Exponential(mean)}
		if what == thenDeaf || c.Of(1, 2) {
			s.target = uint8(c.Below(256))
		}
		p.Ops = append(p.Ops, sim.Op{Do: opSequel, Arg: s.pack()})
	}
	for range most {
		cause := on[c.Below(uint64(len(on)))]
		if c.Of(1, 2) {
			add(triggers[c.Below(3)/2], thenDeaf, []int64{second, 5 * second}[c.Below(2)])
		}
		add(cause, uint8(c.Below(8)/7), []int64{1, second / 20, second, 4 * second}[c.Below(4)])
	}
}
