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
			assert.Equal(t, v.bytes(), v.budget.used.Load())
			v.clear()
			assert.Zero(t, v.budget.used.Load())
		}
	}
}

func TestATableGrowsByAQuarterAndIsNeverFull(t *testing.T) {
	v := newVisited(1, &budget{})
	s := &v.shards[0]
	for i := range uint64(100_000) {
		require.True(t, v.ensure(s, 1))
		require.True(t, s.add(v, mix(i+1)>>v.bits|1, 0))
		require.LessOrEqual(t, 5*s.used, 4*s.size)
		if s.used > 20_000 {
			require.GreaterOrEqual(t, 100*s.used, 63*s.size)
		}
	}
}

func TestATableFillsUpWhereMemoryIsShort(t *testing.T) {
	v := newVisited(1, &budget{limit: 100_000})
	s := &v.shards[0]
	for i := uint64(1); v.ensure(s, 1); i++ {
		require.True(t, s.add(v, mix(i)>>v.bits|1, 0))
	}
	assert.True(t, v.budget.exceeded.Load())
	assert.LessOrEqual(t, 100*s.used, 92*s.size)
	assert.LessOrEqual(t, v.budget.peak.Load(), uint64(100_000))
	assert.GreaterOrEqual(t, 100*s.used, 91*s.size)
}
