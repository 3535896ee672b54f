package checker

// locate finds the slot of the key of the i-th vector that was given to a keyer.
func (v *visited) locate(k *keyer, i int) (s *shard, at int, known bool) {
	key, second := k.keys[i], uint64(0)
	s = &v.shards[v.shardOf(key)]
	if s.size == 0 {
		return s, 0, false
	}
	if v.wide {
		second = k.second[i]
	}
	at, known = s.find(key, second, v.bits)
	return s, at, known
}

// ordinal returns the number of the state with the i-th key of a keyer.
func (v *visited) ordinal(k *keyer, i int) (uint32, bool) {
	s, at, known := v.locate(k, i)
	if !known {
		return 0, false
	}
	return s.ordinals[at], true
}

// touch loads the slots that the look-ups of a keyer's keys begin at, and the ordinals beside them: all of them under way
// at once.
func (v *visited) touch(k *keyer) {
	sum := uint64(0)
	for _, key := range k.keys {
		s := &v.shards[v.shardOf(key)]
		if s.size > 0 {
			at := home(key, v.bits, uint64(s.size))
			sum += uint64(s.table[at*s.stride]) + uint64(s.ordinals[at])
		}
	}
	k.warmed = sum
}

// allotOrdinals makes room for the number of a state beside each key. It reports false if the budget does not allow it.
func (v *visited) allotOrdinals() bool {
	for i := range v.shards {
		s := &v.shards[i]
		if !v.budget.take(4 * s.size) {
			return false
		}
		s.ordinals = make([]uint32, s.size)
	}
	return true
}

// setOrdinal writes the number of a state beside its key, which is the keyer's first, and reports whether that is in the set.
func (v *visited) setOrdinal(k *keyer, n uint32) bool {
	s, at, known := v.locate(k, 0)
	if known {
		s.ordinals[at] = n
	}
	return known
}
