package custody

import (
	"fmt"
	"sync"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	custodymodel "github.com/canvass-grid/canvass/model/custody"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/sim"
)

const second = 1_000_000

// The names of the scenarios.
const (
	outages = "custody/outages"
	cancels = "custody/cancels"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario(outages, "custodians crash and come back, also all at once, under heavy message faults"),
		scenario(cancels, "the same, and the client cancels, or the record is forgotten"),
	}
}

// scenario returns a scenario in which up to six operations happen.
func scenario(name, doc string) *sim.Scenario {
	kinds := []string{opCrash, opRestart, opRestart, opOutage, opStrike, opStrike, opAccept}
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: custodymodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes, p.Latency = 300*second, 1+int(c.Below(custody.Most)), sim.DrawLatency(c)
			p.UntilMicros = c.Between(5, 30) * second
			sim.DrawHarshRates(p, c)
			p.Ops = append(p.Ops, sim.Op{Do: opAccept})
			for range c.Below(7) {
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

// properties are those of package model/custody, without liveness.
var properties = sync.OnceValue(func() []checker.Property {
	return sim.Choose(
		"AckedKept PrimaryOnce OnePermit OneOutcome CancelFinal OverStays NothingRuns ForgottenLast "+
			"TimersKept ListsKept MessagesFit AnswersKept NobodyWaits", model.StateProperties(custodymodel.Models()))
})

// validate returns an error if a plan is impossible in these scenarios.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes > custody.Most {
		return fmt.Errorf("%w: %d custodians; it must be from 1 to %d", sim.ErrPlan, p.Nodes, custody.Most)
	}
	return nil
}
