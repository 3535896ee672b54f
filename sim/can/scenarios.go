package can

import (
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/sim"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	wide, narrow := Guard{Apart: 1, Stay: 2}, Guard{Apart: 1, Stay: 1}
	return []*sim.Scenario{
		scenario("can/steady", "only periodic updates, under message faults and clock drift: nothing may change",
			drawSteady, wide, drawnSpace(4), nil),
		scenario("can/churn", "joins, leaves, crashes and restarts on a fault-free network",
			drawChurn, wide, drawnSpace(4), nil),
		scenario("can/faults", "joins, leaves, crashes and restarts under message faults, slow nodes and drift",
			drawFaults, wide, drawnSpace(4), nil),
		scenario("can/partition", "joins, leaves, crashes and restarts while the network is partitioned and heals",
			drawPartition, wide, drawnSpace(4), nil),
		scenario("can/bursts", "bursts of joins, leaves and crashes in a small map, under heavy message faults",
			drawBursts, narrow, drawnSpace(4), nil),
		scenario("can/duels", "one burst in a small map, and crashes that it triggers, under delayed messages",
			drawDuels, narrow, drawnSpace(2), nil),
		scenario("can/young", "many joins to a row of one to three members, and crashes that they trigger",
			drawYoung, narrow, drawnSpace(1), nil),
		scenario("can/holes", "a few members crash at once or soon after each other",
			drawHoles, narrow, drawnSpace(2), nil),
		scenario("can/losses", "members crash one after the other, each as soon as the map is whole again",
			drawLosses, Guard{Apart: 1, Stay: 2, Soon: true}, drawnSpace(2), nil),
		scenario("can/models", "the maps and commands of the checker's models, in virtual time",
			drawModel, Guard{Apart: 1, Stay: 1, Soon: true}, modelSpace, nil),
		scenario("can/orphans", "a member crashes while it admits joiners, under message faults",
			drawOrphans, narrow, drawnSpace(2), nil),
		walkScenario(),
		scenario("can/large", "dozens of members, with joins, leaves and crashes, under message faults",
			drawLarge, wide, drawnSpace(4), nil),
		scenario("can/limit-adjacent-failures", "like can/churn, but adjacent nodes may crash at once",
			drawChurn, Guard{Apart: 0, Stay: 2}, drawnSpace(4), adjacentFailures()),
	}
}

// adjacentFailures are the violations that follow when the core's assumption about failures is
// broken: see the model can/row4/limit-adjacent-crashes.
func adjacentFailures() map[string]string {
	why := "one level of indirect neighbours does not reach across two failed zones"
	expected := map[string]string{}
	for _, property := range []string{
		"NoOverlap", "NoGap", "NeighboursKnow", "ViewsAgree", "Routable", "NobodyBusy", "Converges",
	} {
		expected[property] = why
	}
	return expected
}

// scenario returns a scenario in which failures happen as far as the guard allows.
func scenario(
	name, doc string,
	draw func(*sim.Plan, *sim.Chance),
	g Guard,
	shape shaper,
	expected map[string]string,
) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: Properties, Words: canmodel.Words, Expected: expected,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Latency = 300*second, sim.DrawLatency(c)
			draw(p, c)
		}),
		Run: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			r, err := newRun(p, o, g, shape)
			if err != nil {
				return nil, err
			}
			return r.finish()
		},
	}
}

func drawSteady(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(40))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(10, 60) * second
	sim.DrawRates(p, c)
	for t := int64(second); t < p.UntilMicros; t += 5 * second {
		p.Ops = append(p.Ops, sim.Op{AtMicros: t, Do: opListen})
	}
}

func drawChurn(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(9))
	p.Nodes = p.Founders + int(c.Below(9))
	p.UntilMicros = c.Between(20, 120) * second
	sim.DrawEvents(p, c, opJoin, second, 30*second)
	sim.DrawEvents(p, c, opLeave, second, 30*second)
	sim.DrawEvents(p, c, opCrash, second, 30*second)
}

func drawLarge(p *sim.Plan, c *sim.Chance) {
	p.Founders = 20 + int(c.Below(20))
	p.Nodes = p.Founders + 10
	p.UntilMicros = c.Between(4, 12) * second
	for _, do := range [3]string{opJoin, opLeave, opCrash} {
		sim.DrawEvents(p, c, do, second/5, 3*second)
	}
	if c.Of(1, 2) {
		sim.DrawRates(p, c)
	}
}

func drawFaults(p *sim.Plan, c *sim.Chance) {
	drawChurn(p, c)
	sim.DrawRates(p, c)
	for range c.Below(4) {
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: c.Between(0, p.UntilMicros), Do: opSlow, Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(50),
		})
	}
}

func drawPartition(p *sim.Plan, c *sim.Chance) {
	drawChurn(p, c)
	if c.Of(1, 2) {
		sim.DrawRates(p, c)
	}
	for t := c.Exponential(10 * second); t < p.UntilMicros; t += c.Exponential(20 * second) {
		sides := c.Below(1 << 63)
		if c.Of(1, 3) {
			sides |= 1 << 63
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: t, Do: opCut, Arg: sides})
		t += c.Exponential(10 * second)
		p.Ops = append(p.Ops, sim.Op{AtMicros: t, Do: opHeal})
	}
}

// drawBursts draws a small map on which much happens within the time of a round, and less in
// between.
func drawBursts(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(7))
	p.Nodes = p.Founders + int(c.Below(4))
	sim.DrawHarshRates(p, c)
	kinds := [4]string{opJoin, opLeave, opCrash, opStrike}
	sim.DrawBursts(p, c, 10+int(c.Below(30)), func(at int64) {
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at, Do: kinds[c.Below(4)], Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32),
		})
	})
	for i, op := range p.Ops {
		switch {
		case i == 0 || op.AtMicros < p.Ops[i-1].AtMicros+second:
		case c.Of(1, 4):
			p.Ops = append(p.Ops, sim.Op{AtMicros: op.AtMicros, Do: opCut, Arg: c.Below(1<<63) | c.Below(2)<<63},
				sim.Op{AtMicros: op.AtMicros + c.Exponential(10*second), Do: opHeal})
		case c.Of(1, 3):
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: op.AtMicros, Do: opSlow, Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(4) * c.Below(8),
			})
		}
	}
}
