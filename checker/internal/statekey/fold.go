package statekey

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker/internal/fault"
	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// PairTable gives each distinct pair of 32-bit numbers its own number. Which number depends on
// which pair comes first; equal numbers mean equal pairs, and no other use is made of them.
type PairTable struct {
	shards [pairShards]pairShard
	Bytes  atomic.Int64
	Full   atomic.Bool // a number would have been too large
}

const (
	pairShards = 64
	// maxPairs bounds the numbers within a shard, so that all numbers stay below 2^31.
	maxPairs = 1<<31/pairShards - 1
)

// pairShard is a table that readers probe without the lock. The number of a pair is written before
// its key, so a reader that sees the key sees the number.
type pairShard struct {
	table atomic.Pointer[pairSlots]
	lock  sync.Mutex
	used  int
	_     [64]byte // keeps the locks of neighbours apart
}

// pairSlots is a table of two words a slot: a pair plus 1, or 0 if the slot is free, accessed
// atomically; and the number of the pair.
type pairSlots []uint64

func (t pairSlots) size() int { return len(t) / 2 }

// number returns the number of a pair.
func (t *PairTable) number(pair uint64) uint32 {
	hash := hashfn.Pair(pair)
	n, ok := t.shards[hash%pairShards].number(pair+1, hash, maxPairs, &t.Bytes) // not 0: see topPair
	if !ok {
		t.Full.Store(true)
	}
	return n*pairShards + uint32(hash%pairShards)
}

// number returns the number of a key within the shard. It reports false if there are too many.
func (s *pairShard) number(key, hash uint64, most int, bytes *atomic.Int64) (uint32, bool) {
	if n, ok := s.table.Load().find(key, hash); ok {
		return n, true
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	table := s.table.Load()
	if n, ok := table.find(key, hash); ok {
		return n, true
	}
	if s.used >= most {
		return 0, false
	}
	if table == nil || 4*(s.used+1) > 3*table.size() {
		table = s.enlarge(table, bytes)
	}
	n := uint32(s.used)
	table.place(key, hash, n)
	s.used++
	return n, true
}

// len is the number of pairs.
func (t *PairTable) len() int {
	sum := 0
	for i := range t.shards {
		sum += t.shards[i].used
	}
	return sum
}

// touch loads the slot where the look-up of a pair begins.
func (t *PairTable) touch(pair uint64) uint64 {
	hash := hashfn.Pair(pair)
	table := t.shards[hash%pairShards].table.Load()
	if table == nil {
		return 0
	}
	return atomic.LoadUint64(&(*table)[2*hashfn.HomeSlot(uint32(hash>>32), table.size())])
}

// find looks a key up in a table that may be nil.
func (t *pairSlots) find(key, hash uint64) (uint32, bool) {
	if t == nil {
		return 0, false
	}
	slots := *t
	for at := hashfn.HomeSlot(uint32(hash>>32), slots.size()); ; at = (at + 1) & (slots.size() - 1) {
		switch atomic.LoadUint64(&slots[2*at]) {
		case key:
			return uint32(slots[2*at+1]), true
		case 0:
			return 0, false
		}
	}
}

// place writes a slot at the first free place from its home.
func (t pairSlots) place(key, hash uint64, number uint32) {
	at := hashfn.HomeSlot(uint32(hash>>32), t.size())
	for atomic.LoadUint64(&t[2*at]) != 0 {
		at = (at + 1) & (t.size() - 1)
	}
	t[2*at+1] = uint64(number)
	atomic.StoreUint64(&t[2*at], key)
}

// enlarge doubles the table of a shard.
func (s *pairShard) enlarge(old *pairSlots, bytes *atomic.Int64) *pairSlots {
	size := hashfn.MinTable
	if old != nil {
		size = 2 * old.size()
		bytes.Add(-int64(16 * old.size()))
	}
	slots := make(pairSlots, 2*size)
	if old != nil {
		for i := range old.size() {
			if key := (*old)[2*i]; key != 0 {
				slots.place(key, hashfn.Pair(key-1), uint32((*old)[2*i+1]))
			}
		}
	}
	bytes.Add(int64(16 * size))
	s.table.Store(&slots)
	return &slots
}

// leaf is a run of words, in the order of folding, that lie side by side in 32 bits.
type leaf struct {
	words []int
	lanes []lane
}

// newLeaves groups words that need a number of bits. Each gets one more, if possible, for numbers
// that grow.
func newLeaves(order []int, need []uint8) []leaf {
	var leaves []leaf
	for at := 0; at < len(order); {
		sum, from := 0, at
		var bits []uint8
		for at < len(order) && (at == from || sum+int(need[order[at]])+1 <= 32) {
			n := min(need[order[at]]+1, 32)
			bits = append(bits, n)
			sum += int(n)
			at++
		}
		leaves = append(leaves, leaf{order[from:at], lanesOf(order[from:at], spread(bits, 32))})
	}
	return leaves
}

// Order is the order of the words in the leaves.
func (l *Layout) Order() []int {
	var order []int
	for _, leaf := range l.Leaves {
		order = append(order, leaf.words...)
	}
	return order
}

// folder folds vectors, for one goroutine and many at a time. Successors of one state differ in few
// words, so a small cache has most of the pairs. The others are looked up together, so that the
// processor waits for all of them at once.
type folder struct {
	pairs  *PairTable
	leaves []leaf
	nodes  []node
	root   node
	over   uint32     // bits that did not fit into a leaf
	leaf   []uint32   // of one vector
	values [][]uint32 // by leaf and then by node: the numbers of all vectors
	missed []int      // vectors whose pair the cache does not know
	warmed uint64     // result of touch, kept so that the reads are not optimised away
	cache  []cachedPair
	mixer  hashfn.Mixer
}

// cachedPair is a pair plus 1, or 0, and its number.
type cachedPair struct {
	key    uint64
	number uint32
}

// node is a pair in the tree over the leaves, which halves them and each half again. Its parts are
// indexes: first come the leaves, then the nodes.
type node struct{ a, b int }

// halve appends the nodes over the leaves [from, to) and returns the index of the last.
func (f *folder) halve(from, to int) int {
	if to-from == 1 {
		return from
	}
	n := f.split(from, to)
	f.nodes = append(f.nodes, n)
	return len(f.leaves) + len(f.nodes) - 1
}

func (f *folder) split(from, to int) node {
	middle := from + (to-from+1)/2
	a := f.halve(from, middle)
	return node{a, f.halve(middle, to)}
}

const (
	folderBits  = 13
	folderCache = 1 << folderBits
)

func NewFolder(pairs *PairTable, leaves []leaf) *folder {
	f := &folder{pairs: pairs, leaves: leaves, cache: make([]cachedPair, folderCache),
		mixer: hashfn.NewMixer(DirectBits)}
	if len(leaves) > 1 { // always, where a direct key does not suffice
		f.root = f.split(0, len(leaves))
	}
	return f
}

// topPair is the number of the one pair whose key would look like a free slot. No other pair has
// it.
const topPair = 1<<31 - 1

// cached is the slot of a pair in the cache.
func (f *folder) cached(pair uint64) *cachedPair {
	return &f.cache[hashfn.Pair(pair)>>(64-folderBits)&(folderCache-1)]
}

// pair returns the number of a pair, from the cache if it is there.
func (f *folder) pair(a, b uint32) uint32 {
	pair := uint64(a)<<32 | uint64(b)
	if pair == math.MaxUint64 {
		return topPair
	}
	c := f.cached(pair)
	if c.key == pair+1 || fault.Stale && c.key != 0 {
		return c.number
	}
	c.number = f.pairs.number(pair)
	c.key = pair + 1
	return c.number
}

// make fills keys with those of the vectors. It reports false if some word does not fit its leaf,
// or if there are too many pairs. The first part of a key is the number of a pair, below 2^31; if
// there are only two leaves, it is made one.
func (f *folder) make(keys []uint64, words []uint32, width int) bool {
	f.over = 0
	f.arrange(len(keys))
	for i := range keys {
		f.leaf = f.pack(f.leaf[:0], words[i*width:(i+1)*width])
		for l, value := range f.leaf {
			f.values[l][i] = value
		}
	}
	for n := range f.nodes {
		f.foldAll(f.values[f.nodes[n].a], f.values[f.nodes[n].b], f.values[len(f.leaves)+n])
	}
	as, bs := f.values[f.root.a], f.values[f.root.b]
	for i := range keys {
		a := as[i]
		if len(f.leaves) == 2 {
			a = f.pair(a, 0)
		}
		keys[i] = f.mixer.Mix(uint64(a)<<32 | uint64(bs[i]))
	}
	return f.over == 0 && !f.pairs.Full.Load()
}

// arrange makes room for the numbers of the given number of vectors.
func (f *folder) arrange(vectors int) {
	if f.values == nil {
		f.values = make([][]uint32, len(f.leaves)+len(f.nodes))
	}
	for i := range f.values {
		f.values[i] = memory.Resize(f.values[i], vectors)
	}
}

// foldAll numbers the pairs of one node for all vectors.
func (f *folder) foldAll(as, bs, numbers []uint32) {
	missed, sum := f.missed[:0], uint64(0)
	for i, a := range as {
		pair := uint64(a)<<32 | uint64(bs[i])
		if c := f.cached(pair); c.key == pair+1 && c.key != 0 {
			numbers[i] = c.number
		} else {
			missed = append(missed, i)
			sum += f.pairs.touch(pair)
		}
	}
	for _, i := range missed {
		numbers[i] = f.pair(as[i], bs[i])
	}
	f.missed, f.warmed = missed, sum
}

// pack appends the leaves of a vector.
func (f *folder) pack(dst, vector []uint32) []uint32 {
	over := f.over
	for i := range f.leaves {
		l := &f.leaves[i]
		sum, wide := packLanes(l.lanes, vector)
		over |= wide
		dst = append(dst, uint32(sum))
	}
	f.over = over
	return dst
}

// fold appends the leaves of a vector and the numbers of all its pairs.
func (f *folder) fold(dst, vector []uint32) []uint32 {
	dst = f.pack(dst, vector)
	for _, n := range f.nodes {
		dst = append(dst, f.pair(dst[n.a], dst[n.b]))
	}
	return dst
}
