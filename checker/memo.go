package checker

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker/internal/fault"
	"github.com/canvass-grid/canvass/checker/internal/hashfn"
)

// Memo caches a pure function of two ids whose result is an id. It is shared by the workers of a
// model, each of which reads it through its own [MemoView].
//
// An entry never changes once it is made. If two workers compute the same one, the first to put it
// wins and both continue with the same result.
type Memo struct {
	shards [memoShards]memoShard
	memory atomic.Uint64
	count  atomic.Uint64
}

const memoShards = 64

// memoShard is a table that readers probe without the lock. The result of a slot is written before
// its key, so a reader that sees the key sees the result.
type memoShard struct {
	table atomic.Pointer[memoTable]
	lock  sync.Mutex
	used  int
	_     [64]byte // keeps the locks of neighbours apart
}

type memoTable struct {
	keys    []uint64 // packed pair + 1, 0 if free; accessed atomically
	results []uint32
}

// NewMemo returns an empty memo.
func NewMemo() *Memo { return &Memo{} }

// Len is the number of pairs in the memo.
func (m *Memo) Len() int { return int(m.count.Load()) }

// MemoryBytes is the size of the shared tables. The views are not counted.
func (m *Memo) MemoryBytes() uint64 { return m.memory.Load() }

// packPair packs a pair into a nonzero key.
func packPair(a, b uint32) uint64 {
	if a&b == math.MaxUint32 {
		panic("checker: a Memo cannot hold the pair of the two largest ids")
	}
	return (uint64(a)<<32 | uint64(b)) + 1
}

// get finds a key in the shared table.
func (m *Memo) get(key, hash uint64) (uint32, bool) {
	t := m.shards[hash%memoShards].table.Load()
	if t == nil {
		return 0, false
	}
	for at := hashfn.HomeSlot(uint32(hash>>32), len(t.keys)); ; at = (at + 1) & (len(t.keys) - 1) {
		switch atomic.LoadUint64(&t.keys[at]) {
		case key:
			return t.results[at], true
		case 0:
			return 0, false
		}
	}
}

// put adds a key unless another worker was first, and returns the stored result.
func (m *Memo) put(key, hash uint64, result uint32) uint32 {
	s := &m.shards[hash%memoShards]
	s.lock.Lock()
	defer s.lock.Unlock()
	if old, ok := m.get(key, hash); ok {
		return old
	}
	t := s.table.Load()
	if t == nil || 4*(s.used+1) > 3*len(t.keys) {
		t = m.enlarge(s, t)
	}
	t.place(key, hash, result)
	s.used++
	m.count.Add(1)
	return result
}

// enlarge replaces the table of a shard by one of twice the size. Readers of the old one may miss
// what is added later, and then find it under the lock.
func (m *Memo) enlarge(s *memoShard, old *memoTable) *memoTable {
	size := hashfn.MinTable
	if old != nil {
		size = 2 * len(old.keys)
		m.memory.Add(-uint64(12 * len(old.keys)))
	}
	m.memory.Add(uint64(12 * size))
	t := &memoTable{keys: make([]uint64, size), results: make([]uint32, size)}
	if old != nil {
		for i, key := range old.keys {
			if key != 0 {
				t.place(key, hashfn.Pair(key), old.results[i])
			}
		}
	}
	s.table.Store(t)
	return t
}

// place writes a slot at the first free place from its home.
func (t *memoTable) place(key, hash uint64, result uint32) {
	at := hashfn.HomeSlot(uint32(hash>>32), len(t.keys))
	for atomic.LoadUint64(&t.keys[at]) != 0 {
		at = (at + 1) & (len(t.keys) - 1)
	}
	t.results[at] = result
	atomic.StoreUint64(&t.keys[at], key)
}

// MemoView is the access of one worker to a [Memo], with a private cache in front: a pair that the
// worker looked up recently costs one access to memory that no other worker writes. A view must not
// be used by two goroutines at once.
type MemoView struct {
	memo    *Memo
	keys    []uint64
	results []uint32
}

// View returns a new view whose cache has 2^cacheBits entries of 12 bytes; 10 to 14 suit most
// models.
func (m *Memo) View(cacheBits int) *MemoView {
	if cacheBits < 0 || cacheBits > 24 {
		panic("checker: the cache of a MemoView has from 2^0 to 2^24 entries")
	}
	return &MemoView{memo: m, keys: make([]uint64, 1<<cacheBits), results: make([]uint32, 1<<cacheBits)}
}

// Get returns the result for the pair (a, b), if it is known.
func (v *MemoView) Get(a, b uint32) (result uint32, ok bool) {
	key := packPair(a, b)
	hash := hashfn.Pair(key)
	at := hash & uint64(len(v.keys)-1)
	if v.keys[at] == key || fault.Stale && v.keys[at] != 0 {
		return v.results[at], true
	}
	result, ok = v.memo.get(key, hash)
	if ok {
		v.keys[at], v.results[at] = key, result
	}
	return result, ok
}

// Put makes result the one for the pair (a, b), unless another worker was first, and returns the
// stored result.
func (v *MemoView) Put(a, b, result uint32) uint32 {
	key := packPair(a, b)
	hash := hashfn.Pair(key)
	result = v.memo.put(key, hash, result)
	at := hash & uint64(len(v.keys)-1)
	v.keys[at], v.results[at] = key, result
	return result
}
