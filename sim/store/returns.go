package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
)

// drawReturns draws a key or two of which a joiner may get one, and the failure of the new owner,
// so that the key returns to its former owner. That node has refused requests in the meantime, of
// which copies are still in flight.
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
		p.Ops = append(p.Ops, sim.Op{
			AtMicros: at, Do: do, Node: int(c.Below(uint64(p.Nodes))), Arg: argument(c.Below(keys), value, 0),
		})
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

// triggers are the kinds of events after which the owner of a key fails.
var triggers = []string{store.EventRefused, store.EventRefused, store.EventDelivered, store.EventServed}

// failOwner lets the owner of a key fail soon, if an event of a node triggers that.
func (r *run) failOwner(node int, events []protocol.Event) {
	if !r.Live(node) {
		return
	}
	if op, falls := r.ownerFaults.Take(events, triggers); falls {
		r.At(r.Now()+int64(op.Arg>>16), func() { r.failWhenAllowed(sim.Op{Arg: 1 + op.Arg>>8&255}) })
	}
}

// failWhenAllowed lets the owner of a key fail as soon as the guard allows it, unless faults stop
// before.
func (r *run) failWhenAllowed(op sim.Op) {
	failed := r.Stats().Crashes
	if r.crash(op); r.Stats().Crashes == failed && r.Now()+retryMicros < r.Plan.UntilMicros {
		r.At(r.Now()+retryMicros, func() { r.failWhenAllowed(op) })
	}
}

// retryMicros is the interval at which a failure checks whether it is allowed.
const retryMicros = second / 5
