package checker

import "slices"

// visited is the set of states found. It is exact: a slot holds the index of a state and a fingerprint
// that spares most comparisons, but equality is always that of the vectors.
//
// The set is split by hash into shards. While states are admitted each shard has one owner, so it needs
// no lock; at all other times the set is only read.
type visited struct {
	shards []shard
	states *store
	budget *budget
}

// shard is a hash table with linear probing. A slot is fingerprint<<32 | index+1, or 0 if free.
// During a round an index at or above the number of settled states names a candidate in fresh.
type shard struct {
	slots []uint64
	used  int
	fresh []candidate

	warmed uint32   // what warm read, kept so that the reads are not optimised away
	_      [64]byte // keeps the counters of neighbours apart
}

// candidate names a candidate of a round.
type candidate struct{ block, at uint32 }

// newVisited returns an empty set with a power of two of shards, at least so many.
func newVisited(atLeast int, states *store, budget *budget) *visited {
	n := 64
	for n < atLeast && n < 4096 {
		n *= 2
	}
	return &visited{shards: make([]shard, n), states: states, budget: budget}
}

// locate returns the shard of a hash.
func (v *visited) locate(hash uint64) *shard { return &v.shards[hash&uint64(len(v.shards)-1)] }

// find returns the index of a state. No round is under way.
func (v *visited) find(vector []uint32) (uint32, bool) {
	h := hashWords(vector)
	s := v.locate(h)
	fingerprint := uint32(h >> 32)
	if len(s.slots) == 0 {
		return noState, false
	}
	for at := homeSlot(fingerprint, len(s.slots)); ; at = (at + 1) & (len(s.slots) - 1) {
		slot := s.slots[at]
		if slot == 0 {
			return noState, false
		}
		if uint32(slot>>32) == fingerprint && slices.Equal(vector, v.states.vector(uint32(slot)-1)) {
			return uint32(slot) - 1, true
		}
	}
}

// admit looks up the candidates of one shard, block by block in their order, and adds those not seen
// before. It reports false if the budget ran out; then the set must not be used any more.
func (v *visited) admit(number int, blocks []*block) bool {
	s := &v.shards[number]
	s.fresh = s.fresh[:0]
	for i, b := range blocks {
		before := len(s.fresh)
		for batch := range slices.Chunk(b.shard(number), warmBatch) {
			if !s.ensure(len(batch), v.budget) {
				return false
			}
			v.warm(s, b, batch)
			for _, at := range batch {
				if v.add(s, blocks, candidate{uint32(i), at}) {
					b.numbers[at] = 1
				}
			}
		}
		if n := len(s.fresh) - before; n > 0 {
			b.fresh.Add(uint32(n))
		}
	}
	return true
}

// warmBatch is how many candidates are looked up ahead of time together.
const warmBatch = 32

// warm loads what the look-ups of a few candidates will need. One look-up waits for the memory twice,
// for the slot and for the vector that it names; here the loads of the whole batch are independent of each
// other, so the processor waits for all of them at once.
func (v *visited) warm(s *shard, b *block, batch []uint32) {
	var found [warmBatch]uint64
	for i, at := range batch {
		found[i&(warmBatch-1)] = s.slots[homeSlot(uint32(b.hashes[at]>>32), len(s.slots))]
	}
	settled, sum := v.states.count, uint32(0)
	for i, at := range batch {
		slot := found[i&(warmBatch-1)]
		index := uint32(slot) - 1
		if slot>>32 == b.hashes[at]>>32 && index < settled {
			sum += v.states.vector(index)[0]
		}
	}
	s.warmed = sum
}

// add adds one candidate and reports whether it is new.
func (v *visited) add(s *shard, blocks []*block, c candidate) bool {
	b := blocks[c.block]
	fingerprint := uint32(b.hashes[c.at] >> 32)
	vector := b.out.vector(int(c.at))
	settled := v.states.count
	for at := homeSlot(fingerprint, len(s.slots)); ; at = (at + 1) & (len(s.slots) - 1) {
		slot := s.slots[at]
		if slot == 0 {
			index := settled + uint32(len(s.fresh))
			s.slots[at] = uint64(fingerprint)<<32 | uint64(index+1)
			s.fresh = append(s.fresh, c)
			s.used++
			return true
		}
		if uint32(slot>>32) != fingerprint {
			continue
		}
		var known []uint32
		if index := uint32(slot) - 1; index < settled {
			known = v.states.vector(index)
		} else {
			f := s.fresh[index-settled]
			known = blocks[f.block].out.vector(int(f.at))
		}
		if slices.Equal(vector, known) {
			return false
		}
	}
}

// settle replaces the provisional indexes of a shard by the numbers that the fresh candidates were
// given. settled is the number of states before the round.
//
// A number may equal the provisional index of another candidate with the same fingerprint, which is then
// still to come, and may be replaced in its stead. That does no harm: slots of one fingerprint are found
// on the same way through the table, and it is all one which of them holds which number.
func (v *visited) settle(number int, blocks []*block, settled uint32) {
	s := &v.shards[number]
	for i, c := range s.fresh {
		b := blocks[c.block]
		high := b.hashes[c.at] >> 32 << 32
		provisional := high | uint64(settled+uint32(i)+1)
		at := homeSlot(uint32(high>>32), len(s.slots))
		for s.slots[at] != provisional {
			at = (at + 1) & (len(s.slots) - 1)
		}
		s.slots[at] = high | uint64(b.numbers[c.at]+1)
	}
}

// ensure makes room for so many more states. It reports false if the budget does not allow it.
func (s *shard) ensure(more int, budget *budget) bool {
	for 4*(s.used+more) > 3*len(s.slots) {
		if !s.enlarge(budget) {
			return false
		}
	}
	return true
}

// enlarge doubles a table. The slots say themselves where they belong.
func (s *shard) enlarge(budget *budget) bool {
	size := max(2*len(s.slots), minTable)
	if !budget.take(8 * size) {
		return false
	}
	old := s.slots
	s.slots = make([]uint64, size)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := homeSlot(uint32(slot>>32), size)
		for s.slots[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		s.slots[at] = slot
	}
	budget.give(8 * len(old))
	return true
}

// bytes is the size of the tables.
func (v *visited) bytes() uint64 {
	sum := 0
	for i := range v.shards {
		sum += 8*len(v.shards[i].slots) + 8*cap(v.shards[i].fresh)
	}
	return uint64(sum)
}
