package checker

import (
	"math"
	"sync"
	"sync/atomic"
)

// A pair table gives each distinct pair of 32-bit numbers a number of its own. Which number depends on
// who comes first; equal numbers mean equal pairs, and nothing else is made of them.
type pairTable struct {
	shards [pairShards]pairShard
	bytes  atomic.Int64
	full   atomic.Bool // a number would have been too large
}

const (
	pairShards = 64
	// maxPairs bounds the numbers within a shard, so that all numbers stay below 2^31.
	maxPairs = 1<<31/pairShards - 1
)

// pairShard is a table that readers probe without the lock. The number of a slot is written before its
// key, so who sees the key sees the number.
type pairShard struct {
	table atomic.Pointer[memoTable]
	lock  sync.Mutex
	used  int
	_     [64]byte // keeps the locks of neighbours apart
}

// number returns the number of a pair.
func (t *pairTable) number(pair uint64) uint32 {
	hash := hashPair(pair)
	s := &t.shards[hash%pairShards]
	key := pair + 1 // not 0: see topPair
	if n, ok := s.table.Load().find(key, hash); ok {
		return n
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	table := s.table.Load()
	if n, ok := table.find(key, hash); ok {
		return n
	}
	if s.used >= maxPairs {
		t.full.Store(true)
		return 0
	}
	if table == nil || 4*(s.used+1) > 3*len(table.keys) {
		table = t.enlarge(s, table)
	}
	n := uint32(s.used)*pairShards + uint32(hash%pairShards)
	table.place(key, hash, n)
	s.used++
	return n
}

// find looks a key up in a table that may be nil.
func (t *memoTable) find(key, hash uint64) (uint32, bool) {
	if t == nil {
		return 0, false
	}
	for at := homeSlot(uint32(hash>>32), len(t.keys)); ; at = (at + 1) & (len(t.keys) - 1) {
		switch atomic.LoadUint64(&t.keys[at]) {
		case key:
			return t.results[at], true
		case 0:
			return 0, false
		}
	}
}

// enlarge doubles the table of a shard.
func (t *pairTable) enlarge(s *pairShard, old *memoTable) *memoTable {
	size := minTable
	if old != nil {
		size = 2 * len(old.keys)
	}
	table := &memoTable{keys: make([]uint64, size), results: make([]uint32, size)}
	if old != nil {
		for i, key := range old.keys {
			if key != 0 {
				table.place(key, hashPair(key-1), old.results[i])
			}
		}
		t.bytes.Add(-int64(12 * len(old.keys)))
	}
	t.bytes.Add(int64(12 * size))
	s.table.Store(table)
	return table
}

// folder folds vectors, for one goroutine. Successors differ from their parent in few words, so most of
// the pairs are the parent's and need no look-up; a small cache answers for most of the others.
type folder struct {
	pairs  *pairTable
	parent []uint32 // the parent and all its pairs, level by level
	child  []uint32
	keys   []uint64 // the cache: a pair plus 1
	ids    []uint32
}

const (
	folderBits  = 13
	folderCache = 1 << folderBits
)

func newFolder(pairs *pairTable) *folder {
	return &folder{pairs: pairs, keys: make([]uint64, folderCache), ids: make([]uint32, folderCache)}
}

// topPair is the number of the one pair that would pass for a free slot. No other pair has it.
const topPair = 1<<31 - 1

// pair numbers a pair. The cache is asked first.
func (f *folder) pair(a, b uint32) uint32 {
	pair := uint64(a)<<32 | uint64(b)
	if pair == math.MaxUint64 {
		return topPair
	}
	at := hashPair(pair) >> (64 - folderBits)
	if f.keys[at] == pair+1 {
		return f.ids[at]
	}
	id := f.pairs.number(pair)
	f.keys[at], f.ids[at] = pair+1, id
	return id
}

// make fills keys with those of the vectors.
func (f *folder) make(keys []uint64, words []uint32, width int, parent []uint32) bool {
	f.parent = f.fold(f.parent[:0], parent)
	for i := range keys {
		keys[i] = f.key(words[i*width : (i+1)*width])
	}
	return !f.pairs.full.Load()
}

// fold appends a vector and all its pairs, until two numbers remain.
func (f *folder) fold(dst, vector []uint32) []uint32 {
	dst = append(dst, vector...)
	level := dst
	for len(level) > 2 {
		start := len(dst)
		for i := 0; i+1 < len(level); i += 2 {
			dst = append(dst, f.pair(level[i], level[i+1]))
		}
		if len(level)&1 == 1 {
			dst = append(dst, level[len(level)-1])
		}
		level = dst[start:]
	}
	return dst
}

// key folds a vector with the pairs of the parent at hand.
func (f *folder) key(vector []uint32) uint64 {
	dst := append(f.child[:0], vector...)
	from, n := 0, len(vector)
	for n > 2 {
		for i := from; i+1 < from+n; i += 2 {
			if dst[i] == f.parent[i] && dst[i+1] == f.parent[i+1] {
				dst = append(dst, f.parent[len(dst)])
				continue
			}
			dst = append(dst, f.pair(dst[i], dst[i+1]))
		}
		if n&1 == 1 {
			dst = append(dst, dst[from+n-1])
		}
		from, n = from+n, (n+1)/2
	}
	f.child = dst
	return f.root(dst[from], dst[from+1], len(vector))
}

// root makes the key of the last two numbers. The first is that of a pair, below 2^31, unless the vector
// has but two words; then it is made one.
func (f *folder) root(a, b uint32, width int) uint64 {
	if width == 2 {
		a = f.pair(a, 0)
	}
	return mix(1<<63 | uint64(a)<<32 | uint64(b))
}
