package store

import (
	"slices"

	storemodel "github.com/canvass-grid/canvass/model/store"
	"github.com/canvass-grid/canvass/sim"
)

// Scenarios lists the scenarios of this package.
func Scenarios() []*sim.Scenario {
	return []*sim.Scenario{
		scenario("store/steady", "client operations on a stable map, under message faults and clock drift",
			busy(drawSteady)),
		scenario("store/churn", "client operations while nodes join and leave", busy(drawChurn)),
		scenario("store/crash", "client operations while nodes also crash; a crash may revert a register once",
			busy(drawCrash)),
		scenario("store/bursts", "client operations in a small map, with bursts of joins, leaves and crashes",
			busy(drawBursts)),
		scenario("store/duels", "a key or two change owners once or twice; calls are delayed or duplicated", drawDuels),
		scenario("store/returns", "a key returns to its former owner; copies of refused requests are in flight",
			drawReturns),
		walkScenario(),
	}
}

// scenario returns a scenario.
func scenario(name, doc string, draw func(*sim.Plan, *sim.Chance)) *sim.Scenario {
	return &sim.Scenario{
		Name: name, Doc: doc, Properties: properties, Words: storemodel.Words,
		Draw: sim.DrawFrom(name, name, func(p *sim.Plan, c *sim.Chance) {
			p.SettleMicros, p.Latency = 300*second, sim.DrawLatency(c)
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

// busy adds the clients' operations, and the failures that follow them.
func busy(draw func(*sim.Plan, *sim.Chance)) func(*sim.Plan, *sim.Chance) {
	return func(p *sim.Plan, c *sim.Chance) {
		draw(p, c)
		drawCalls(p, c)
		drawFailures(p, c)
	}
}

func drawSteady(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(12))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(5, 40) * second
	sim.DrawRates(p, c)
}

func drawChurn(p *sim.Plan, c *sim.Chance) {
	p.Founders = 1 + int(c.Below(6))
	p.Nodes = p.Founders + 1 + int(c.Below(7))
	p.UntilMicros = c.Between(10, 60) * second
	sim.DrawEvents(p, c, opJoin, second, 30*second)
	sim.DrawEvents(p, c, opLeave, second, 30*second)
	for _, op := range p.Ops { // some changes follow each other closely, so that items are handed over twice
		if c.Of(1, 2) {
			op.AtMicros, op.Node = op.AtMicros+c.Exponential(second/2), int(c.Below(uint64(p.Nodes)))
			p.Ops = append(p.Ops, op)
		}
	}
	if c.Of(1, 2) {
		sim.DrawRates(p, c)
	}
}

func drawCrash(p *sim.Plan, c *sim.Chance) {
	drawChurn(p, c)
	p.Founders = max(p.Founders, 3)
	p.Nodes = max(p.Nodes, p.Founders)
	p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, p.UntilMicros), Do: opCrash, Node: int(c.Below(uint64(p.Nodes)))})
	if c.Of(1, 2) { // answers of failing nodes are dropped
		p.Drop = uint32(c.Below(300_000))
	}
}

// drawBursts draws bursts as package can does, with clients' calls in between.
func drawBursts(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(3))
	p.Nodes = p.Founders + 1 + int(c.Below(3))
	sim.DrawHarshRates(p, c)
	changes := []string{opJoin, opJoin, opLeave, opLeave, opCrash}
	sim.DrawBursts(p, c, 5+int(c.Below(8)), func(at int64) {
		p.Ops = append(
			p.Ops,
			sim.Op{
				AtMicros: at,
				Do:       changes[c.Below(uint64(len(changes)))],
				Node:     int(c.Below(uint64(p.Nodes))),
				Arg:      c.Below(4),
			},
		)
	})
}

// drawFailures draws more failures, if there is one: of owners, soon after calls.
func drawFailures(p *sim.Plan, c *sim.Chance) {
	if !slices.ContainsFunc(p.Ops, func(op sim.Op) bool { return op.Do == opCrash }) {
		return
	}
	var more []sim.Op
	for _, op := range p.Ops {
		if _, call := kinds[op.Do]; call && c.Of(1, 6) && len(more) < 5 {
			more = append(more, sim.Op{
				AtMicros: op.AtMicros + c.Exponential(second/5), Do: opCrash, Node: op.Node, Arg: 1 + op.Arg&255,
			})
		}
	}
	p.Ops = append(p.Ops, more...)
}

// drawCalls draws the clients' operations. They come in bursts, each with a fresh value. A
// compare-and-set expects 0 or a value that was drawn for the same key before, mostly the latest.
func drawCalls(p *sim.Plan, c *sim.Chance) {
	keys := 1 + int(c.Below(maxKeys))
	drawn, used := make([][]uint64, keys), make([]int, keys)
	mean := p.UntilMicros / c.Between(4, 24)
	at := c.Exponential(mean)
	for value := uint64(1); value <= maxCalls && at < p.UntilMicros; value++ {
		key := c.Below(uint64(keys))
		if used[key]++; used[key] > maxOfKey {
			break
		}
		op := sim.Op{AtMicros: at, Do: calls[c.Below(uint64(len(calls)))], Node: int(c.Below(uint64(p.Nodes)))}
		expect := uint64(0)
		if n := uint64(len(drawn[key])); n > 0 && c.Of(9, 10) {
			expect = drawn[key][n-1-c.Below(min(n, 3))]
		}
		op.Arg = argument(key, value, expect)
		if op.Do == opPut || op.Do == opCAS {
			drawn[key] = append(drawn[key], value)
		}
		p.Ops = append(p.Ops, op)
		if c.Of(2, 3) {
			at += c.Exponential(200_000)
		} else {
			at += c.Exponential(mean)
		}
	}
}

// Bounds of a plan's calls. Keys are few, so that operations overlap. Calls are few, since the time
// to decide a history is exponential in the number of overlapping calls.
const (
	maxKeys  = 4
	maxCalls = 60
	maxOfKey = 22
)
