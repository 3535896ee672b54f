package model

import "slices"

// inbox is a multiset of messages on their way to one node. The network is an inbox for each node,
// so that what happens at one node leaves the others' words in a state alone. Equal messages stand
// beside each other; the order is that of their encodings, so that it means the same in every run.
//
// Under a budget that lets messages come again without end there is a set beside it, of those that
// have arrived and can come again. Of these one copy at most is on its way: more of them would be
// without end, where each answer to what comes again is sent again.
type inbox struct {
	envelopes []uint32
	arrived   []uint32
}

// inboxes are those that were met. The lists lie one behind the other in chunks, so that there are
// few pointers.
type inboxes struct {
	index  index
	heads  rows[inboxHead]
	chunks rows[[]uint32]
	last   uint32 // the chunk that is being filled
	used   uint32 // words of it
}

// inboxHead says where the lists of an inbox lie: those that have arrived behind those on their
// way.
type inboxHead struct {
	chunk, at          uint32
	envelopes, arrived uint32 // how many
	senders            uint16 // of those on their way, one bit each
}

// What a chunk of lists takes, in words: the first little, the others more, a longer list as much
// as it needs.
const (
	leastChunk = 1 << 8
	mostChunk  = 1 << 13
)

// len is how many there are.
func (t *inboxes) len() int { return int(t.index.count.Load()) }

// value returns the inbox of an id, which must not be changed.
func (t *inboxes) value(id uint32) inbox {
	h := t.heads.at(id)
	all := (*t.chunks.at(h.chunk))[h.at:]
	end := h.envelopes + h.arrived
	return inbox{all[:h.envelopes:h.envelopes], all[h.envelopes:end:end]}
}

// intern returns the id of the inbox with these lists, which are in order and are copied. If it is
// new, senders tells who sent what is on its way.
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

// begin makes a chunk that has room for so many words.
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
