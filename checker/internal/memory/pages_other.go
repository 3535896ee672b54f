//go:build !linux

package memory

// GrowSlots returns a table of n slots that begins with those of the old one and continues with
// zeros.
func GrowSlots(old []uint64, n int) []uint64 {
	slots := make([]uint64, n)
	copy(slots, old)
	return slots
}

// FreeSlots returns a table; the garbage collector frees it.
func FreeSlots([]uint64) {}
