package peer

import (
	"fmt"
	"strings"

	peermodel "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/sim"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("peer/jobs", "parallel jobs in a grid that finds its own clusters, on a fault-free network", drawJobs),
		scenario("peer/churn", "like peer/jobs, with joins, leaves and crashes", drawChurn),
		scenario("peer/faults", "like peer/churn, with message faults and slow nodes", drawFaults),
		scenario("peer/slow", "like peer/churn, with messages that take longer than any time-out", drawSlow),
		scenario("peer/bursts", "bursts of jobs, joins, leaves and crashes in a small grid, under message faults",
			drawBursts),
		scenario("peer/duels", "the smallest grids: nodes join, and jobs may already need them", drawDuels),
		scenario("peer/drift", "latencies change and heads measure again; then clusters must be near", drawDrift),
		scenario("peer/search", "jobs that few nodes or none can run are searched for", drawSearch),
		scenario("peer/moves", "jobs queue, and idle jobs move to nodes that can run them sooner", drawMoves),
		scenario(predicted, "nodes at a few sites predict which nodes are near, and find their clusters", drawPredicted),
	}
}

// scenario returns a scenario.
func scenario(name, doc string, draw func(*sim.Plan, *sim.Chance)) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: peermodel.Words,
		Draw: sim.DrawFrom("grid/"+strings.TrimPrefix(name, "peer/"), name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros = 600 * second
			p.Latency = fmt.Sprintf("plane %d %d %d", side, c.Between(1, 20_000), c.Between(1, 1<<30))
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

// Limits of a plan. The chronicle of tasks distinguishes 32 incarnations.
const (
	maxFounders = 16
	maxNodes    = 22
	side        = 200_000 // of the square that the nodes are placed on, in microseconds
)

func drawJobs(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(maxFounders-1))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(20, 60) * second
	drawPredictions(p, c)
	drawTasks(p, c)
}

func drawChurn(p *sim.Plan, c *sim.Chance) {
	p.Founders = 3 + int(c.Below(8))
	p.Nodes = p.Founders + int(c.Below(7))
	p.UntilMicros = c.Between(20, 60) * second
	drawPredictions(p, c)
	sim.DrawEvents(p, c, opJoin, 3*second, 30*second)
	sim.DrawEvents(p, c, opLeave, 5*second, 30*second)
	if c.Of(2, 3) {
		for range 1 + c.Below(4) {
			p.Ops = append(p.Ops, sim.Op{
				AtMicros: c.Between(0, p.UntilMicros), Do: opCrash, Node: int(c.Below(uint64(p.Nodes))),
			})
		}
	}
	drawTasks(p, c)
}

func drawFaults(p *sim.Plan, c *sim.Chance) {
	drawChurn(p, c)
	sim.DrawRates(p, c)
	p.DelayMicros = min(p.DelayMicros, second)
	for range c.Below(4) {
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: c.Between(0, p.UntilMicros), Do: opSlow, Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(8),
		})
	}
}

// drawSlow draws messages that arrive after every wait for them has timed out. Loss and duplication
// apply to them, too.
func drawSlow(p *sim.Plan, c *sim.Chance) {
	drawChurn(p, c)
	sim.DrawRates(p, c)
	p.Delay = uint32(c.Between(1_000, 300_000))
	p.DelayMicros = c.Between(5, 20) * second
}

// drawBursts draws bursts as package can does, with jobs and their commands among the changes of
// the map.
func drawBursts(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(4))
	p.Nodes = p.Founders + int(c.Below(4))
	sim.DrawHarshRates(p, c)
	p.DelayMicros = min(p.DelayMicros, second)
	for i := range p.Founders {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opNear, Node: i})
	}
	kinds := []string{
		opSubmit,
		opSubmit,
		opSubmit,
		opSubmit,
		opCancel,
		opNear,
		opMeasure,
		opBalance,
		opJoin,
		opLeave,
		opCrash,
	}
	ticket := uint64(0)
	sim.DrawBursts(p, c, 10+int(c.Below(10)), func(at int64) {
		op := sim.Op{
			AtMicros: at,
			Do:       kinds[c.Below(uint64(len(kinds)))],
			Node:     int(c.Below(uint64(p.Nodes))),
			Arg:      c.Below(1 << 32),
		}
		switch op.Do {
		case opSubmit:
			if ticket++; ticket > maxJobs {
				return
			}
			op.Arg = drawJob(c, ticket)
		case opCancel:
			op.Arg = 1 + c.Below(ticket+1)
		case opBalance:
			op.Arg = c.Below(second)
		}
		p.Ops = append(p.Ops, op)
	})
}

// drawPredictions draws when nodes are introduced to members that may be near: each founder early,
// some again.
func drawPredictions(p *sim.Plan, c *sim.Chance) {
	for i := range p.Founders {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opNear, Node: i})
	}
	for range c.Below(4) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, p.UntilMicros), Do: opNear, Node: int(c.Below(uint64(p.Nodes)))})
	}
}

// drawTasks draws jobs, a Poisson process of bursts, and cancellations of some.
func drawTasks(p *sim.Plan, c *sim.Chance) {
	mean := c.Between(second, 8*second)
	at := c.Between(0, 15*second) // most clusters have been formed by then
	for ticket := uint64(1); ticket <= maxJobs; ticket++ {
		if c.Of(1, 2) {
			at += c.Exponential(mean)
		} else {
			at += c.Exponential(second / 10)
		}
		if at >= p.UntilMicros {
			break
		}
		if c.Of(1, 8) && ticket > 1 {
			p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCancel, Arg: 1 + c.Below(ticket-1)})
			continue
		}
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at, Do: opSubmit, Node: int(c.Below(uint64(p.Nodes))), Arg: drawJob(c, ticket),
		})
	}
}

// drawJob draws a job: see opSubmit.
func drawJob(c *sim.Chance, ticket uint64) uint64 {
	return ticket | (1+c.Below(4))<<16 | c.Below(4)<<20 | c.Below(1<<32)<<24
}

// maxJobs bounds the jobs of a plan.
const maxJobs = 40
