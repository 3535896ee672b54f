package stateset

import (
	"sync"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// Set is the visited set: the keys of all states found. The package comment says who may use it
// when.
type Set struct {
	shards []shard
	Bits   uint // the leading bits that choose the shard
	Wide   bool // keys have a second half
	Bytes  int  // part of the first half in a slot of a large table
	Lossy  bool // it is a bitstate set
	budget *memory.Budget
	spare  sync.Pool // of slices of keys, for tables that are enlarged
}

// leastShards is the least number of shards: enough that a shard in use stays in the caches.
const leastShards = 256

// New returns an empty set. The number of shards is a power of two and at least atLeast.
func New(atLeast int, budget *memory.Budget) *Set {
	v := &Set{Bits: 8, Bytes: statekey.MostSlotBytes, budget: budget}
	for 1<<v.Bits < min(max(atLeast, leastShards), 1<<statekey.PlaceBits) {
		v.Bits++
	}
	v.shards = make([]shard, 1<<v.Bits)
	for i := range v.shards {
		v.shards[i].least = hashfn.MinTable + i%hashfn.MinTable
	}
	return v
}

// shardOf is the index of the shard of a key.
func (v *Set) shardOf(key uint64) int { return int(key >> (64 - v.Bits)) }

// touchAhead is the number of candidates from which on looking them up together pays. A block has
// few of a shard, so those of several blocks are combined.
const touchAhead = 32

// freshKey replaces the key of a candidate that was not known before. The owner of a shard writes
// there, and not beside the candidate, so that owners do not write to the same cache lines.
const freshKey = 0

// Admit adds the candidates of one shard to the set, block by block in their order, and marks the
// new ones. It reports false if the budget ran out; then the set must not be used any more.
func (v *Set) Admit(number int, blocks []*Block) bool {
	s := &v.shards[number]
	for len(blocks) > 0 {
		some, keys := ahead(number, blocks)
		if v.Lossy {
			v.admitBits(s, number, blocks[:some])
		} else if !v.admitSome(s, number, blocks[:some], keys) {
			return false
		}
		blocks = blocks[some:]
	}
	return true
}

// ahead is how many of the blocks to look up together, and how many candidates of the shard they
// have.
func ahead(number int, blocks []*Block) (some, keys int) {
	for some < len(blocks) && keys < touchAhead {
		keys += len(blocks[some].part(number))
		some++
	}
	return some, keys
}

// admitSome admits the candidates of a shard that some blocks have, given their number.
func (v *Set) admitSome(s *shard, number int, blocks []*Block, keys int) bool {
	if !v.ensure(s, keys) {
		return false
	}
	for _, b := range blocks {
		s.touch(b.part(number), v.Bits)
	}
	for _, b := range blocks {
		if v.Wide {
			v.admitWide(s, b, b.starts[number], b.starts[number+1])
		} else {
			s.admit(b.part(number), v.Bits)
		}
	}
	return true
}

// admitWide admits a few candidates with keys of two words, for which there is room.
func (v *Set) admitWide(s *shard, b *Block, from, to uint32) {
	for i := from; i < to; i++ {
		if s.add(b.sorted[i], b.Second[b.order[i]], v.Bits) {
			b.sorted[i] = freshKey
		}
	}
}

// Has reports whether the set has the i-th key of a keyer.
func (v *Set) Has(k *statekey.Keyer, i int) bool {
	s := &v.shards[v.shardOf(k.Keys[i])]
	if v.Lossy {
		return s.size > 0 && s.hasBits(k.Keys[i], v.Bits)
	}
	_, _, known := v.locate(k, i)
	return known
}

// AdmitAll admits all candidates one after the other, for rounds that are too small to divide.
func (v *Set) AdmitAll(blocks []*Block) bool {
	for _, b := range blocks {
		b.Fresh = memory.Resize(b.Fresh, b.Len())
		clear(b.Fresh)
		for i, key := range b.Keys {
			s := &v.shards[v.shardOf(key)]
			if v.Lossy {
				if s.addBits(key, v.Bits) {
					b.Fresh[i] = 1
				}
				continue
			}
			if !v.ensure(s, 1) {
				return false
			}
			second := uint64(0)
			if v.Wide {
				second = b.Second[i]
			}
			if s.add(key, second, v.Bits) {
				b.Fresh[i] = 1
			}
		}
	}
	return true
}

// ShardCount is how many shards there are.
func (v *Set) ShardCount() int { return len(v.shards) }

// Clear empties the set.
func (v *Set) Clear() {
	for i := range v.shards {
		s := &v.shards[i]
		memory.FreeSlots(s.slots)
		v.budget.Give(8*len(s.slots) + 4*len(s.ordinals))
		*s = shard{least: s.least}
	}
}

// Count is the number of keys.
func (v *Set) Count() uint64 {
	sum := 0
	for i := range v.shards {
		sum += v.shards[i].used
	}
	return uint64(sum)
}

// Memory is the size of the tables.
func (v *Set) Memory() uint64 {
	sum := 0
	for i := range v.shards {
		sum += 8*len(v.shards[i].slots) + 4*len(v.shards[i].ordinals)
	}
	return uint64(sum)
}
