package model

import (
	"sync"
	"sync/atomic"
)

// arena holds short lists that never change their place. A list is named by the id of its first
// element; 0 is that of no list.
type arena[T any] struct {
	rows   rows[T]
	lock   sync.Mutex // held while a lot is handed out
	blocks uint32
	memory atomic.Uint64
}

const (
	// blockSize is how many elements are handed out at a time. No row of the table ends in the midst of
	// a lot.
	blockSize = rowUnit
	// maxList is the most elements that a list may have: the first lot is one short.
	maxList = blockSize - 1
	// maxBlocks is how many lots there can be, so that ids have no more bits than a place keeps of
	// them.
	maxBlocks = 1 << (64 - listAt) / blockSize
)

// block is the part of an arena that one goroutine fills.
type block[T any] struct {
	arena     *arena[T]
	next, end uint32
}

// keep makes a list in the arena with the elements of another.
func (l *block[T]) keep(list []T) uint32 {
	n := uint32(len(list))
	if n > l.end-l.next {
		l.next = l.arena.more()
		l.end = l.next - l.next%blockSize + blockSize
	}
	id := l.next
	copy(l.arena.rows.run(id, len(list)), list)
	l.next += n
	return id
}

// more hands out a lot.
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

// each calls visit for all elements of the lots that were handed out.
func (a *arena[T]) each(visit func(*T)) {
	for id := range a.blocks * blockSize {
		visit(a.rows.at(id))
	}
}
