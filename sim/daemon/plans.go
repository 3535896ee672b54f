package daemon

import "github.com/canvass-grid/canvass/sim"

// drawReturns draws a plan for the time when daemons do not know yet which others are back: three
// times jobs are submitted, all daemons crash, and links between some are cut as they come back. So
// two custodians of a job may each act as its primary.
func drawReturns(p *sim.Plan, c *sim.Chance) {
	p.SettleMicros, p.Nodes, p.UntilMicros = 240*second, 4+int(c.Below(2)), 40*second
	p.Latency = []string{"constant 200", "exponential 10000", "exponential 30000"}[c.Below(3)]
	at := int64(3 * second)
	for range 3 {
		for i := range 8 {
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: at + int64(i)*second/20, Do: opSubmit, Node: int(c.Below(uint64(p.Nodes))),
				Arg: argOf(1+int(c.Below(2)), 1000),
			})
		}
		at += second / 2
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCrashAll, Arg: c.Below(100_000)})
		for i := range int64(3) {
			one := int(c.Below(uint64(p.Nodes)))
			other := (one + 1 + int(c.Below(uint64(p.Nodes-1)))) % p.Nodes
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: at + 1000 + i, Do: opCut, Node: one, Arg: argFor(other, p.Nodes, c.Between(4*second, 10*second)),
			})
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: at + second, Do: opCancel, Arg: c.Below(1 << 32)})
		at += 11 * second
	}
}

// drawRests draws a plan in which jobs wait until all four nodes are there, and look for them again
// and again after pauses, while nodes are stopped one after the other. So a pause may be over when
// the custodian of a job does not decide about it for a moment.
func drawRests(p *sim.Plan, c *sim.Chance) {
	p.SettleMicros, p.Nodes, p.UntilMicros = 240*second, 4, 40*second
	p.Latency = []string{"constant 200", "exponential 1000"}[c.Below(2)]
	at := int64(3 * second)
	p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opPause, Node: 3, Arg: 9_900_000})
	for i := range int64(4) {
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at + (1+i)*second/10, Do: opSubmit, Node: int(c.Below(3)), Arg: argOf(4, 500),
		})
	}
	for range 4 {
		at += c.Between(1_500_000, 6*second)
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at, Do: opPause, Node: 1 + int(c.Below(3)), Arg: uint64(c.Between(3*second, 10*second)),
		})
	}
	p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCancel, Arg: c.Below(1 << 32)})
}

// drawRemovals draws a plan in which jobs are forgotten soon after their end, while daemons crash.
// So a custodian may be down while the others forget a job, and it may have the end of that job or
// lack it.
func drawRemovals(p *sim.Plan, c *sim.Chance) {
	p.SettleMicros, p.Nodes, p.UntilMicros = 240*second, 3+int(c.Below(3)), 30*second
	p.Latency = []string{"exponential 10000", "exponential 30000", "uniform 100 20000"}[c.Below(3)]
	node := func() int { return int(c.Below(uint64(p.Nodes))) }
	for i := range int64(8) {
		at := 3*second + i*3*second
		p.Ops = append(p.Ops,
			sim.Op{AtMicros: at, Do: opSubmit, Node: node(), Arg: argOf(1, c.Below(1000))},
			sim.Op{AtMicros: at + c.Between(100_000, 2*second), Do: opCrash, Node: node(), Arg: c.Below(10_000)},
		)
		for j := range int64(4) {
			p.Ops = append(p.Ops, sim.Op{AtMicros: at + (j+1)*second, Do: opRemove, Node: node(), Arg: uint64(i)})
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: at + second/2, Do: opCancel, Node: node(), Arg: c.Below(64)})
	}
}

// drawCalendar draws a plan in which two years pass by the time of day, a month every 1.5 seconds,
// and in which that of single nodes jumps by seconds, hours, days and a year, in both directions.
// When the daemons start, the clocks of their machines show 1970.
func drawCalendar(p *sim.Plan, c *sim.Chance) {
	p.SettleMicros, p.Nodes, p.UntilMicros = 240*second, 1+int(c.Below(5)), 42*second
	p.Latency = []string{"constant 200", "exponential 1000", "uniform 100 20000"}[c.Below(3)]
	node := func() int { return int(c.Below(uint64(p.Nodes))) }
	p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opMonth, Arg: 50 * 12})
	for month := range int64(24) {
		at := 5*second + month*3*second/2
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opMonth, Arg: 1})
		if month%2 == 0 {
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: at + c.Between(0, second), Do: opSubmit, Node: node(), Arg: argOf(1+int(c.Below(3)), c.Below(8000)),
			}, sim.Op{AtMicros: at + c.Between(1, 3)*second, Do: opCancel, Node: node(), Arg: c.Below(64)})
		}
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at + c.Between(0, second), Do: opClock, Node: node(), Arg: c.Below(uint64(len(clockJumps))),
		})
	}
}

// argOf is the argument of a submission, as newClient reads it: a job of some tasks, which run for
// some time and succeed.
func argOf(tasks int, millis uint64) uint64 { return uint64(tasks-1) | 1<<4 | 1<<6 | millis<<8 }

// argFor is the argument of a cut, as other reads it: from which node, and for how long.
func argFor(other, nodes int, micros int64) uint64 {
	arg := uint64(micros) << 8
	for arg%uint64(nodes) != uint64(other) {
		arg++
	}
	return arg
}
