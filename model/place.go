package model

import "sync/atomic"

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
	hasOwn                  // the node has actions of its own
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

// acts reports whether the node has actions of its own.
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
