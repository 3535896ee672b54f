package lease

import (
	"fmt"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	leasemodel "github.com/canvass-grid/canvass/model/lease"
	"github.com/canvass-grid/canvass/sim"
)

const (
	second   = 1_000_000
	maxNodes = 7
	maxDrift = 1000 // parts in a million, as the configuration has it
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	outages := []string{opAsk, opAsk, opAsk, opCrash, opCrash, opRestart, opRestart, opRegrid}
	return []*sim.Scenario{
		scenario("lease/outages", "nodes and witnesses crash and come back, under heavy message faults", outages),
		scenario("lease/partitions", "the same, and the network is divided for some time",
			append(slices.Clone(outages), opPartition, opPartition, opHeal)),
	}
}

// scenario returns a scenario in which up to eleven operations of these kinds happen.
func scenario(name, doc string, kinds []string) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: leasemodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes, p.Latency = 300*second, 1+int(c.Below(maxNodes)), sim.DrawLatency(c)
			p.UntilMicros = c.Between(10, 40) * second
			sim.DrawHarshRates(p, c)
			p.DriftPPM = min(p.DriftPPM, maxDrift)
			for range c.Below(12) {
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

// properties are those of package model/lease, without liveness, and that of the end.
var properties = sync.OnceValue(func() []checker.Property {
	all := sim.Choose(
		"NoFalseDeath DeadStays ClosedStays OneLife OneFounder OneGeneration EntersThroughMembers "+
			"TimersKept ListsKept MessagesFit",
		model.StateProperties(leasemodel.Models()))
	return append(all, checker.Property{
		Name: "Settles", Doc: "once faults have stopped, all nodes come to be in one grid", Shape: checker.Quiescent,
	})
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	switch err := p.Validate(); {
	case err != nil:
		return err
	case p.Nodes > maxNodes:
		return fmt.Errorf("%w: %d nodes; it must be from 1 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	case p.DriftPPM > maxDrift:
		return fmt.Errorf("%w: drift_ppm is %d; it must be at most %d", sim.ErrPlan, p.DriftPPM, maxDrift)
	}
	return nil
}
