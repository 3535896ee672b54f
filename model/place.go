package model

import "sync/atomic"

// place is a node as a state has it: its slot and its inbox, which are one word of the vector. What
// can come of it is worked out once, when it is first asked for.
//
// Two places fill one line of a processor's cache: expanding a state looks at all of its places.
// They hold no pointers, so that the collector has nothing to do with them.
type place struct {
	slotID, boxID uint32
	about         atomic.Uint64    // see below
	arrivals      [2]atomic.Uint64 // what comes of messages that arrive: see arrivals.go
}

// What a place's about says, from its least bit on: three answers, who sent what is on its way, a
// bit each, and, once they are known, how many deliveries there are of messages on their way, and
// of others, and where they lie.
const (
	hasMessages = 1 << iota // there are messages, and the node takes them
	hasOwn                  // the node does something of itself
	areKnown                // its deliveries
	sendersAt   = 3
	firstAt     = sendersAt + MaxNodes
	againAt     = firstAt + countBits
	listAt      = againAt + countBits
	countBits   = 8
	countMask   = 1<<countBits - 1
)

// receives reports whether there are messages that the node takes.
func (p *place) receives() bool { return p.about.Load()&hasMessages != 0 }

// acts reports whether the node does something of itself.
func (p *place) acts() bool { return p.about.Load()&hasOwn != 0 }

// senders are those of the messages on their way, one bit each.
func (p *place) senders() uint16 { return uint16(p.about.Load() >> sendersAt) }

// deliveries are a place's, where they lie and how many there are of messages that come for the
// first time and of those that come again.
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

// know keeps the deliveries of a place, unless another worker has done so.
func (p *place) know(d deliveries) {
	before := p.about.Load()
	if before&areKnown == 0 {
		said := uint64(d.list)<<listAt | uint64(d.again)<<againAt | uint64(d.first)<<firstAt | areKnown
		p.about.CompareAndSwap(before, before|said)
	}
}
