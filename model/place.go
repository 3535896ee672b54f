package model

import (
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// place is a node as a state has it: its slot and its inbox, which are one word of the vector. What can come
// of it is worked out once, when it is first asked for; two workers that do so at the same time find the
// same.
//
// A place fills one line of a processor's cache: expanding a state looks at all of its places.
type place[S any] struct {
	slot       *Slot[S]
	box        *inbox
	own        *ownOutcomes // nil: the node does nothing of itself
	deliveries []outcome    // what comes of each distinct message, once phase is known:
	slotID     uint32
	boxID      uint32
	phase      atomic.Uint32
	again      uint16 // from here on, of those that have come before
	mail       bool   // there are messages, and the node takes them
}

// The phases of a place's deliveries.
const (
	unknown uint32 = iota
	underway
	known
)

// ownOutcomes are those of what a node does of itself.
type ownOutcomes struct {
	ordered  bool // an order is left to be given
	order    atomic.Pointer[outcome]
	timeouts []atomic.Pointer[outcome] // of each timer
	choices  []atomic.Pointer[outcome]
	answers  []answer // of each measurement under way, whatever it may turn out to be
}

// answer is one end of a measurement.
type answer struct {
	peer    protocol.NodeID
	latency uint32
	outcome atomic.Pointer[outcome]
}

// outcome is what a step makes of a place. What it sends to others is in the result.
type outcome struct {
	*result
	place    uint32 // with what it sends to itself
	envelope uint32 // of a delivery
}

// internPlace returns the word for a node with this slot and this inbox.
func (c *compiled[S, M, C]) internPlace(node int, slot, box uint32) uint32 {
	var key [8]byte
	binary.LittleEndian.PutUint32(key[:], slot)
	binary.LittleEndian.PutUint32(key[4:], box)
	if id, ok := c.places[node].Lookup(key[:]); ok {
		return id
	}
	id, fresh := c.places[node].Intern(key[:], c.newPlace(node, slot, box))
	if fresh {
		c.places[node].Charge(placeBytes)
	}
	return id
}

func (c *compiled[S, M, C]) newPlace(node int, slot, box uint32) *place[S] {
	p := &place[S]{slot: c.slots.Value(slot), box: c.inboxes.Value(box), slotID: slot, boxID: box}
	p.own, p.mail = c.ownOf(node, p.slot), p.slot.Choose == 0 && len(p.box.envelopes)+len(p.box.arrived) > 0
	return p
}

func (c *compiled[S, M, C]) ownOf(node int, s *Slot[S]) *ownOutcomes {
	ordered := len(c.script(node, s)) > 0
	if !s.live || !ordered && s.Choose == 0 && len(s.Timers) == 0 && len(s.Measuring) == 0 {
		return nil
	}
	own := &ownOutcomes{
		ordered:  ordered,
		timeouts: make([]atomic.Pointer[outcome], len(s.Timers)), choices: make([]atomic.Pointer[outcome], s.Choose),
		answers: c.answersOf(s),
	}
	c.places[node].Charge(ownBytes + 8*(len(own.timeouts)+len(own.choices)) + answerBytes*len(own.answers))
	return own
}

// answersOf lists how the measurements under way at a node may end.
func (c *compiled[S, M, C]) answersOf(s *Slot[S]) []answer {
	var pairs []answer
	for _, peer := range s.Measuring {
		for _, latency := range c.Latency(s.id, peer) {
			pairs = append(pairs, answer{peer: peer, latency: latency})
		}
	}
	return pairs
}

// What a place, its own outcomes and a single one of them take.
const (
	placeBytes   = 64
	ownBytes     = 88
	answerBytes  = 24
	outcomeBytes = 16
)

// deliveriesOf lists what comes of each message that can be delivered to a node of the world: of those on their way,
// and of those that have come before and can come again. If another worker is about to find out, this one does so for
// itself.
func (k *worker[S, M, C]) deliveriesOf(node int) (first, again []outcome) {
	p := k.world.places[node]
	if p.phase.Load() == known {
		return p.deliveries[:p.again], p.deliveries[p.again:]
	}
	all := k.deliver(node, p)
	n := len(all)
	all = slices.Clip(k.redeliver(all, node, p))
	if n <= math.MaxUint16 && p.phase.CompareAndSwap(unknown, underway) {
		p.deliveries, p.again = all, uint16(n)
		k.places[node].Charge(outcomeBytes * cap(all))
		p.phase.Store(known)
	}
	return all[:n], all[n:]
}

func (k *worker[S, M, C]) deliver(node int, p *place[S]) []outcome {
	all := make([]outcome, 0, len(p.box.envelopes)+len(p.box.arrived))
	for i, id := range p.box.envelopes {
		if i > 0 && id == p.box.envelopes[i-1] {
			continue
		}
		r := k.step(p.slotID, input{kind: protocol.Deliver, node: node, value: id})
		if !k.KeepIgnored || !r.ignored || r.watched {
			o := k.outcomeOf(node, p, k.delivered(p.boxID, id), r)
			o.envelope = id
			all = append(all, o)
		}
	}
	return all
}

// redeliver adds what comes of the messages that have come before, unless it is nothing.
func (k *worker[S, M, C]) redeliver(all []outcome, node int, p *place[S]) []outcome {
	for _, id := range p.box.arrived {
		r := k.step(p.slotID, input{kind: protocol.Deliver, node: node, value: id})
		if !r.ignored || r.watched {
			o := k.outcomeOf(node, p, p.boxID, r)
			o.envelope = id
			all = append(all, o)
		}
	}
	return all
}

// once returns an outcome that is kept at its place, after working it out if need be.
func (k *worker[S, M, C]) once(at *atomic.Pointer[outcome], node int, in input) *outcome {
	if o := at.Load(); o != nil {
		return o
	}
	p := k.world.places[node]
	o := k.outcomeOf(node, p, p.boxID, k.step(p.slotID, in))
	if at.CompareAndSwap(nil, &o) {
		k.places[node].Charge(outcomeBytes)
	}
	return at.Load()
}

// outcomeOf works out what a step makes of a node's place, whose inbox is as given when the step is taken.
// What a node sends to itself is for the one that it has become.
func (k *worker[S, M, C]) outcomeOf(node int, p *place[S], box uint32, r *result) outcome {
	after := k.slots.Value(r.slot)
	if after.live != p.slot.live || after.id != p.slot.id {
		box = k.reachable(box, after)
	}
	for _, own := range r.sent {
		if own.to == node {
			box = k.with(box, k.reachable(own.inbox, after))
		}
	}
	return outcome{result: r, place: k.internPlace(node, r.slot, box)}
}

// arrive returns the place of a node with more messages in its inbox, as far as it is there for them.
func (k *worker[S, M, C]) arrive(node int, at, more uint32) uint32 {
	there := at*MaxNodes + uint32(node) // ids of places are those of one node
	if id, ok := k.arrived.Get(there, more); ok {
		return id
	}
	p := k.places[node].Value(at)
	next := at
	if box := k.reachable(more, p.slot); box != k.empty {
		next = k.internPlace(node, p.slotID, k.with(p.boxID, box))
	}
	return k.arrived.Put(there, more, next)
}
