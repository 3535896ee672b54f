package checker

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// admitKeys takes keys through the set, some to a block, and returns which of them were new.
func admitKeys(t *testing.T, v *visited, keys, second []uint64) []bool {
	var blocks []*block
	for from := 0; from < len(keys); from += 100 {
		to := min(from+100, len(keys))
		b := &block{keys: keys[from:to]}
		if v.wide {
			b.second = second[from:to]
		}
		b.partition(v.bits)
		blocks = append(blocks, b)
	}
	for s := range v.shards {
		require.True(t, v.admit(s, blocks))
	}
	var fresh []bool
	for _, b := range blocks {
		b.tally()
		for _, f := range b.fresh {
			fresh = append(fresh, f == 1)
		}
	}
	return fresh
}

// The set must tell keys apart however they crowd: keys that differ in their last bits alone share shard and
// home.
func TestVisitedAgreesWithAMap(t *testing.T) {
	for _, spread := range []int{64, 40, 20, 6} { // leading bits that vary
		for _, wide := range []bool{false, true} {
			r := rand.New(rand.NewPCG(uint64(spread), 1))
			v := newVisited(1, &budget{})
			v.wide = wide
			known := map[[2]uint64]bool{}
			for range 20 {
				keys, second := make([]uint64, 3000), make([]uint64, 3000)
				want := make([]bool, len(keys))
				for i := range keys {
					keys[i] = max(r.Uint64()<<(64-spread)|uint64(r.IntN(200)), 1)
					id := [2]uint64{keys[i]}
					if wide {
						second[i] = uint64(r.IntN(2))
						id[1] = second[i]
					}
					want[i] = !known[id]
					known[id] = true
				}
				require.Equal(t, want, admitKeys(t, v, keys, second))
				require.EqualValues(t, len(known), v.count())
			}
			assert.Equal(t, v.memory(), v.budget.used.Load())
			v.clear()
			assert.Zero(t, v.budget.used.Load())
		}
	}
}

func TestATableGrowsAndIsNeverFull(t *testing.T) {
	v := newVisited(1, &budget{})
	s := &v.shards[0]
	for i := range uint64(100_000) {
		require.True(t, v.ensure(s, 1))
		require.True(t, s.add(mix(i+1)>>v.bits|1, 0, v.bits))
		require.LessOrEqual(t, 100*s.used, 85*s.size)
		if s.used > 20_000 {
			require.GreaterOrEqual(t, 100*s.used, 56*s.size)
		}
	}
}

func TestATableFillsUpWhereMemoryIsShort(t *testing.T) {
	v := newVisited(1, &budget{limit: 100_000})
	s := &v.shards[0]
	for i := uint64(1); v.ensure(s, 1); i++ {
		require.True(t, s.add(mix(i)>>v.bits|1, 0, v.bits))
	}
	assert.True(t, v.budget.exceeded.Load())
	assert.LessOrEqual(t, 100*s.used, 92*s.size)
	assert.LessOrEqual(t, v.budget.peak.Load(), uint64(100_000))
	assert.GreaterOrEqual(t, 100*s.used, 91*s.size)
}

// keyOf draws a key of the first shard that a slot of so many bytes has room for; the bits after those that choose the shard
// are given.
func keyOf(r *rand.Rand, v *visited, lead uint64, leadBits, bytes int) uint64 {
	bits := min(placeBits+8*bytes-1, 63)
	key := lead<<(64-leadBits) | r.Uint64()>>leadBits
	return key>>v.bits&^(1<<(64-bits)-1) | 1<<(63-bits)
}

// What the place of a slot tells is not stored in it, in tables that are large enough: no key may be lost or taken for
// another by that, also when a table has grown.
func TestALargeTableTellsKeysApart(t *testing.T) {
	for bytes := leastSlotBytes; bytes <= mostSlotBytes; bytes++ {
		for _, wide := range []bool{false, true} {
			r := rand.New(rand.NewPCG(uint64(bytes), 2))
			v := newVisited(1, &budget{})
			v.wide, v.bytes = wide, bytes
			s := &v.shards[0]
			known := map[[2]uint64]bool{}
			for i := range 60_000 {
				// Neighbours share place and half of their bits.
				id := [2]uint64{keyOf(r, v, 0, 0, bytes)}
				if i%3 == 1 {
					id[0] = id[0]&^0xffff_ffff | 1<<(63-min(placeBits+8*bytes-1, 63))
				}
				if wide {
					id[1] = r.Uint64N(3)
				}
				if !v.ensure(s, 1) || s.add(id[0], id[1], v.bits) == known[id] || 100*s.used > 85*s.size {
					require.Fail(t, "a key is lost, taken for another, or the table is too full", "%x, the %d-th", id, i)
				}
				known[id] = true
			}
			assert.Equal(t, bytes, s.bytes)
			assert.NotZero(t, s.regions)
			for id := range known {
				if _, found := s.find(id[0], id[1], v.bits); !found {
					require.Fail(t, "a key is lost", "%x", id)
				}
			}
			assert.Equal(t, len(known), s.used)
			assert.Equal(t, v.memory(), v.budget.used.Load())
		}
	}
}

// Keys that crowd in one region must neither fill it, so that a look-up never ends, nor be lost.
func TestKeysThatCrowdInARegion(t *testing.T) {
	const bytes = 6
	for _, spreadFirst := range []int{0, 20_000} {
		r := rand.New(rand.NewPCG(uint64(spreadFirst), 3))
		v := newVisited(1, &budget{})
		v.bytes = bytes
		s := &v.shards[0]
		known := map[uint64]bool{}
		for i := range spreadFirst + 15_000 {
			key := keyOf(r, v, 0, 0, bytes)
			if i >= spreadFirst {
				key = keyOf(r, v, 5, placeBits-8, bytes)
			}
			if !v.ensure(s, 1) || s.add(key, 0, v.bits) == known[key] {
				require.Fail(t, "a key is lost or taken for another", "%x, the %d-th", key, i)
			}
			known[key] = true
		}
		assert.Equal(t, spreadFirst > 0, s.regions > 0)
		for key := range known {
			if _, found := s.find(key, 0, v.bits); !found {
				require.Fail(t, "a key is lost", "%x", key)
			}
		}
	}
}
