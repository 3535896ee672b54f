package memory

import (
	"syscall"
	"unsafe"
)

const (
	mappedSlots = 1 << 10 // tables from this size on are mapped: 8 KiB
	hugeSlots   = 1 << 18 // tables from this size on request huge pages: 2 MiB
)

// GrowSlots returns a table of n slots that begins with those of the old one and continues with
// zeros. The old table must not be used any more. Large tables lie outside the heap of the runtime,
// which would retain the old ones until its next collection; and the system can enlarge them
// without a copy.
func GrowSlots(old []uint64, n int) []uint64 {
	if n < mappedSlots {
		return grownHeap(old, n)
	}
	var address uintptr
	var failed syscall.Errno
	moved := mapped(old)
	if moved {
		const mayMove = 1
		address, _, failed = syscall.Syscall6(syscall.SYS_MREMAP,
			uintptr(unsafe.Pointer(unsafe.SliceData(old))), bytesOf(len(old)), bytesOf(n), mayMove, 0, 0)
	} else {
		const access, private = syscall.PROT_READ | syscall.PROT_WRITE, syscall.MAP_ANON | syscall.MAP_PRIVATE
		address, _, failed = syscall.Syscall6(syscall.SYS_MMAP, 0, bytesOf(n), access, private, ^uintptr(0), 0)
	}
	if failed != 0 {
		slots := grownHeap(old, n)
		FreeSlots(old)
		return slots
	}
	// The memory is the system's. The rule that a pointer must not pass through an integer is for
	// the collector's sake and does not apply to it.
	slots := unsafe.Slice(*(**uint64)(unsafe.Pointer(&address)), n)
	if n >= hugeSlots {
		// This is advice: without it the table is slower, but correct.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, address, bytesOf(n), syscall.MADV_HUGEPAGE)
	}
	populate(address, bytesOf(len(old)), bytesOf(n))
	if !moved {
		copy(slots, old)
	}
	return slots
}

// populate has the system provide the pages of a table from an offset on, since all of them will
// soon be written. Otherwise the system provides each page twice: as a shared page of zeros when it
// is first read, and again when it is first written, which halts the other workers for a moment.
// Systems before Linux 5.14 ignore the request.
func populate(address, from, to uintptr) {
	const populateWrite = 23
	from &^= uintptr(syscall.Getpagesize()) - 1
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, address+from, to-from, populateWrite)
}

// grownHeap is GrowSlots on the heap. The odd capacity of a large table marks where it came from.
func grownHeap(old []uint64, n int) []uint64 {
	slots := make([]uint64, n, n+1)
	copy(slots, old)
	return slots
}

func bytesOf(slots int) uintptr { return 8 * uintptr(slots) }

// mapped reports whether a table lies outside the heap.
func mapped(slots []uint64) bool { return len(slots) >= mappedSlots && cap(slots) == len(slots) }

// FreeSlots returns a table to where it came from. It must not be used any more.
func FreeSlots(slots []uint64) {
	if !mapped(slots) {
		return
	}
	address := uintptr(unsafe.Pointer(unsafe.SliceData(slots)))
	if _, _, failed := syscall.Syscall(syscall.SYS_MUNMAP, address, bytesOf(len(slots)), 0); failed != 0 {
		panic("checker: free a table that is not mapped: " + failed.Error())
	}
}
