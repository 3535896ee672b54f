package checker_test

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

func TestInternerIsABijection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := checker.NewInterner[string]()
		known := map[string]uint32{}
		keys := rapid.SliceOf(rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 12)).Draw(t, "keys")
		for _, key := range keys {
			want, seen := known[string(key)]
			got, found := in.Lookup(key)
			require.Equal(t, seen, found)
			id, fresh := in.Intern(key, string(key))
			require.Equal(t, !seen, fresh)
			if seen {
				require.Equal(t, want, got)
				require.Equal(t, want, id)
			} else {
				require.EqualValues(t, len(known), id, "ids are dense")
			}
			known[string(key)] = id
		}
		require.Equal(t, len(known), in.Len())
		for key, id := range known {
			require.Equal(t, key, in.Value(id))
			require.Equal(t, key, string(in.Bytes(id)))
		}
	})
}

func TestInternerCopiesTheKey(t *testing.T) {
	in := checker.NewInterner[int]()
	key := []byte("abc")
	id, _ := in.Intern(key, 1)
	key[0] = 'x'
	assert.Equal(t, "abc", string(in.Bytes(id)))
	again, fresh := in.Intern([]byte("abc"), 2)
	assert.Equal(t, id, again)
	assert.False(t, fresh)
	assert.Equal(t, 1, in.Value(id), "the first value stays")
}

func TestInternerBearsConcurrency(t *testing.T) {
	const workers, keys = 4, 30_000
	in := checker.NewInterner[uint32]()
	ids := make([][]uint32, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			ids[w] = make([]uint32, keys)
			for _, k := range rand.New(rand.NewPCG(1, uint64(w/2))).Perm(keys) { // two and two go together
				key := binary.LittleEndian.AppendUint32(nil, uint32(k))
				ids[w][k], _ = in.Intern(key, uint32(k))
				assert.EqualValues(t, k, in.Value(ids[w][k]))
			}
		})
	}
	group.Wait()
	assert.Equal(t, keys, in.Len())
	for w := range workers {
		assert.Equal(t, ids[0], ids[w])
	}
	seen := map[uint32]bool{}
	for _, id := range ids[0] {
		seen[id] = true
		assert.Less(t, id, uint32(keys))
	}
	assert.Len(t, seen, keys)
}

func TestInternerAccountsForItsMemory(t *testing.T) {
	in := checker.NewInterner[[4]uint64]()
	assert.Zero(t, in.MemoryBytes())
	for k := range uint32(10_000) {
		in.Intern(binary.LittleEndian.AppendUint32(make([]byte, 60), k), [4]uint64{})
	}
	least := uint64(10_000 * (64 + 24 + 32 + 8))
	assert.Greater(t, in.MemoryBytes(), least)
	assert.Less(t, in.MemoryBytes(), 3*least)
	before := in.MemoryBytes()
	in.Charge(1000)
	assert.Equal(t, before+1000, in.MemoryBytes())
	id, _ := in.Intern(make([]byte, 1<<20), [4]uint64{})
	assert.Len(t, in.Bytes(id), 1<<20, "a key may be larger than any arena")
}

func TestMemoRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memo := checker.NewMemo()
		views := []*checker.MemoView{memo.View(0), memo.View(3)}
		known := map[[2]uint32]uint32{}
		for range rapid.IntRange(0, 200).Draw(t, "calls") {
			v := views[rapid.IntRange(0, 1).Draw(t, "view")]
			pair := [2]uint32{rapid.Uint32Range(0, 6).Draw(t, "a"), rapid.Uint32Range(0, 6).Draw(t, "b")}
			want, seen := known[pair]
			got, ok := v.Get(pair[0], pair[1])
			require.Equal(t, seen, ok)
			require.Equal(t, want, got)
			if rapid.Bool().Draw(t, "put") {
				result := rapid.Uint32().Draw(t, "result")
				if !seen {
					want = result
					known[pair] = result
				}
				require.Equal(t, want, v.Put(pair[0], pair[1], result), "the first result stands")
			}
		}
		require.Equal(t, len(known), memo.Len())
	})
}

func TestMemoBearsConcurrency(t *testing.T) {
	const workers, pairs = 4, 20_000
	memo := checker.NewMemo()
	results := make([][]uint32, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			view := memo.View(8)
			results[w] = make([]uint32, pairs)
			for _, k := range rand.New(rand.NewPCG(2, uint64(w/2))).Perm(pairs) { // two and two go together
				a, b := uint32(k), uint32(k*k)
				r, ok := view.Get(a, b)
				if !ok {
					r = view.Put(a, b, uint32(w))
				}
				results[w][k] = r
			}
		})
	}
	group.Wait()
	assert.Equal(t, pairs, memo.Len())
	for w := range workers {
		assert.Equal(t, results[0], results[w])
	}
	assert.GreaterOrEqual(t, memo.MemoryBytes(), uint64(12*pairs))
}

func TestMemoKeepsExtremePairsApart(t *testing.T) {
	v := checker.NewMemo().View(0)
	const most = 1<<32 - 1
	v.Put(0, 0, 1)
	v.Put(0, most, 2)
	v.Put(most, 0, 3)
	v.Put(most, most-1, 4)
	for i, pair := range [][2]uint32{{0, 0}, {0, most}, {most, 0}, {most, most - 1}} {
		r, ok := v.Get(pair[0], pair[1])
		assert.True(t, ok)
		assert.EqualValues(t, i+1, r)
	}
	assert.Panics(t, func() { v.Get(most, most) })
}
