package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// drawHeirs draws a job or two whose owner fails, and whose representative fails as soon as another
// owner has been found. Facts that only these two had are lost unless the representative passed
// them on.
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

// failCounterpart lets the other party of an attempt fail soon, if an event of a node triggers
// that: its representative, or else its owner.
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

// counterpart is the representative of an event's attempt, or its owner, or the zero NodeID.
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
