package placement

import (
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	placementmodel "github.com/canvass-grid/canvass/model/placement"
	"github.com/canvass-grid/canvass/sim"
)

const second = 1_000_000

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("placement/turns",
			"jobs that share turns, some of which no node can hold; submissions vanish, owners die", 0),
		scenario("placement/crashes", "the same, and the node crashes and comes back", 4),
	}
}

// scenario returns a scenario in which the node crashes fewer times than that.
func scenario(name, doc string, crashes uint64) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: placementmodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes, p.Latency = 3600*second, 1, sim.DrawLatency(c)
			p.UntilMicros = c.Between(20, 120) * second
			if crashes == 0 {
				return
			}
			for range 1 + c.Below(crashes) {
				at := c.Between(0, p.UntilMicros)
				p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCrash},
					sim.Op{AtMicros: at + c.Between(0, 5*second), Do: opRestart})
			}
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

// properties are those of package model/placement, without liveness.
var properties = sync.OnceValue(func() []checker.Property {
	return sim.Choose(
		"InHands OneSubmission TurnsUsed TurnsFair TimersKept ListsKept TicketsOnce AllEnd",
		model.StateProperties(placementmodel.Models()))
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes != 1 {
		return fmt.Errorf("%w: %d nodes; it must be 1", sim.ErrPlan, p.Nodes)
	}
	return nil
}
