package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// drawHeirs draws a job or two whose owner fails, and then who represents them, as soon as another
// owner has been found: what the one knew and the other did not is lost unless it has been brought.
func drawHeirs(p *sim.Plan, c *sim.Chance) {
	p.Latency = sim.DrawLatency(c)
	p.Nodes = 3 + int(c.Below(3))
	sim.DrawDelays(p, c, 20*second)
	d := drawer{plan: p, chance: c, kinds: []string{opSubmit}}
	for range 1 + c.Below(2) {
		d.op(second + c.Exponential(second))
	}
	if d.kinds = []string{opMove, opCancel}; c.Of(1, 4) {
		d.op(second + c.Exponential(5*second))
	}
	falls := func(do, on string) {
		after := uint64(c.Exponential([]int64{1, second / 20, second / 3}[c.Below(3)])) % second
		p.Ops = append(p.Ops, sim.Op{Do: do, Arg: uint64(slices.Index(triggers, on)) | after<<8})
	}
	first := []string{reptask.EventAccept, reptask.EventAccept, reptask.EventPart, reptask.EventGrant}
	falls(opStrike, first[c.Below(uint64(len(first)))])
	falls(opBereave, reptask.EventAdopt)
	if c.Of(1, 4) {
		falls(opStrike, reptask.EventAdopt)
	}
	p.UntilMicros = 15*second + c.Exponential(10*second) + p.DelayMicros // an owner is found after two leases
}

// bereave lets whoever has to do with the attempt fail soon, about which a node has just done
// something, if that is waited for: who represents it, or else who owns it.
func (r *run) failCounterpart(node int, events []protocol.Event) {
	for i := range events {
		if !r.Live(node) {
			return
		}
		op, falls := r.counterpartFaults.Take(events[i:i+1], triggers)
		if falls {
			r.FailSoon(counterpart(r.State(node), events[i]), op, r.fail)
		}
	}
}

// counterpart is who represents the attempt of an event, or owns it, or nobody.
func counterpart(s *reptask.State, e protocol.Event) protocol.NodeID {
	for i := range s.Owned {
		if o := &s.Owned[i]; o.By == e.Peer && o.Epoch == e.Number {
			return o.Rep
		}
	}
	for i := range s.Roles {
		if r := &s.Roles[i]; r.By == e.Peer && r.Epoch == e.Number {
			return r.Owner
		}
	}
	return protocol.NodeID{}
}
