package model

import (
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// place is the local state of a node with its network: a slot and an inbox. A state vector has one
// word for each node, the id of its place. The outcomes of a place are computed once, on first use.
//
// Two places fill a cache line, because expanding a state reads all of its places. A place has no
// pointers, so the garbage collector does not scan it.
type place struct {
	slotID, boxID uint32
	about         atomic.Uint64    // see below
	arrivals      [2]atomic.Uint64 // a cache of arrive: see arrivals.go
}

// The fields of a place's about, from the lowest bit on: three flags, the senders of the messages
// in flight, a bit each, and, once they are known, the numbers of deliveries of messages in flight
// and of repeated messages, and the id of their list.
const (
	hasMessages = 1 << iota // there are messages, and the node can receive them
	hasOwn                  // the node has its own actions
	areKnown                // its deliveries are known
	sendersAt   = 3
	firstAt     = sendersAt + MaxNodes
	againAt     = firstAt + countBits
	listAt      = againAt + countBits
	countBits   = 8
	countMask   = 1<<countBits - 1
)

// receives reports whether there are messages that the node can receive.
func (p *place) receives() bool { return p.about.Load()&hasMessages != 0 }

// acts reports whether the node has its own actions.
func (p *place) acts() bool { return p.about.Load()&hasOwn != 0 }

// senders returns the senders of the messages in flight, one bit each.
func (p *place) senders() uint16 { return uint16(p.about.Load() >> sendersAt) }

// deliveries locates the outcomes of a place's deliveries: first those of messages in flight, then
// those of repeated messages.
type deliveries struct {
	list         uint32
	first, again int
}

// deliveries returns the deliveries of a place, if they are known.
func (p *place) deliveries() (d deliveries, known bool) {
	about := p.about.Load()
	d = deliveries{uint32(about >> listAt), int(about >> firstAt & countMask), int(about >> againAt & countMask)}
	return d, about&areKnown != 0
}

// know stores the deliveries of a place, unless another worker has done so.
func (p *place) know(d deliveries) {
	before := p.about.Load()
	if before&areKnown == 0 {
		bits := uint64(d.list)<<listAt | uint64(d.again)<<againAt | uint64(d.first)<<firstAt | areKnown
		p.about.CompareAndSwap(before, before|bits)
	}
}

// places is the table of the places of one node.
type places struct {
	index index
	rows  rows[place]
	own   rows[*ownOutcomes] // of the places that have any

	symmetric bool // the system has a symmetry
	// colors has, by place, the list of colors in the arena, once they are known. It is accessed
	// atomically.
	colors rows[uint32]
}

// len returns the number of places.
func (t *places) len() int { return int(t.index.count.Load()) }

// at returns the place of an id.
func (t *places) at(id uint32) *place { return t.rows.at(id) }

// intern returns the id of the place with this slot and this inbox. For a new place, describe
// returns its flags and own outcomes.
func (t *places) intern(slot, box uint32, describe func() (about uint64, own *ownOutcomes)) uint32 {
	hash := hashPair(slot, box)
	same := func(id uint32) bool {
		p := t.rows.at(id)
		return p.slotID == slot && p.boxID == box
	}
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	about, own := describe()
	t.index.lock.Lock()
	defer t.index.lock.Unlock()
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	id := t.index.count.Load()
	t.put(id, slot, box, about, own)
	t.index.add(hash, func(id uint32) uint32 {
		p := t.rows.at(id)
		return hashPair(p.slotID, p.boxID)
	})
	return id
}

// put writes a new place, whose id no other goroutine has yet.
func (t *places) put(id, slot, box uint32, about uint64, own *ownOutcomes) {
	bytes := t.rows.make(id)
	if t.symmetric {
		bytes += t.colors.make(id)
	}
	if own != nil {
		about |= hasOwn
		bytes += t.own.make(id) + own.bytes()
		*t.own.at(id) = own
	}
	p := t.rows.at(id)
	p.slotID, p.boxID = slot, box
	p.about.Store(about)
	t.index.memory.Add(uint64(bytes))
}

// internPlace returns the word for a node with this slot and this inbox.
func (c *compiled[S, M, C]) internPlace(node int, slot, box uint32) uint32 {
	return c.places[node].intern(slot, box, func() (about uint64, own *ownOutcomes) {
		s, b := c.slots.Value(slot), c.inboxes.heads.at(box)
		if s.live && s.Choose == 0 && b.envelopes+b.arrived > 0 {
			about = hasMessages
		}
		return about | uint64(b.senders)<<sendersAt, c.ownOf(node, s)
	})
}

// ownOutcomes holds the ids of the outcomes of a node's own actions. Each is computed on first use,
// and its id is 0 until then.
type ownOutcomes struct {
	commanded bool // a command is left to be given
	command   atomic.Uint32
	timeouts  []atomic.Uint32 // of each timer
	choices   []atomic.Uint32
	answers   []answer // every possible end of each measurement under way
}

// answer is one end of a measurement.
type answer struct {
	peer    protocol.NodeID
	latency uint32
	outcome atomic.Uint32
}

// The memory of own outcomes, and of each answer.
const (
	ownBytes    = 80
	answerBytes = 16
)

// bytes returns their memory.
func (o *ownOutcomes) bytes() int {
	return ownBytes + 4*(len(o.timeouts)+len(o.choices)) + answerBytes*len(o.answers)
}

func (c *compiled[S, M, C]) ownOf(node int, s *Slot[S]) *ownOutcomes {
	commanded := len(c.script(node, s)) > 0
	if !s.live || !commanded && s.Choose == 0 && len(s.Timers) == 0 && len(s.Measuring) == 0 {
		return nil
	}
	return &ownOutcomes{
		commanded: commanded,
		timeouts:  make([]atomic.Uint32, len(s.Timers)), choices: make([]atomic.Uint32, s.Choose),
		answers: c.answersOf(s),
	}
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

// ownOutcomes returns those of a node of the present state, which must have some.
func (k *worker[S, M, C]) ownOutcomes(node int) *ownOutcomes {
	return *k.places[node].own.at(k.loaded[node])
}

// once returns an outcome of a node's own action, and computes it on first use.
func (k *worker[S, M, C]) once(at *atomic.Uint32, node int, in input) *outcome {
	if at.Load() == 0 {
		p := k.state.places[node]
		o := [1]outcome{k.outcomeOf(node, p, p.boxID, k.step(p.slotID, in))}
		at.CompareAndSwap(0, k.made.keep(o[:]))
	}
	return k.outcomes.rows.at(at.Load())
}

// outcome is the effect of a step on a place.
type outcome struct {
	place    uint32 // after the step, with the node's messages to itself
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

// outcomeOf computes the outcome of a step at a node's place. The inbox is the node's inbox when
// the step is taken. Messages to itself go to its identity after the step.
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

// At most places one or two different batches ever arrive. A place caches the first ones, each with
// the place that it leads to. An entry never changes once it is set: the upper half is the id of
// the batch's inbox plus one, and the lower half is the place.

// arrived returns the cached place that a batch leads to.
func (p *place) arrived(batch uint32) (next uint32, ok bool) {
	for i := range p.arrivals {
		if entry := p.arrivals[i].Load(); uint32(entry>>32) == batch+1 {
			return uint32(entry), true
		}
	}
	return 0, false
}

// remember caches the place that a batch leads to. It returns false if the cache is full.
func (p *place) remember(batch, next uint32) bool {
	entry := uint64(batch+1)<<32 | uint64(next)
	for i := range p.arrivals {
		if p.arrivals[i].CompareAndSwap(0, entry) || p.arrivals[i].Load() == entry {
			return true
		}
	}
	return false
}

// arrive returns the place of a node after more messages were sent to it. Messages that do not
// reach its present incarnation vanish.
func (k *worker[S, M, C]) arrive(node int, at, more uint32) uint32 {
	p := k.places[node].at(at)
	if next, ok := p.arrived(more); ok {
		return next
	}
	there := at*MaxNodes + uint32(node) // each node has its own ids of places
	if next, ok := k.arrived.Get(there, more); ok {
		return next
	}
	next := at
	if box := k.reachable(more, k.slots.Value(p.slotID)); box != k.empty {
		next = k.internPlace(node, p.slotID, k.with(p.boxID, box))
	}
	if p.remember(more, next) {
		return next
	}
	return k.arrived.Put(there, more, next)
}
