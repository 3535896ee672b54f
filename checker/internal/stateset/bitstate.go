package stateset

import (
	"math"

	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// A bitstate set keeps four bits for each state, all in one cache line, and considers a state known
// if they are set. It never grows, so it never runs out of memory. The fuller it is, the more new
// states it considers known.

const (
	lineWords = 8 // 64 bytes
	lineBits  = 64 * lineWords
	stateBits = 4
)

// Allot gives the shards of a bitstate set their share of the bytes, at least a line each.
func (v *Set) Allot(bytes uint64) bool {
	lines := max(int(bytes/8/lineWords)/len(v.shards), 1)
	for i := range v.shards {
		if !v.budget.Take(8 * lines * lineWords) {
			return false
		}
		s := &v.shards[i]
		s.slots, s.size = memory.GrowSlots(nil, lines*lineWords), lines
	}
	return true
}

// addBits adds a key to a bitstate set and reports whether it was not known. The line is chosen by
// the leading bits of the key, the bits in it by the trailing ones.
func (s *shard) addBits(key uint64, bits uint) bool {
	at := home(key, bits, uint64(s.size)) * lineWords
	line := s.slots[at : at+lineWords : at+lineWords]
	fresh := 0
	for range stateBits {
		bit := key & (lineBits - 1)
		key >>= 9
		mask := uint64(1) << (bit & 63)
		if line[bit>>6]&mask == 0 {
			line[bit>>6] |= mask
			fresh++
		}
	}
	s.used += fresh
	return fresh > 0
}

// hasBits reports whether a bitstate set considers a key known.
func (s *shard) hasBits(key uint64, bits uint) bool {
	at := home(key, bits, uint64(s.size)) * lineWords
	for range stateBits {
		bit := int(key & (lineBits - 1))
		if s.slots[at+bit>>6]&(1<<(bit&63)) == 0 {
			return false
		}
		key >>= 9
	}
	return true
}

// admitBits admits the candidates of a shard that some blocks have to a bitstate set.
func (v *Set) admitBits(s *shard, number int, blocks []*Block) {
	sum := uint64(0)
	for _, b := range blocks {
		for _, key := range b.part(number) {
			sum += s.slots[home(key, v.Bits, uint64(s.size))*lineWords]
		}
	}
	for _, b := range blocks {
		keys := b.part(number)
		for i, key := range keys {
			if s.addBits(key, v.Bits) {
				keys[i] = freshKey
			}
		}
	}
	s.warmed = sum
}

// Mistaken estimates how likely the set is to consider a new state known: the fourth power of how
// full the line is, which varies from line to line with the number of states in it. That number is
// nearly a Poisson variable, so the mean of its fourth power is known.
func (v *Set) Mistaken() float64 {
	sum := 0.0
	for i := range v.shards {
		fill := float64(v.shards[i].used) / float64(lineBits*v.shards[i].size)
		mean := -math.Log1p(-min(fill, 0.999)) * lineBits / stateBits // states in a line
		if mean > 0 {
			sum += min(math.Pow(fill, stateBits)*(1+6/mean+7/(mean*mean)+1/(mean*mean*mean)), 1)
		}
	}
	return sum / float64(len(v.shards))
}
