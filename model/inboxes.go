package model

import "slices"

// inbox holds the messages in flight to one node. The network is an inbox for each node, so that an
// action at one node leaves the words of the others in a state vector alone. On an unordered
// network it is a multiset, sorted by encodings. On a FIFO network it is sorted by channels, and
// the messages of a channel have their order.
//
// Under unbounded duplication it also holds the set of messages that have arrived and can arrive
// again. Of such a message at most one copy is in flight. Otherwise each answer to a repeated
// message would add a copy, without bound.
//
// Under adversarial delivery that set holds every message that was ever sent to the address and is
// not in flight: those that were dropped, and those to former incarnations. A node that is down
// keeps it if it may restart. All are interned as messages to the first incarnation, since it makes
// no difference which one they name.
type inbox struct {
	envelopes []uint32
	arrived   []uint32
}

// inboxes is the table of all inboxes. Their lists are stored in chunks, so that there are few
// pointers.
type inboxes struct {
	index  index
	heads  rows[inboxHead]
	chunks rows[[]uint32]
	last   uint32 // the chunk that is being filled
	used   uint32 // words of it
}

// inboxHead locates the lists of an inbox: the arrived messages follow those in flight.
type inboxHead struct {
	chunk, at          uint32
	envelopes, arrived uint32 // how many
	senders            uint16 // of the messages in flight, one bit each
}

// Sizes of chunks, in words. Each is larger than the one before, up to mostChunk. A longer list
// gets a chunk of its length.
const (
	leastChunk = 1 << 8
	mostChunk  = 1 << 13
)

// len returns the number of inboxes.
func (t *inboxes) len() int { return int(t.index.count.Load()) }

// value returns the inbox of an id. Callers must not change it.
func (t *inboxes) value(id uint32) inbox {
	h := t.heads.at(id)
	all := (*t.chunks.at(h.chunk))[h.at:]
	end := h.envelopes + h.arrived
	return inbox{all[:h.envelopes:h.envelopes], all[h.envelopes:end:end]}
}

// intern returns the id of the inbox with these lists. They are sorted already, and copied. For a
// new inbox, senders returns the senders of its messages in flight.
func (t *inboxes) intern(envelopes, arrived []uint32, senders func() uint16) uint32 {
	hash := hashLists(envelopes, arrived)
	same := func(id uint32) bool {
		b := t.value(id)
		return slices.Equal(b.envelopes, envelopes) && slices.Equal(b.arrived, arrived)
	}
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	t.index.lock.Lock()
	defer t.index.lock.Unlock()
	if id, ok := t.index.find(hash, same); ok {
		return id
	}
	id := t.index.count.Load()
	t.index.memory.Add(uint64(t.heads.make(id)))
	*t.heads.at(id) = t.keep(envelopes, arrived, senders())
	t.index.add(hash, func(id uint32) uint32 {
		b := t.value(id)
		return hashLists(b.envelopes, b.arrived)
	})
	return id
}

// keep copies the lists of an inbox into a chunk.
func (t *inboxes) keep(envelopes, arrived []uint32, senders uint16) inboxHead {
	n := len(envelopes) + len(arrived)
	if t.chunks.row[0] == nil || n > len(*t.chunks.at(t.last))-int(t.used) {
		t.begin(n)
	}
	h := inboxHead{t.last, t.used, uint32(len(envelopes)), uint32(len(arrived)), senders}
	to := (*t.chunks.at(t.last))[t.used:]
	copy(to[copy(to, envelopes):], arrived)
	t.used += uint32(n)
	return h
}

// begin makes a chunk with room for that many words.
func (t *inboxes) begin(n int) {
	size := leastChunk
	if t.chunks.row[0] != nil {
		size = min(2*len(*t.chunks.at(t.last)), mostChunk)
		t.last++
	}
	size = max(size, n)
	bytes := t.chunks.make(t.last) + 4*size
	*t.chunks.at(t.last), t.used = make([]uint32, size), 0
	t.index.memory.Add(uint64(bytes))
}

// hashLists hashes the lists of an inbox.
func hashLists(envelopes, arrived []uint32) uint32 {
	hash := uint32(len(envelopes))
	for _, id := range envelopes {
		hash = hashPair(hash, id)
	}
	for _, id := range arrived {
		hash = hashPair(hash, id)
	}
	return hash
}
