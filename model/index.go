package model

import (
	"math/bits"
	"sync"
	"sync/atomic"
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
