package checker

import (
	"syscall"
	"unsafe"
)

const (
	mappedSlots = 1 << 15 // tables from this size on are mapped: 256 KiB
	hugeSlots   = 1 << 18 // and from this size on huge pages are asked for: 2 MiB
)

// allocSlots returns a table of zeros. Large ones lie outside the heap of the runtime, which would keep what
// is outgrown until its next collection, as much again as is in use.
func allocSlots(n int) []uint64 {
	if n < mappedSlots {
		return make([]uint64, n)
	}
	const access = syscall.PROT_READ | syscall.PROT_WRITE
	p, err := syscall.Mmap(-1, 0, 8*n, access, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]uint64, n, n+1) // the odd capacity tells freeSlots where it came from
	}
	if n >= hugeSlots {
		// Advice, not a demand: without it the table is slower and no less right.
		_ = syscall.Madvise(p, syscall.MADV_HUGEPAGE)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(p))), n)
}

// freeSlots returns a table to where it came from. Nobody may look at it any more.
func freeSlots(slots []uint64) {
	if len(slots) < mappedSlots || cap(slots) != len(slots) {
		return
	}
	p := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slots))), 8*len(slots))
	if err := syscall.Munmap(p); err != nil {
		panic("checker: a table was given back that was not mapped: " + err.Error())
	}
}
