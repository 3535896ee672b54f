package model

import (
	"sync"
	"sync/atomic"
)

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
