package model

import "sync/atomic"

// place is a node as a state has it: its slot and its inbox, which are one word of the vector. What can come
// of it is worked out once, when it is first asked for.
//
// Two places fill one line of a processor's cache: expanding a state looks at all of its places. They hold no pointers,
// so that the collector has nothing to do with them.
type place struct {
	slotID, boxID uint32
	about         atomic.Uint64    // see below
	arrivals      [2]atomic.Uint64 // what comes of messages that arrive: see arrivals.go
}

// What a place's about says. The upper half is where its deliveries lie, once they are known.
const (
	hasMail   = 1 << iota // there are messages, and the node takes them
	hasOwn                // the node does something of itself
	areKnown              // its deliveries
	countBits = 9         // of the number of deliveries of messages on their way, and as many of that of the others
	countAt   = 4
	countMask = 1<<countBits - 1
	listAt    = 32
)

// mail reports whether there are messages that the node takes.
func (p *place) mail() bool { return p.about.Load()&hasMail != 0 }

// acts reports whether the node does something of itself.
func (p *place) acts() bool { return p.about.Load()&hasOwn != 0 }

// deliveries are a place's, where they lie and how many there are of messages that come for the first time and
// of those that come again.
type deliveries struct {
	list         uint32
	first, again int
}

// deliveries returns the deliveries of a place, if they are known.
func (p *place) deliveries() (d deliveries, known bool) {
	about := p.about.Load()
	d = deliveries{uint32(about >> listAt), int(about >> countAt & countMask), int(about >> (countAt + countBits) & countMask)}
	return d, about&areKnown != 0
}

// know keeps the deliveries of a place, unless another worker has done so.
func (p *place) know(d deliveries) {
	before := p.about.Load()
	if before&areKnown == 0 {
		said := uint64(d.list)<<listAt | uint64(d.again)<<(countAt+countBits) | uint64(d.first)<<countAt | areKnown
		p.about.CompareAndSwap(before, before|said)
	}
}
