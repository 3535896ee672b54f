package checker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The set must stay exact when hash values say next to nothing: here they only tell odd from even, and
// that only to choose one of two shards. No input is known that brings this about, so the test reaches
// inside.
func TestVisitedIsExactWhateverTheHash(t *testing.T) {
	for _, high := range []uint64{0, 1 << 63, 0xffffffff00000000} {
		hash := func(value uint32) uint64 { return high | uint64(value&1) }
		states := &store{width: 2, budget: &budget{}}
		v := newVisited(1, states, states.budget)
		rounds := [][]uint32{{5, 2, 5, 1, 4, 3, 8, 1, 9}, {9, 6, 5, 6, 7, 0, 11, 10, 4}, {12, 13, 12, 15, 5}}
		want := []uint32{5, 2, 1, 4, 3, 8, 9, 6, 7, 0, 11, 10, 12, 13, 15}
		for _, values := range rounds {
			admitAll(t, v, values, hash)
		}
		require.EqualValues(t, len(want), states.count)
		var slots, expected []uint64
		for i, value := range want {
			assert.Equal(t, []uint32{value, ^value}, states.vector(uint32(i)))
			expected = append(expected, high|uint64(i+1))
		}
		for i := range v.shards {
			for _, slot := range v.shards[i].slots {
				if slot != 0 {
					slots = append(slots, slot)
				}
			}
		}
		assert.ElementsMatch(t, expected, slots, "slots name numbers, not provisional indexes")
	}
}

// admitAll takes values through a round, two to a block.
func admitAll(t *testing.T, v *visited, values []uint32, hash func(uint32) uint64) {
	var blocks []*block
	for len(values) > 0 {
		n := min(2, len(values))
		b := &block{}
		b.reset(2, noState, noState)
		for _, value := range values[:n] {
			copy(b.out.Add(0), []uint32{value, ^value})
		}
		b.partition(1) // for its buffers; what it says about shards is replaced
		b.order, b.starts = b.order[:0], b.starts[:0]
		for s := range v.shards {
			b.starts = append(b.starts, uint32(len(b.order)))
			for i, value := range values[:n] {
				if b.hashes[i] = hash(value); v.locate(b.hashes[i]) == &v.shards[s] {
					b.order = append(b.order, uint32(i))
				}
			}
		}
		b.starts = append(b.starts, uint32(len(b.order)))
		blocks = append(blocks, b)
		values = values[n:]
	}
	settled := v.states.count
	for s := range v.shards {
		require.True(t, v.admit(s, blocks))
	}
	count := settled
	for _, b := range blocks {
		for at, fresh := range b.numbers {
			if fresh == 0 {
				continue
			}
			require.True(t, v.states.reserve(count+1))
			v.states.set(count, b.out.vector(at), noState)
			b.numbers[at] = count
			count++
		}
	}
	v.states.count = count
	for s := range v.shards {
		v.settle(s, blocks, settled)
	}
}
