package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
)

// drawReturns draws a key or two of which a joiner may get one, and the failure of who owns it
// then, so that it returns to whoever had it before: and that has refused requests meanwhile, of
// which copies are still on their way.
func drawReturns(p *sim.Plan, c *sim.Chance) {
	p.Founders = 2 + int(c.Below(2))
	p.Nodes = p.Founders + 1 + int(c.Below(2))
	sim.DrawDuplicates(
		p,
		c,
		[]int64{5 * second, 10 * second, 20 * second},
		[]uint32{200_000, 500_000},
		[]uint32{0, 50_000, 200_000},
	)
	keys := 1 + c.Below(2)
	at := int64(second)
	for node := p.Founders; node < p.Nodes; node++ {
		p.Ops = append(p.Ops, sim.Op{AtMicros: at, Do: opJoin, Node: node})
		at += c.Exponential(second)
	}
	p.UntilMicros = at + 10*second + p.DelayMicros
	for range 1 + c.Below(2) {
		after := uint64(c.Exponential([]int64{second / 5, second, 3 * second}[c.Below(3)]))
		on := uint64(c.Below(uint64(len(triggers))))
		p.Ops = append(p.Ops, sim.Op{Do: opBereave, Arg: c.Below(keys)<<8 | on | after<<16})
	}
	value := uint64(0)
	call := func(at int64, do string) {
		value++
		p.Ops = append(
			p.Ops,
			sim.Op{AtMicros: at, Do: do, Node: int(c.Below(uint64(p.Nodes))), Arg: argument(c.Below(keys), value, 0)},
		)
	}
	for range 2 + c.Below(4) {
		call(second+c.Exponential(second), opPut)
	}
	for range 3 * keys {
		call(c.Between(3*second, p.UntilMicros), opGet)
		call(c.Between(3*second, p.UntilMicros), opGet)
	}
	call(c.Between(5*second, p.UntilMicros), opPut)
}

// causes are the kinds of events on which the failure of the owner of a key follows.
var triggers = []string{store.EventRefused, store.EventRefused, store.EventDelivered, store.EventServed}

// bereave lets the owner of a key fail soon, if a node has just done what is waited for, as soon as
// the world allows.
func (r *run) failOwner(node int, events []protocol.Event) {
	if !r.Live(node) {
		return
	}
	if op, falls := r.ownerFaults.Take(events, triggers); falls {
		r.At(r.Now()+int64(op.Arg>>16), func() { r.failWhenAllowed(sim.Op{Arg: 1 + op.Arg>>8&255}) })
	}
}

// fall lets the owner of a key fail as soon as the world allows, if it does before faults stop.
func (r *run) failWhenAllowed(op sim.Op) {
	failed := r.Stats().Crashes
	if r.crash(op); r.Stats().Crashes == failed && r.Now()+retryMicros < r.Plan.UntilMicros {
		r.At(r.Now()+retryMicros, func() { r.failWhenAllowed(op) })
	}
}

// patience is how often a failure that waits for its turn looks whether it may happen.
const retryMicros = second / 5
