package statekey

import (
	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// A paired key is exact like a direct one and takes two words: each packs about half of the words
// of a vector. Halves take few values each, so the position of a key in the set must depend on
// both: the first is mixed with a hash of the second. That is one to one, since the second is
// stored and can undo it.

// Wide reports whether keys take two words.
func (l *Layout) Wide() bool { return l.Kind == Paired || l.Kind == Fingerprint128 }

// newPaired splits the words where the halves need about the same number of bits. It reports false
// if they do not fit into two halves.
func newPaired(need []uint8) (Layout, bool) {
	total := 0
	for _, n := range need {
		total += int(n)
	}
	half, sum := 0, 0
	for half < len(need) && 2*sum+int(need[half]) <= total {
		sum += int(need[half])
		half++
	}
	if max(sum, total-sum) > DirectBits {
		return Layout{}, false
	}
	bits := append(spread(need[:half], DirectBits), spread(need[half:], DirectBits)...)
	return Layout{Kind: Paired, bits: bits, half: half}, true
}

// packPair makes the paired key of a vector. The 1 that leads the first half is at the top of the
// word, where the hash has no bit, so that no first half is 0.
func (l *Layout) packPair(vector []uint32) (first, second, over uint64) {
	const top = uint64(1) << DirectBits
	a, overA := packBits(l.bits, vector[:l.half])
	b, overB := packBits(l.bits[l.half:], vector[l.half:])
	return hashfn.Mix((a | top) ^ hashfn.Pair(b)&^top), b, overA | overB
}

func (k *Keyer) makePaired(words []uint32, width int) bool {
	k.Second = memory.Resize(k.Second, len(k.Keys))
	all := uint64(0)
	for i := range k.Keys {
		first, second, over := k.Layout.packPair(words[:width])
		words = words[width:]
		all |= over
		k.Keys[i], k.Second[i] = first, second
	}
	return all == 0
}
