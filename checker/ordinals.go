package checker

// enumerate writes the number of each state beside its key, which the search has no use for and the
// graph of all states has. It reports false if the check must end. Keys are exact: see Options.Storage.
func (e *engine) enumerate() bool {
	for i := range e.visited.shards {
		s := &e.visited.shards[i]
		if !e.budget.take(4 * s.size) {
			return e.halt(StoppedByMemory)
		}
		s.ordinals = make([]uint32, s.size)
	}
	return e.crew.each(len(e.states.chunks), false, func(h *hand, task int) {
		first := uint64(task) << chunkBits
		for i := first; i < min(first+chunkStates, uint64(e.states.count)); i++ {
			state := h.cursor.vector(uint32(i))
			if !h.keyer.make(state, len(state)) {
				panic("checker: a state of the store has no key")
			}
			s, at, known := e.visited.locate(&h.keyer, 0)
			if !known {
				panic("checker: a state of the store is not in the visited set")
			}
			s.ordinals[at] = uint32(i)
		}
	})
}

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
		return noState, false
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
