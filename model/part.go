package model

import "github.com/canvass-grid/canvass/protocol"

// part says what is cached of a part of a place (a slot or a message) and a move. There are far
// fewer parts than places.
type part uint32

const (
	slotImage part = iota // the id of the part after the move
	messageImage
	slotHash // a hash value of the part after the move, computed without interning it
	messageHash
	slotNames // the nodes that the part names, a bit each, whatever the move
	messageNames
	partKinds
)

// partOf returns what is cached of a part and a move.
func (o *orbiter[S, M, C]) partOf(kind part, id uint32, m int) uint32 {
	key := id*uint32(partKinds) + uint32(kind)
	if known, ok := o.parted.Get(key, uint32(m)); ok {
		return known
	}
	return o.parted.Put(key, uint32(m), o.computePart(kind, id, m))
}

func (o *orbiter[S, M, C]) computePart(kind part, id uint32, m int) uint32 {
	named := uint16(0)
	to := Renaming{move: &o.orbits.moves[m], named: &named}
	if kind == messageImage || kind == messageHash || kind == messageNames {
		e := o.renames.envelope(o.envelopes.Value(id).Envelope, to)
		switch kind {
		case messageImage:
			return o.internEnvelope(e)
		case messageHash:
			return uint32(protocol.Hash(o.envelopeKey(e)))
		}
		return uint32(named)
	}
	slot := o.renames.slot(o.slots.Value(id), to)
	switch kind {
	case slotImage:
		return o.internSlot(slot)
	case slotHash:
		return uint32(protocol.Hash(o.encodeSlot(nil, &slot)))
	}
	return uint32(named)
}

// namedIn returns the set of nodes that a place names, a bit each.
func (o *orbiter[S, M, C]) namedIn(p *place) uint16 {
	named, box := o.partOf(slotNames, p.slotID, 0), o.inboxes.value(p.boxID)
	for _, list := range [2][]uint32{box.envelopes, box.arrived} {
		for _, id := range list {
			named |= o.partOf(messageNames, id, 0)
		}
	}
	return uint16(named)
}

// hashOf returns a hash value of a place after a move.
func (o *orbiter[S, M, C]) hashOf(p *place, m int) uint32 {
	hash, box := o.partOf(slotHash, p.slotID, m), o.inboxes.value(p.boxID)
	for i, list := range [2][]uint32{box.envelopes, box.arrived} {
		sum := uint32(0) // whatever the order of channels
		for j, id := range list {
			sum += hashPair(uint32(i)+o.rank(list, j)<<1, o.partOf(messageHash, id, m))
		}
		hash = hashPair(hash, sum)
	}
	return hash
}
