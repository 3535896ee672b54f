package stateset

import (
	"github.com/canvass-grid/canvass/checker/internal/fault"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// Recent remembers some of the keys that a hand met last. Actions that do not depend on each other lead to
// the same state in whatever order they are taken, so most successors that were found before were
// found a short while before, and need no look at the set.
//
// It changes nothing in the outcome. A hand goes through its blocks in ascending order. A key in recent
// therefore belongs to a candidate that comes earlier in the order of the round, or of a round before, and
// of equal candidates only the first can be fresh. When a round is given up, so is what recent learnt.
type Recent struct {
	keys, second []uint64
	shift        uint
	picked       []uint32 // the result of pick
}

const (
	leastRecent = 8  // bits of the size
	mostRecent  = 15 // 256 KiB: what a core has to itself
)

// Fit makes the cache as large as that many states deserve, and reports the bytes that it grew by.
func (r *Recent) Fit(states uint32, wide bool) int {
	size := max(len(r.keys), 1<<leastRecent)
	for uint64(size) < uint64(states)/2 && size < 1<<mostRecent {
		size *= 4
	}
	size = min(size, 1<<mostRecent)
	if size == len(r.keys) && wide == (r.second != nil) {
		return 0
	}
	before := len(r.keys) + len(r.second)
	r.keys, r.second = make([]uint64, size), nil
	if wide {
		r.second = make([]uint64, size)
	}
	r.shift = 64
	for 1<<(64-r.shift) < size {
		r.shift--
	}
	return 8 * (len(r.keys) + len(r.second) - before)
}

// Clear empties the cache.
func (r *Recent) Clear() {
	clear(r.keys)
	clear(r.second)
}

// pick lists which of the keys were not met not long ago, and remembers all. Where those of a state end, by ends, the block
// is told. Nothing is decided by a branch, so no look at the memory waits for the one before.
func (r *Recent) pick(b *Block, keys []uint64, ends []int) []uint32 {
	r.picked = memory.Resize(r.picked, len(keys)+1)
	picked, remembered, shift := r.picked, r.keys, r.shift&63
	n, from, there := 0, 0, uint32(b.Len())
	for _, to := range ends {
		for i, key := range keys[from:to] {
			// The leading bits choose the shard; here others are as good, and cost no multiplication.
			at := key << 16 >> shift
			before := remembered[at]
			remembered[at] = key
			picked[n] = uint32(from + i)
			if before != key && !(fault.Lost && key%4099 == 0) {
				n++
			}
		}
		b.Ends = append(b.Ends, there+uint32(n))
		from = to
	}
	return picked[:n]
}

// knownWide reports whether a key of two halves was met not long ago, and remembers it.
func (r *Recent) knownWide(key, second uint64) bool {
	at := key << 16 >> (r.shift & 63)
	if r.keys[at] == key && r.second[at] == second {
		return true
	}
	r.keys[at], r.second[at] = key, second
	return false
}
