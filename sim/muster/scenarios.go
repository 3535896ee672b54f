package muster

import (
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	mustermodel "github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/sim"
)

const (
	second   = 1_000_000
	maxNodes = 7
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("muster/halts", "processes that end, fail, are unfit or are cancelled, under heavy message faults",
			[]string{opCancel}),
		scenario("muster/crashes", "the same, and nodes crash or the task layer ends the attempt",
			[]string{opCancel, opCrash, opCrash, opStrike, opStrike, opEnd}),
	}
}

// scenario returns a scenario in which up to three operations of these kinds happen.
func scenario(name, doc string, kinds []string) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: mustermodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes, p.Latency = 300*second, 1+int(c.Below(maxNodes)), sim.DrawLatency(c)
			p.UntilMicros = c.Between(5, 30) * second
			sim.DrawHarshRates(p, c)
			for range c.Below(4) {
				p.Ops = append(p.Ops, sim.Op{
					AtMicros: c.Between(0, p.UntilMicros), Do: kinds[c.Below(uint64(len(kinds)))],
					Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32),
				})
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

// properties are those of package model/muster, without liveness.
var properties = sync.OnceValue(func() []checker.Property {
	return sim.Choose(
		"AllOrNone AskedOnce NoGoWithoutPermit RanksOnce StartsOnce StatusesTrue OutcomeBeforeFinish OutcomeOnce ReasonTrue "+
			"EndKills TimersKept ListsKept MessagesFit HaltReaches NobodyWaits", model.StateProperties(mustermodel.Models()))
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes > maxNodes {
		return fmt.Errorf("%w: %d nodes; it must be from 1 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	}
	return nil
}
