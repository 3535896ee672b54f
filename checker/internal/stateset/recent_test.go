package stateset

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
)

// At least the first of equal keys is picked, and a key that was not given before is never left
// out. The block records where the picked keys of each state end.
func TestRecentKeysAreNotPicked(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var cache Recent
		cache.Fit(1, false)
		met := map[uint64]bool{}
		for range rapid.IntRange(1, 5).Draw(r, "batches") {
			b := &Block{}
			keys := rapid.SliceOf(rapid.Map(rapid.Uint64Range(1, 400), hashfn.Mix)).Draw(r, "keys")
			half := len(keys) / 2
			picked := cache.pick(b, keys, []int{half, half, len(keys)})
			require.Len(r, b.Ends, 3)
			require.Equal(r, b.Ends[0], b.Ends[1])
			require.EqualValues(r, len(picked), b.Ends[2])
			chosen := map[uint32]bool{}
			for n, i := range picked {
				require.Equal(r, n < int(b.Ends[0]), int(i) < half)
				chosen[i] = true
			}
			for i, key := range keys {
				require.True(r, chosen[uint32(i)] || met[key])
				met[key] = true
			}
		}
		require.Empty(r, cache.pick(&Block{}, nil, []int{0, 0}))
	})
}

// A block whose first state has far more successors than the others takes no more room than it
// must.
func TestABlockDoesNotReserveTooMuch(t *testing.T) {
	b := &Block{Width: 2, From: 0, To: 2048, Ends: []uint32{10_000}}
	b.ensure(10_000)
	require.LessOrEqual(t, cap(b.Keys), 20_000)
	b = &Block{Width: 2, From: 0, To: 2048, Ends: make([]uint32, 32)}
	b.ensure(64)
	require.GreaterOrEqual(t, cap(b.Keys), 64*2048/32)
	require.LessOrEqual(t, cap(b.Words), 2*64*2048/32*5/4)
}
