package liveness

import "math/bits"

// bitset is a set of states.
type bitset []uint64

func newBitset(states uint32) bitset { return make(bitset, (uint64(states)+63)/64) }

func (b bitset) has(i uint32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) Add(i uint32) { b[i/64] |= 1 << (i % 64) }

// each calls f for every member, in ascending order.
func (b bitset) each(f func(i uint32)) {
	for at, word := range b {
		for ; word != 0; word &= word - 1 {
			f(uint32(at*64 + bits.TrailingZeros64(word)))
		}
	}
}
