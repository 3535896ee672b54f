package checker

import "sync"

// visited is the set of states found, or rather of their keys (keys.go). Whether it is exact is up to
// the keys: to the set, equal keys are equal states.
//
// The set is divided by the leading bits of the keys into shards (shard.go). While states are admitted each shard has
// one owner, so it needs no lock; at all other times the set is only read.
type visited struct {
	shards []shard
	bits   uint // the leading bits that choose the shard
	wide   bool // keys have a second half
	bytes  int  // what a slot of a large table has of the first half
	lossy  bool // the set is a bitstate set (bitstate.go)
	budget *budget
	spare  sync.Pool // of slices of keys, for tables that are enlarged
}

// leastShards is how many shards there are at least: enough that a shard being worked on stays in the caches.
const leastShards = 256

// newVisited returns an empty set with a power of two of shards, at least so many.
func newVisited(atLeast int, budget *budget) *visited {
	v := &visited{bits: 8, bytes: mostSlotBytes, budget: budget}
	for 1<<v.bits < min(max(atLeast, leastShards), 1<<placeBits) {
		v.bits++
	}
	v.shards = make([]shard, 1<<v.bits)
	for i := range v.shards {
		v.shards[i].least = minTable + i%minTable
	}
	return v
}

// shardOf is the number of the shard of a key.
func (v *visited) shardOf(key uint64) int { return int(key >> (64 - v.bits)) }

// touchAhead is from how many candidates on it is worth looking them up together. A block has few of a shard, so that
// those of several are.
const touchAhead = 32

// freshKey takes the place of the key of a candidate that was not known before. The owner of a shard writes
// there, and not beside the candidate, so that owners do not write to the same cache lines.
const freshKey = 0

// admit takes the candidates of one shard into the set, block by block in their order, and marks those
// that were not in it. It reports false if the budget ran out; then the set must not be used any more.
func (v *visited) admit(number int, blocks []*block) bool {
	s := &v.shards[number]
	for len(blocks) > 0 {
		some, keys := ahead(number, blocks)
		if v.lossy {
			v.admitBits(s, number, blocks[:some])
		} else if !v.admitSome(s, number, blocks[:some], keys) {
			return false
		}
		blocks = blocks[some:]
	}
	return true
}

// ahead is how many of the blocks to look up together, and how many candidates of the shard they have.
func ahead(number int, blocks []*block) (some, keys int) {
	for some < len(blocks) && keys < touchAhead {
		keys += len(blocks[some].part(number))
		some++
	}
	return some, keys
}

// admitSome admits so many candidates of a shard, those that some blocks have.
func (v *visited) admitSome(s *shard, number int, blocks []*block, keys int) bool {
	if !v.ensure(s, keys) {
		return false
	}
	for _, b := range blocks {
		s.touch(b.part(number), v.bits)
	}
	for _, b := range blocks {
		if v.wide {
			v.admitWide(s, b, b.starts[number], b.starts[number+1])
		} else {
			s.admit(b.part(number), v.bits)
		}
	}
	return true
}

// admitWide admits a few candidates with keys of two words, for which there is room.
func (v *visited) admitWide(s *shard, b *block, from, to uint32) {
	for i := from; i < to; i++ {
		if s.add(b.sorted[i], b.second[b.order[i]], v.bits) {
			b.sorted[i] = freshKey
		}
	}
}

// has reports whether the set has the key of the i-th vector that was given to a keyer.
func (v *visited) has(k *keyer, i int) bool {
	s := &v.shards[v.shardOf(k.keys[i])]
	if v.lossy {
		return s.size > 0 && s.hasBits(k.keys[i], v.bits)
	}
	_, _, known := v.locate(k, i)
	return known
}

// admitAll admits all candidates one after the other, for rounds that are not worth more.
func (v *visited) admitAll(blocks []*block) bool {
	for _, b := range blocks {
		b.fresh = resize(b.fresh, b.len())
		clear(b.fresh)
		for i, key := range b.keys {
			s := &v.shards[v.shardOf(key)]
			if v.lossy {
				if s.addBits(key, v.bits) {
					b.fresh[i] = 1
				}
				continue
			}
			if !v.ensure(s, 1) {
				return false
			}
			second := uint64(0)
			if v.wide {
				second = b.second[i]
			}
			if s.add(key, second, v.bits) {
				b.fresh[i] = 1
			}
		}
	}
	return true
}

// shardCount is how many shards there are.
func (v *visited) shardCount() int { return len(v.shards) }

// clear empties the set.
func (v *visited) clear() {
	for i := range v.shards {
		s := &v.shards[i]
		freeSlots(s.slots)
		v.budget.give(8*len(s.slots) + 4*len(s.ordinals))
		*s = shard{least: s.least}
	}
}

// count is the number of keys.
func (v *visited) count() uint64 {
	sum := 0
	for i := range v.shards {
		sum += v.shards[i].used
	}
	return uint64(sum)
}

// memory is the size of the tables.
func (v *visited) memory() uint64 {
	sum := 0
	for i := range v.shards {
		sum += 8*len(v.shards[i].slots) + 4*len(v.shards[i].ordinals)
	}
	return uint64(sum)
}
