package model

import (
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// outcome is the effect of a step on a place.
type outcome struct {
	place    uint32 // after the step, with what the node sends to itself
	envelope uint32 // of a delivery
	sent     uint32 // a list in the arena of batches
	result   uint32 // the id, and marks; accessed atomically
}

// The marks next to the id of an outcome's result.
const (
	isTaken   = 1 << 31 // a check has taken it
	isWatched = 1 << 30 // the monitor observes it
	idMask    = isWatched - 1
)

// resultID returns the id of the step's result.
func (o *outcome) resultID() uint32 { return atomic.LoadUint32(&o.result) & idMask }

// deliveriesOf lists the outcomes of all deliveries to a node of the present state: of messages in
// flight, and of messages that have arrived and can arrive again. Two workers may compute them at
// the same time, with equal results. One of the results is kept.
func (k *worker[S, M, C]) deliveriesOf(node int) (first, again []outcome) {
	p := k.state.places[node]
	d, known := p.deliveries()
	if !known {
		k.listed = k.deliver(k.listed[:0], node, p)
		n := len(k.listed)
		k.listed = k.redeliver(k.listed, node, p)
		if len(k.listed) > maxList {
			all := slices.Clone(k.listed)
			return all[:n], all[n:]
		}
		p.know(deliveries{list: k.made.keep(k.listed), first: n, again: len(k.listed) - n})
		d, _ = p.deliveries()
	}
	all := k.outcomes.rows.run(d.list, d.first+d.again)
	return all[:d.first], all[d.first:]
}

// deliver adds the outcomes of messages in flight.
func (k *worker[S, M, C]) deliver(all []outcome, node int, p *place) []outcome {
	on := k.inboxes.value(p.boxID).envelopes
	for i, id := range on {
		if k.waits(on, i) {
			continue
		}
		result := k.step(p.slotID, input{kind: protocol.Deliver, node: node, value: id})
		if r := k.results.Value(result); !k.KeepIgnored || !r.ignored || r.watched {
			o := k.outcomeOf(node, p, k.delivered(p.boxID, id), result)
			o.envelope = id
			all = append(all, o)
		}
	}
	return all
}

// redeliver adds the outcomes of messages that arrive again, unless the node ignores them.
func (k *worker[S, M, C]) redeliver(all []outcome, node int, p *place) []outcome {
	for _, id := range k.inboxes.value(p.boxID).arrived {
		result := k.step(p.slotID, input{kind: protocol.Deliver, node: node, value: id})
		if r := k.results.Value(result); !r.ignored || r.watched {
			o := k.outcomeOf(node, p, p.boxID, result)
			o.envelope = id
			all = append(all, o)
		}
	}
	return all
}

// outcomeOf computes the outcome of a step at a node's place. The inbox is the one that the node
// has when the step is taken. What the node sends to itself goes to its identity after the step.
func (k *worker[S, M, C]) outcomeOf(node int, p *place, box, result uint32) outcome {
	r, before := k.results.Value(result), k.slots.Value(p.slotID)
	after := k.slots.Value(r.slot)
	if after.live != before.live || after.id != before.id {
		box = k.reachable(box, after)
	}
	for _, own := range r.sent {
		if int(own.to) == node {
			box = k.with(box, k.reachable(own.inbox, after))
		}
	}
	o := outcome{place: k.internPlace(node, r.slot, box), sent: r.list, result: result}
	if r.watched {
		o.result |= isWatched
	}
	return o
}

// mark records that a check has taken an outcome.
func (c *compiled[S, M, C]) mark(o *outcome) {
	atomic.OrUint32(&o.result, isTaken)
	atomic.StoreUint32(&c.results.Value(o.resultID()).taken, 1)
}

// unmark removes all marks. No other goroutine may use the model meanwhile.
func (c *compiled[S, M, C]) unmark() {
	c.outcomes.each(func(o *outcome) { o.result &^= isTaken })
	for id := range c.results.Len() {
		c.results.Value(uint32(id)).taken = 0
	}
}
