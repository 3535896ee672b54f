//go:build !linux

package checker

// growSlots returns a table of so many slots that begins with those of the old one and goes on with zeros.
func growSlots(old []uint64, n int) []uint64 {
	slots := make([]uint64, n)
	copy(slots, old)
	return slots
}

// freeSlots returns a table; here the collector sees to it.
func freeSlots([]uint64) {}
