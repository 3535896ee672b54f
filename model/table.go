package model

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// index is a hash table from the content of an item to its id. The owner stores the items and
// hashes them. Reads take no lock, and writers hold it. An entry is written after its item, so a
// reader that sees the entry sees the item.
type index struct {
	table  atomic.Pointer[[]uint32] // id+1, 0 if free; accessed atomically
	lock   sync.Mutex
	memory atomic.Uint64
	count  atomic.Uint32
}

// leastIndex is the size of the smallest table. All sizes are powers of two.
const leastIndex = 16

// find returns the id of the item with this hash value for which same is true.
func (x *index) find(hash uint32, same func(id uint32) bool) (uint32, bool) {
	table := x.table.Load()
	if table == nil {
		return 0, false
	}
	entries := *table
	for at := home(hash, len(entries)); ; at = (at + 1) & (len(entries) - 1) {
		entry := atomic.LoadUint32(&entries[at])
		if entry == 0 || same(entry-1) {
			return entry - 1, entry != 0
		}
	}
}

// add enters the next id. The caller holds the lock and has stored the item.
func (x *index) add(hash uint32, hashOf func(id uint32) uint32) {
	id := x.count.Load()
	table := x.table.Load()
	if table == nil || 4*(int(id)+1) > 3*len(*table) {
		table = x.enlarge(table, hashOf)
	}
	enter(*table, hash, id)
	x.count.Store(id + 1)
}

// enlarge replaces the table by one of twice the size. Readers of the old table may miss later
// items and find them under the lock.
func (x *index) enlarge(old *[]uint32, hashOf func(id uint32) uint32) *[]uint32 {
	size, before := leastIndex, 0
	if old != nil {
		size, before = 2*len(*old), len(*old)
	}
	entries := make([]uint32, size)
	for id := range x.count.Load() {
		enter(entries, hashOf(id), id)
	}
	x.memory.Add(uint64(4 * (size - before)))
	x.table.Store(&entries)
	return &entries
}

// enter puts an id at the first free entry from its home.
func enter(entries []uint32, hash, id uint32) {
	at := home(hash, len(entries))
	for atomic.LoadUint32(&entries[at]) != 0 {
		at = (at + 1) & (len(entries) - 1)
	}
	atomic.StoreUint32(&entries[at], id+1)
}

// home returns the position of a hash value in a table of the given size.
func home(hash uint32, size int) int { return int(uint64(hash) * uint64(size) >> 32) }

// hashPair hashes two words.
func hashPair(a, b uint32) uint32 {
	hi, lo := bits.Mul64((uint64(a)<<32|uint64(b))^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return uint32((hi ^ lo) >> 32)
}

// rows is a growing table of values with dense ids from 0. Row k has rowUnit<<k values, so no value
// ever moves, and its address stays valid.
//
// The owner makes rows under a lock before it publishes an id in them, so readers need no lock.
type rows[T any] struct{ row [rowCount][]T }

const (
	rowBits  = 8
	rowUnit  = 1 << rowBits
	rowCount = 32 - rowBits + 1
)

// rowOf locates an id: row k begins at rowUnit<<k - rowUnit.
func rowOf(id uint32) (row int, at uint64) {
	n := uint64(id) + rowUnit
	row = bits.Len64(n) - 1 - rowBits
	return row, n - rowUnit<<(row&63)
}

// at returns the value of an id.
func (r *rows[T]) at(id uint32) *T {
	row, at := rowOf(id)
	return &r.row[row][at]
}

// run returns the values of n consecutive ids, which must be in one row. Without values it reads no
// row: that of the id need not be made.
func (r *rows[T]) run(id uint32, n int) []T {
	if n == 0 {
		return nil
	}
	row, at := rowOf(id)
	return r.row[row][at : at+uint64(n) : at+uint64(n)]
}

// make allocates the row of an id if it has none, and returns the bytes that it allocated.
func (r *rows[T]) make(id uint32) int {
	row, _ := rowOf(id)
	if r.row[row] != nil {
		return 0
	}
	r.row[row] = make([]T, rowUnit<<row)
	var one T
	return len(r.row[row]) * int(unsafe.Sizeof(one))
}

// arena holds short lists that never move. The id of a list is that of its first element, and never
// 0. An empty list has no element and the id 0.
type arena[T any] struct {
	rows   rows[T]
	lock   sync.Mutex // held while a block is handed out
	blocks uint32
	memory atomic.Uint64
}

const (
	// blockSize is the number of elements that are handed out at a time. No block spans two rows of
	// the table.
	blockSize = rowUnit
	// maxList is the length of the longest possible list: the first block is one element short.
	maxList = blockSize - 1
	// maxBlocks bounds the blocks, so that an id fits into the bits that a place has for it.
	maxBlocks = 1 << (64 - listAt) / blockSize
)

// block is the part of an arena that one goroutine fills.
type block[T any] struct {
	arena     *arena[T]
	next, end uint32
}

// keep copies a list into the arena and returns its id, which is 0 for an empty list. A block that
// is full or was never filled has no element for it, and another goroutine may be making the row at
// its end.
func (l *block[T]) keep(list []T) uint32 {
	n := uint32(len(list))
	if n == 0 {
		return 0
	}
	if n > l.end-l.next {
		l.next = l.arena.more()
		l.end = l.next - l.next%blockSize + blockSize
	}
	id := l.next
	copy(l.arena.rows.run(id, len(list)), list)
	l.next += n
	return id
}

// more hands out a block and returns its first id.
func (a *arena[T]) more() uint32 {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.blocks == maxBlocks {
		panic("model: an arena is full")
	}
	id := a.blocks * blockSize
	a.blocks++
	a.memory.Add(uint64(a.rows.make(id)))
	return max(id, 1) // 0 names no list
}

// each calls visit for all elements of the blocks that were handed out.
func (a *arena[T]) each(visit func(*T)) {
	for id := range a.blocks * blockSize {
		visit(a.rows.at(id))
	}
}

// nodeSet is a set of nodes, a bit each.
type nodeSet uint16

// set adds a node to the set or removes it.
func (s *nodeSet) set(node int, in bool) {
	bit := nodeSet(1) << node
	*s &^= bit
	if in {
		*s |= bit
	}
}

// each calls visit for the nodes in ascending order, until it returns false.
func (s nodeSet) each(visit func(node int) bool) {
	for ; s != 0; s &= s - 1 {
		if !visit(bits.TrailingZeros16(uint16(s))) {
			return
		}
	}
}
