package dtm

import (
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	dtmmodel "github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/sim"
)

const maxNodes = 30

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("dtm/bursts", "bursts of hosts that join, leave, crash and restart, under heavy message faults", drawBursts),
		scenario("dtm/churn", "ten to thirty hosts that join and leave at any time; some crash", drawChurn),
	}
}

func scenario(name, doc string, draw func(*sim.Plan, *sim.Chance)) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: dtmmodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros = 900 * second
			p.Latency = fmt.Sprintf("plane %d %d %d", 100_000, c.Between(1, 20_000), c.Between(1, 1<<30))
			draw(p, c)
		}),
		Run: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			r, err := newRun(p, o)
			if err != nil {
				return nil, err
			}
			return r.finish()
		},
	}
}

// drawBursts draws that most hosts join at once, and bursts of operations afterwards.
func drawBursts(p *sim.Plan, c *sim.Chance) {
	p.Nodes = 2 + int(c.Below(9))
	sim.DrawHarshRates(p, c)
	for i := range p.Nodes {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opJoin, Node: i, Arg: c.Below(1 << 32)})
	}
	kinds := []string{opJoin, opLeave, opLeave, opLeave, opRestart, opRestart, opCrash}
	sim.DrawBursts(p, c, 3+int(c.Below(6)), func(at int64) { p.Ops = append(p.Ops, drawOp(p, c, at, kinds)) })
}

// drawChurn draws a long time in which single operations happen.
func drawChurn(p *sim.Plan, c *sim.Chance) {
	p.Nodes = 10 + int(c.Below(maxNodes-9))
	sim.DrawRates(p, c)
	p.UntilMicros = 300 * second
	for at := c.Exponential(second); at < p.UntilMicros; at += c.Exponential(2 * second) {
		p.Ops = append(p.Ops, drawOp(p, c, at, []string{opJoin, opJoin, opJoin, opLeave, opRestart, opCrash}))
	}
}

func drawOp(p *sim.Plan, c *sim.Chance, at int64, kinds []string) sim.Op {
	return sim.Op{
		AtMicros: at, Do: kinds[c.Below(uint64(len(kinds)))], Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32),
	}
}

// properties are those of package model/dtm that are checked here.
var properties = sync.OnceValue(func() []checker.Property {
	return sim.Choose(
		"Acyclic Place LabelsTrue SiblingsKnown NobodyLocked LeaveKeeps Aggregated",
		model.StateProperties(dtmmodel.Models()),
	)
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes < 1 || p.Nodes > maxNodes {
		return fmt.Errorf("%w: %d nodes; it must be from 1 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	}
	return nil
}
