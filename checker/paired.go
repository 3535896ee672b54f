package checker

// A paired key is exact like a direct one and takes two words: each packs about half of the words of a vector.
// Halves take few values each, so where a key lies in the set must depend on both: the first is mixed with a
// hash of the second. That is one to one, since the second is there to undo it.

// wide reports whether keys take two words.
func (l *layout) wide() bool { return l.kind == paired || l.kind == hashed128 }

// newPaired splits the words where their needs are most alike. It reports false if they do not fit into two
// halves.
func newPaired(need []uint8) (layout, bool) {
	total := 0
	for _, n := range need {
		total += int(n)
	}
	half, sum := 0, 0
	for half < len(need) && 2*sum+int(need[half]) <= total {
		sum += int(need[half])
		half++
	}
	if max(sum, total-sum) > directBits {
		return layout{}, false
	}
	bits := append(spread(need[:half], directBits), spread(need[half:], directBits)...)
	return layout{kind: paired, bits: bits, half: half}, true
}

// packPair makes the paired key of a vector. The 1 that leads the first half is at the top of the word, where the
// hash has no bit, so that no first half is 0.
func (l *layout) packPair(vector []uint32) (first, second, over uint64) {
	const top = uint64(1) << directBits
	a, overA := packBits(l.bits, vector[:l.half])
	b, overB := packBits(l.bits[l.half:], vector[l.half:])
	return mix((a | top) ^ hashPair(b)&^top), b, overA | overB
}

func (k *keyer) makePaired(words []uint32, width int) bool {
	k.second = resize(k.second, len(k.keys))
	all := uint64(0)
	for i := range k.keys {
		first, second, over := k.layout.packPair(words[:width])
		words = words[width:]
		all |= over
		k.keys[i], k.second[i] = first, second
	}
	return all == 0
}
