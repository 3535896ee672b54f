package refine

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/sim"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("refine/bursts", "bursts of all that can happen to a few heads, under heavy message faults",
			drawBursts, false),
		scenario("refine/suspicion", "nodes learn, measure and move under partitions and false suspicions; no crash",
			drawSuspicion, true),
		walkScenario(),
	}
}

// scenario returns a scenario. With suspects, failures are detected by silence alone, and live
// nodes may be falsely suspected.
func scenario(name, doc string, draw func(*sim.Plan, *sim.Chance), suspects bool) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: Properties, Words: refine.Words, Bounds: bounds,
		Draw: sim.DrawFrom("clusters/"+strings.TrimPrefix(name, "refine/"), name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes = 600*second, 2+int(c.Below(maxNodes-1))
			p.Latency = fmt.Sprintf("plane %d %d %d", side, c.Between(1, 50_000), c.Between(1, 1<<30))
			sim.DrawHarshRates(p, c)
			draw(p, c)
		}),
		Run: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			r, err := newRun(p, o, suspects)
			if err != nil {
				return nil, err
			}
			return r.finish()
		},
	}
}

const (
	maxNodes = 7
	side     = 200_000 // of the square that the nodes are placed on, in microseconds
)

func drawBursts(p *sim.Plan, c *sim.Chance) {
	if c.Of(1, 3) {
		p.Latency = fmt.Sprintf("plane %d 1 %d", side, c.Between(1, 1<<30))
		p.UntilMicros = c.Between(5, 20) * second
		drawFirst(p, c)
		return
	}
	drawOps(p, c, []string{opNear, opNear, opNear, opMeasure, opStruckOff, opDrift, opCrash, opStrike, opRestart, opLeave})
}

func drawSuspicion(p *sim.Plan, c *sim.Chance) {
	p.Drop = min(p.Drop, 100_000)
	drawOps(p, c, []string{opNear, opNear, opMeasure, opDrift})
	for at := c.Exponential(10 * second); at < p.UntilMicros; at += c.Exponential(20 * second) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCut, Arg: c.Below(1 << p.Nodes)})
		at += c.Exponential(10 * second)
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opHeal})
	}
}

// drawOps draws what nodes learn at first, and bursts of operations.
func drawOps(p *sim.Plan, c *sim.Chance, kinds []string) {
	drawFirst(p, c)
	sim.DrawBursts(p, c, 3+int(c.Below(6)), func(at int64) {
		p.Ops = append(
			p.Ops,
			sim.Op{
				AtMicros: at,
				Do:       kinds[c.Below(uint64(len(kinds)))],
				Node:     int(c.Below(uint64(p.Nodes))),
				Arg:      c.Below(1 << 32),
			},
		)
	})
}

// drawFirst draws what each node learns at first.
func drawFirst(p *sim.Plan, c *sim.Chance) {
	for i := range p.Nodes {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opNear, Node: i, Arg: c.Below(1 << p.Nodes)})
	}
}

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes < 2 || p.Nodes > maxNodes {
		return fmt.Errorf("%w: %d nodes; it must be from 2 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	}
	return nil
}
