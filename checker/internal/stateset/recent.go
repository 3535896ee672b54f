package stateset

import (
	"github.com/canvass-grid/canvass/checker/internal/fault"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// Recent is a cache of the keys that a worker saw last. Independent actions lead to the same state
// in any order, so most successors that are not new were found recently, and need no look-up in the
// set.
//
// It does not affect the result. A worker goes through its blocks in ascending order. So a key in
// the cache belongs to a candidate that comes earlier in the order of the round, or of a round
// before, and of equal candidates only the first can be fresh. When a round is given up, the cache
// is cleared.
type Recent struct {
	keys, second []uint64
	shift        uint
	picked       []uint32 // the result of pick
}

const (
	leastRecent = 8  // bits of the size
	mostRecent  = 15 // 256 KiB: the private cache of a core
)

// Fit resizes the cache for a number of states, and returns the number of bytes that it grew by.
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

// pick lists the keys that are not in the cache, and adds all of them. It appends to the block
// where those of each state end. It has no branches, so no access to memory waits for the one
// before.
func (r *Recent) pick(b *Block, keys []uint64, ends []int) []uint32 {
	r.picked = memory.Resize(r.picked, len(keys)+1)
	picked, remembered, shift := r.picked, r.keys, r.shift&63
	n, from, there := 0, 0, uint32(b.Len())
	for _, to := range ends {
		for i, key := range keys[from:to] {
			// The leading bits choose the shard; here other bits are as good, and cost no
			// multiplication.
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

// knownWide reports whether a key of two halves is in the cache, and adds it.
func (r *Recent) knownWide(key, second uint64) bool {
	at := key << 16 >> (r.shift & 63)
	if r.keys[at] == key && r.second[at] == second {
		return true
	}
	r.keys[at], r.second[at] = key, second
	return false
}
