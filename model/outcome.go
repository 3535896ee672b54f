package model

import (
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// outcome is what a step makes of a place.
type outcome struct {
	place    uint32 // with what it sends to itself
	envelope uint32 // of a delivery
	sent     uint32 // a list in the arena of parcels
	result   uint32 // the id, and marks; accessed atomically
}

// The marks beside the id of an outcome's result.
const (
	isTaken   = 1 << 31 // a check has gone that way
	isWatched = 1 << 30 // the monitor wants to know
	idMask    = isWatched - 1
)

// resultID is the id of what the step made of the slot.
func (o *outcome) resultID() uint32 { return atomic.LoadUint32(&o.result) & idMask }

// deliveriesOf lists what comes of each message that can be delivered to a node of the world: of
// those on their way, and of those that have come before and can come again. If two workers find
// out at the same time, they find the same, and one of them is listened to.
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

// deliver adds what comes of the messages on their way.
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

// redeliver adds what comes of the messages that have come before, unless it is nothing.
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

// outcomeOf works out what a step makes of a node's place, whose inbox is as given when the step is
// taken. What a node sends to itself is for the one that it has become.
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

// mark keeps in mind that a check has gone the way of an outcome.
func (c *compiled[S, M, C]) mark(o *outcome) {
	atomic.OrUint32(&o.result, isTaken)
	atomic.StoreUint32(&c.results.Value(o.resultID()).taken, 1)
}

// unmark forgets all that was marked. Nobody may use the model meanwhile.
func (c *compiled[S, M, C]) unmark() {
	c.outcomes.each(func(o *outcome) { o.result &^= isTaken })
	for id := range c.results.Len() {
		c.results.Value(uint32(id)).taken = 0
	}
}
