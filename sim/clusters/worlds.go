package clusters

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// world is one of the worlds of this package.
type world struct {
	name, doc string
	draw      func(p *sim.Plan, c *sim.Chance)
	suspects  bool // failures are noticed by silence alone
}

// Worlds lists the worlds of this package.
func Worlds() []sim.World {
	return []sim.World{
		world{"clusters/bursts", "a few heads, and all that may happen to them and to their clusters at once, under all faults of messages", drawBursts, false},
		world{"clusters/suspicion", "nodes learn of others, measure and move while they are cut off, and held for failed; nobody fails", drawSuspicion, true},
	}
}

func (w world) Name() string             { return w.name }
func (w world) Doc() string              { return w.doc }
func (w world) Declares() bool           { return false }
func (w world) Declared(string) string   { return "" }
func (w world) Shape(name string) string { return shapes[name] }

// Draw implements [sim.World].
func (w world) Draw(seed uint64) *sim.Plan {
	c := sim.NewChance(seed, protocol.Hash([]byte(w.name)))
	p := &sim.Plan{World: w.name, Seed: c.Below(1 << 53), Shape: c.Below(1 << 53), SettleMicros: 600 * second}
	p.Nodes = 2 + int(c.Below(maxNodes-1))
	p.Latency = fmt.Sprintf("plane %d %d %d", side, c.Between(1, 50_000), c.Between(1, 1<<30))
	can.DrawHarshRates(p, c)
	w.draw(p, c)
	slices.SortStableFunc(p.Ops, func(a, b sim.Op) int { return int(a.AtMicros - b.AtMicros) })
	return p
}

// Run implements [sim.World].
func (w world) Run(p *sim.Plan, o sim.RunOptions) (*sim.Result, error) {
	r, err := newRun(p, o, w.suspects)
	if err != nil {
		return nil, err
	}
	return r.finish()
}

const (
	maxNodes = 7
	side     = 200_000 // of the square on which nodes lie, in microseconds
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
	p.Lose = min(p.Lose, 100_000)
	drawOps(p, c, []string{opNear, opNear, opMeasure, opDrift})
	for at := c.Exponential(10 * second); at < p.UntilMicros; at += c.Exponential(20 * second) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opCut, Arg: c.Below(1 << p.Nodes)})
		at += c.Exponential(10 * second)
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opHeal})
	}
}

// drawOps draws what nodes learn in the beginning, and bursts of operations. What they mean is said where they are declared.
func drawOps(p *sim.Plan, c *sim.Chance, kinds []string) {
	drawFirst(p, c)
	can.DrawBursts(p, c, 3+int(c.Below(6)), func(at int64) {
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: kinds[c.Below(uint64(len(kinds)))], Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32)})
	})
}

// drawFirst draws what each node learns in the beginning.
func drawFirst(p *sim.Plan, c *sim.Chance) {
	for i := range p.Nodes {
		p.Ops = append(p.Ops, sim.Op{AtMicros: c.Between(0, 5*second), Do: opNear, Node: i, Arg: c.Below(1 << p.Nodes)})
	}
}

// validate says what is impossible about a plan in these worlds.
func validate(p *sim.Plan) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Nodes < 2 || p.Nodes > maxNodes {
		return fmt.Errorf("%w: %d nodes; it must be from 2 to %d", sim.ErrPlan, p.Nodes, maxNodes)
	}
	return nil
}
