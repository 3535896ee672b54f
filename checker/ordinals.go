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
			s, at, known := e.visited.locate(h.keyer.keys[0])
			if !known {
				panic("checker: a state of the store is not in the visited set")
			}
			s.ordinals[at] = uint32(i)
		}
	})
}

// locate finds the slot of a key of one word.
func (v *visited) locate(key uint64) (s *shard, at int, known bool) {
	s = &v.shards[v.shardOf(key)]
	if s.size == 0 {
		return s, 0, false
	}
	at, known = v.slot(s, key, 0)
	return s, at, known
}

// ordinal returns the number of the state with a key.
func (v *visited) ordinal(key uint64) (uint32, bool) {
	s, at, known := v.locate(key)
	if !known {
		return noState, false
	}
	return s.ordinals[at], true
}
