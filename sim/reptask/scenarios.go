package reptask

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("reptask/bursts", "bursts of all that can happen to nodes and jobs, under heavy message faults",
			drawBursts, false, nil),
		scenario("reptask/duels", "a few jobs, and crashes that follow each other, under delayed messages",
			drawDuels, false, nil),
		scenario("reptask/heirs", "the owner of a job crashes, and its representative once it has a new owner",
			drawHeirs, false, nil),
		scenario("reptask/leases", "jobs, moves and cancellations under partitions and false suspicions; no crash",
			drawLeases, true, nil),
		walkScenario(),
		scenario("reptask/limit-long-cuts", "partitions that outlast two leases, so that both sides go on alone",
			drawLongCuts, true, longCuts()),
	}
}

// scenario returns a scenario. With leases, failures are detected by silence alone, and live nodes
// may be falsely suspected.
func scenario(
	name, doc string,
	draw func(*sim.Plan, *sim.Chance),
	leases bool,
	expected map[string]string,
) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: reptask.Words, Expected: expected,
		Draw: sim.DrawFrom("tasks/"+strings.TrimPrefix(name, "reptask/"), name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Nodes = 600*second, 2+int(c.Below(maxNodes-1))
			draw(p, c)
		}),
		Run: func(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
			r, err := newRun(p, o, leases)
			if err != nil {
				return nil, err
			}
			return r.finish()
		},
	}
}

// longCuts are the violations that follow when the core's assumption about leases is broken: an
// owner that is silent for two leases is replaced, although it lives.
func longCuts() map[string]string {
	why := "an owner that does not answer for a whole lease is replaced; if it lives, the job has two owners"
	expected := map[string]string{}
	for _, property := range []string{"OneEpochRuns", "CancelledStays", "OneResult", "FullRun"} {
		expected[property] = why
	}
	return expected
}

const (
	maxNodes = 6
	maxJobs  = 12
)

func drawBursts(p *sim.Plan, c *sim.Chance) {
	p.Latency = sim.DrawLatency(c)
	sim.DrawHarshRates(p, c)
	d := drawer{plan: p, chance: c, kinds: []string{
		opSubmit, opSubmit, opSubmit, opMove, opMove, opCancel, opCrash, opStrike, opRestart, opCluster, opLeave,
	}}
	sim.DrawBursts(p, c, 4+int(c.Below(8)), d.op)
}

// drawLeases draws faults that break no assumption about leases; see the package documentation.
// Each partition begins soon after a burst of jobs, and more happens while it lasts.
func drawLeases(p *sim.Plan, c *sim.Chance) {
	drawCuts(p, c, leaseMicros/2, 2*leaseMicros-2*second)
}

// drawLongCuts draws partitions that outlast two leases.
func drawLongCuts(p *sim.Plan, c *sim.Chance) { drawCuts(p, c, 2*leaseMicros, 3*regrantMicros) }

func drawCuts(p *sim.Plan, c *sim.Chance, least, most int64) {
	p.Latency = []string{"constant 20000", "uniform 1000 100000", "exponential 10000"}[c.Below(3)]
	p.Duplicate, p.Delay, p.DelayMicros = uint32(c.Below(300_000)), uint32(c.Below(300_000)), second/4
	d := drawer{plan: p, chance: c, kinds: []string{opSubmit, opSubmit, opSubmit, opMove, opCancel}}
	at := int64(0)
	for range 1 + c.Below(4) {
		at += c.Between(second, 3*second)
		within := []int64{second / 10, second}[c.Below(2)]
		for range 2 + c.Below(3) {
			d.op(at + c.Exponential(within))
		}
		at += c.Exponential(second)
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCut, Arg: 1 + c.Below(1<<p.Nodes-2)})
		healed := at + c.Between(least, most)
		for range c.Below(3) {
			d.op(c.Between(at, healed))
		}
		p.Ops = append(p.Ops, sim.Op{AtMicros: healed, Do: opHeal})
		at = healed + regrantMicros + c.Exponential(5*second)
		p.UntilMicros = at
	}
}

// drawer draws operations of some kinds.
type drawer struct {
	plan   *sim.Plan
	chance *sim.Chance
	kinds  []string
	ticket uint64
}

// op adds one operation.
func (d *drawer) op(at int64) {
	c := d.chance
	op := sim.Op{
		AtMicros: at,
		Do:       d.kinds[c.Below(uint64(len(d.kinds)))],
		Node:     int(c.Below(uint64(d.plan.Nodes))),
		Arg:      c.Below(1 << 32),
	}
	if op.Do == opSubmit {
		if d.ticket++; d.ticket > maxJobs {
			return
		}
		op.Arg = d.ticket | (1+c.Below(3))<<16 | c.Below(4)<<20 | c.Below(1<<32)<<24
	}
	d.plan.Ops = append(d.plan.Ops, op)
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
