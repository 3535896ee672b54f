package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// drawDuels draws a few members, one burst of joins and leaves, and what follows on that.
func drawDuels(p *sim.Plan, c *sim.Chance) {
	kinds, most := []string{opJoin, opLeave}, 1+c.Below(4)
	switch c.Below(3) {
	case 0: // a young map, where old news is of when it was still younger
		kinds, most = []string{opJoin}, 2+c.Below(4)
		p.Founders = 1 + int(c.Below(3))
		p.Nodes = p.Founders + 2 + int(c.Below(4))
	case 1: // nothing but merges
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

// drawYoung draws a row of one to three members that many join within seconds, so that old news is
// of a map of which little is left.
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

// drawHoles draws more members, one burst of failures, and what follows on that: more of them,
// mostly.
func drawHoles(p *sim.Plan, c *sim.Chance) {
	p.Founders = 4 + int(c.Below(7))
	p.Nodes = p.Founders
	sim.DrawDelays(p, c, 3*second)
	drawBurst(p, c, 1+int(c.Below(3)), []string{opFall})
	drawFollowUps(p, c, 1+int(c.Below(2)), []string{can.EventDecide, can.EventExecute, can.EventExecute, can.EventFailed})
}

// drawLosses draws some members, of which some want to leave, and failures that follow on each
// other.
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

// drawBurst draws so many operations of some kinds, close to each other. The run ends when all that
// was late has come.
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

// drawSequels draws so many failures, a few of them leaves, that follow on events of some kinds.
// Before half of them a part of the nodes hears nothing for a while, from when a round is requested
// or promised to.
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
