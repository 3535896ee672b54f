package checker

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What is picked are the first of equal keys, at least, and never a key that was not given before is left out; the block
// learns where those of each state end.
func TestKeysMetNotLongAgoAreNotPicked(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var cache recent
		cache.fit(1, false)
		met := map[uint64]bool{}
		for range rapid.IntRange(1, 5).Draw(r, "batches") {
			b := &block{}
			keys := rapid.SliceOf(rapid.Map(rapid.Uint64Range(1, 400), mix)).Draw(r, "keys")
			half := len(keys) / 2
			picked := cache.pick(b, keys, []int{half, half, len(keys)})
			require.Len(r, b.ends, 3)
			require.Equal(r, b.ends[0], b.ends[1])
			require.EqualValues(r, len(picked), b.ends[2])
			chosen := map[uint32]bool{}
			for n, i := range picked {
				require.Equal(r, n < int(b.ends[0]), int(i) < half)
				chosen[i] = true
			}
			for i, key := range keys {
				require.True(r, chosen[uint32(i)] || met[key])
				met[key] = true
			}
		}
		require.Empty(r, cache.pick(&block{}, nil, []int{0, 0}))
	})
}

// A block whose first state has far more successors than the others takes no more room than it must.
func TestABlockDoesNotReserveTooMuch(t *testing.T) {
	b := &block{width: 2, from: 0, to: 2048, ends: []uint32{10_000}}
	b.ensure(10_000)
	require.LessOrEqual(t, cap(b.keys), 20_000)
	b = &block{width: 2, from: 0, to: 2048, ends: make([]uint32, 32)}
	b.ensure(64)
	require.GreaterOrEqual(t, cap(b.keys), 64*2048/32)
	require.LessOrEqual(t, cap(b.words), 2*64*2048/32*5/4)
}
