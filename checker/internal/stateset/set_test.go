package stateset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// admitKeys admits keys to the set, in blocks, and returns which of them were new.
func admitKeys(t *testing.T, v *Set, keys, second []uint64) []bool {
	var blocks []*Block
	for from := 0; from < len(keys); from += 100 {
		to := min(from+100, len(keys))
		b := &Block{Keys: keys[from:to]}
		if v.Wide {
			b.Second = second[from:to]
		}
		b.Partition(v.Bits)
		blocks = append(blocks, b)
	}
	for s := range v.shards {
		require.True(t, v.Admit(s, blocks))
	}
	var fresh []bool
	for _, b := range blocks {
		b.CountFresh()
		for _, f := range b.Fresh {
			fresh = append(fresh, f == 1)
		}
	}
	return fresh
}

// The set must distinguish keys however they cluster: keys that differ in their last bits alone
// have the same shard and home.
func TestVisitedAgreesWithAMap(t *testing.T) {
	for _, spread := range []int{64, 40, 20, 6} { // leading bits that vary
		for _, wide := range []bool{false, true} {
			r := rand.New(rand.NewPCG(uint64(spread), 1))
			v := New(1, &memory.Budget{})
			v.Wide = wide
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
				require.EqualValues(t, len(known), v.Count())
			}
			assert.Equal(t, v.Memory(), v.budget.Used.Load())
			v.Clear()
			assert.Zero(t, v.budget.Used.Load())
		}
	}
}

func TestATableGrowsAndIsNeverFull(t *testing.T) {
	v := New(1, &memory.Budget{})
	s := &v.shards[0]
	for i := range uint64(100_000) {
		require.True(t, v.ensure(s, 1))
		require.True(t, s.add(hashfn.Mix(i+1)>>v.Bits|1, 0, v.Bits))
		require.LessOrEqual(t, 100*s.used, 85*s.size)
		if s.used > 20_000 {
			require.GreaterOrEqual(t, 100*s.used, 56*s.size)
		}
	}
}

func TestATableFillsUpWhereMemoryIsShort(t *testing.T) {
	v := New(1, &memory.Budget{Limit: 100_000})
	s := &v.shards[0]
	for i := uint64(1); v.ensure(s, 1); i++ {
		require.True(t, s.add(hashfn.Mix(i)>>v.Bits|1, 0, v.Bits))
	}
	assert.True(t, v.budget.Exceeded.Load())
	assert.LessOrEqual(t, 100*s.used, 92*s.size)
	assert.LessOrEqual(t, v.budget.Peak.Load(), uint64(100_000))
	assert.GreaterOrEqual(t, 100*s.used, 91*s.size)
}

// keyOf draws a key of the first shard that fits into a slot of the given number of bytes; the
// caller gives the bits behind the shard's.
func keyOf(r *rand.Rand, v *Set, lead uint64, leadBits, bytes int) uint64 {
	bits := min(statekey.PlaceBits+8*bytes-1, 63)
	key := lead<<(64-leadBits) | r.Uint64()>>leadBits
	return key>>v.Bits&^(1<<(64-bits)-1) | 1<<(63-bits)
}

// Large tables do not store the bits that the position of a slot implies. No key may be lost or
// confused with another, even after a table has grown.
func TestALargeTableTellsKeysApart(t *testing.T) {
	for bytes := statekey.LeastSlotBytes; bytes <= statekey.MostSlotBytes; bytes++ {
		for _, wide := range []bool{false, true} {
			r := rand.New(rand.NewPCG(uint64(bytes), 2))
			v := New(1, &memory.Budget{})
			v.Wide, v.Bytes = wide, bytes
			s := &v.shards[0]
			known := map[[2]uint64]bool{}
			for i := range 60_000 {
				// Neighbours share their position and half of their bits.
				id := [2]uint64{keyOf(r, v, 0, 0, bytes)}
				if i%3 == 1 {
					id[0] = id[0]&^0xffff_ffff | 1<<(63-min(statekey.PlaceBits+8*bytes-1, 63))
				}
				if wide {
					id[1] = r.Uint64N(3)
				}
				if !v.ensure(s, 1) || s.add(id[0], id[1], v.Bits) == known[id] || 100*s.used > 85*s.size {
					require.Fail(t, "a key is lost, confused with another, or the table is too full",
						"%x, the %d-th", id, i)
				}
				known[id] = true
			}
			assert.Equal(t, bytes, s.bytes)
			assert.NotZero(t, s.regions)
			for id := range known {
				if _, found := s.find(id[0], id[1], v.Bits); !found {
					require.Fail(t, "a key is lost", "%x", id)
				}
			}
			assert.Equal(t, len(known), s.used)
			assert.Equal(t, v.Memory(), v.budget.Used.Load())
		}
	}
}

// Keys that cluster in one region must neither fill it, so that a look-up never ends, nor be lost.
func TestKeysThatClusterInARegion(t *testing.T) {
	const bytes = 6
	for _, spreadFirst := range []int{0, 20_000} {
		r := rand.New(rand.NewPCG(uint64(spreadFirst), 3))
		v := New(1, &memory.Budget{})
		v.Bytes = bytes
		s := &v.shards[0]
		known := map[uint64]bool{}
		for i := range spreadFirst + 15_000 {
			key := keyOf(r, v, 0, 0, bytes)
			if i >= spreadFirst {
				key = keyOf(r, v, 5, statekey.PlaceBits-8, bytes)
			}
			if !v.ensure(s, 1) || s.add(key, 0, v.Bits) == known[key] {
				require.Fail(t, "a key is lost or confused with another", "%x, the %d-th", key, i)
			}
			known[key] = true
		}
		assert.Equal(t, spreadFirst > 0, s.regions > 0)
		for key := range known {
			if _, found := s.find(key, 0, v.Bits); !found {
				require.Fail(t, "a key is lost", "%x", key)
			}
		}
	}
}
