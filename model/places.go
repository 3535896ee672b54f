package model

// places is the table of the places of one node.
type places struct {
	index index
	rows  rows[place]
	own   rows[*ownOutcomes] // of those that have any

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
