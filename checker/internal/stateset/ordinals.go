package stateset

import "github.com/canvass-grid/canvass/checker/internal/statekey"

// locate finds the slot of the i-th key of a keyer.
func (v *Set) locate(k *statekey.Keyer, i int) (s *shard, at int, known bool) {
	key, second := k.Keys[i], uint64(0)
	s = &v.shards[v.shardOf(key)]
	if s.size == 0 {
		return s, 0, false
	}
	if v.Wide {
		second = k.Second[i]
	}
	at, known = s.find(key, second, v.Bits)
	return s, at, known
}

// Ordinal returns the number of the state with the i-th key of a keyer.
func (v *Set) Ordinal(k *statekey.Keyer, i int) (uint32, bool) {
	s, at, known := v.locate(k, i)
	if !known {
		return 0, false
	}
	return s.ordinals[at], true
}

// Touch loads the slots where the look-ups of a keyer's keys begin, and the ordinals beside them,
// all at once.
func (v *Set) Touch(k *statekey.Keyer) {
	sum := uint64(0)
	for _, key := range k.Keys {
		s := &v.shards[v.shardOf(key)]
		if s.size > 0 {
			at := home(key, v.Bits, uint64(s.size))
			sum += uint64(s.table[at*s.stride]) + uint64(s.ordinals[at])
		}
	}
	k.Warmed = sum
}

// AllotOrdinals makes room for the number of a state beside each key. It reports false if the
// budget does not allow it.
func (v *Set) AllotOrdinals() bool {
	for i := range v.shards {
		s := &v.shards[i]
		if !v.budget.Take(4 * s.size) {
			return false
		}
		s.ordinals = make([]uint32, s.size)
	}
	return true
}

// SetOrdinal writes the number of a state beside the first key of a keyer, and reports whether the
// set has it.
func (v *Set) SetOrdinal(k *statekey.Keyer, n uint32) bool {
	s, at, known := v.locate(k, 0)
	if known {
		s.ordinals[at] = n
	}
	return known
}
