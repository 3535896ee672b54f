package checker

// bitset is a set of states.
type bitset []uint64

func newBitset(states uint32) bitset { return make(bitset, (uint64(states)+63)/64) }

func (b bitset) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) add(i uint32) { b[i/64] |= 1 << (i % 64) }
