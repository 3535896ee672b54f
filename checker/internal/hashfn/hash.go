package hashfn

import (
	"encoding/binary"
	"math/bits"
)

// The multipliers are large odd numbers.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xd6e8feb86659fd93
	mixC = 0xa0761d6478bd642f
)

// fold multiplies and folds the halves of the product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// folded hashes a state vector in another way than seeded.
func folded(seed uint64, words []uint32) uint64 {
	h := uint64(len(words)) ^ seed
	for len(words) >= 2 {
		h = fold(h^(uint64(words[0])|uint64(words[1])<<32)^mixA, mixB)
		words = words[2:]
	}
	if len(words) == 1 {
		h = fold(h^uint64(words[0])^mixA, mixB)
	}
	return fold(h^mixB, mixA)
}

// Mix maps 64 bits to 64 bits one to one, and 0 to 0.
func Mix(x uint64) uint64 {
	x = (x ^ x>>32) * mixB
	x = (x ^ x>>29) * mixA
	return x ^ x>>32
}

// Mixer maps numbers of n bits, with n from 32 to 63, one to one to the n leading bits of a word,
// followed by a 1.
type Mixer struct {
	top, mark   uint64
	below, half uint8
}

func NewMixer(bits int) Mixer {
	below := uint8(64 - bits)
	return Mixer{top: ^uint64(0) << below, mark: 1 << below >> 1, below: below, half: uint8(bits / 2)}
}

// Bits is how many bits the numbers have.
func (m *Mixer) Bits() int { return 64 - int(m.below) }

func (m *Mixer) Mix(x uint64) uint64 {
	half := m.half & 63
	x <<= m.below & 63
	x = (x ^ x>>half&m.top) * mixB
	x = (x ^ x>>half&m.top) * mixA
	return x ^ x>>half&m.top | m.mark
}

// seeded hashes a state vector. Each step is one to one for given words, so no entropy is lost.
func seeded(seed uint64, words []uint32) uint64 {
	h := seed ^ uint64(len(words))
	for len(words) >= 2 {
		h = Mix(h^(uint64(words[0])|uint64(words[1])<<32)) + mixC
		words = words[2:]
	}
	if len(words) == 1 {
		h = Mix(h^uint64(words[0])) + mixC
	}
	return Mix(h)
}

// Bytes hashes an encoding.
func Bytes(p []byte) uint64 {
	h := uint64(len(p)) ^ mixC
	for len(p) >= 8 {
		h = fold(h^binary.LittleEndian.Uint64(p)^mixA, mixB)
		p = p[8:]
	}
	var tail uint64
	for i, c := range p {
		tail |= uint64(c) << (8 * i)
	}
	h = fold(h^tail^mixA, mixB)
	return fold(h^mixB, mixA)
}

// Pair hashes a pair of ids in one word.
func Pair(key uint64) uint64 { return fold(key^mixA, mixB) }

// MinTable is the size of the smallest hash table. All sizes are powers of two.
const MinTable = 16

// HomeSlot is where a fingerprint belongs in a table of the given size, according to its leading
// bits. Hence a table can be enlarged without access to the values of its slots.
func HomeSlot(fingerprint uint32, size int) int {
	return int(uint64(fingerprint) * uint64(size) >> 32)
}

// Fingerprint64 is a hash value of a state vector. It is never 0.
func Fingerprint64(seed uint64, words []uint32) uint64 {
	return max(seeded(seed^mixC, words), 1)
}

// Fingerprint128 is a hash value in two independent halves. The first is never 0.
func Fingerprint128(seed uint64, words []uint32) (first, second uint64) {
	return Fingerprint64(seed, words), folded(Mix(seed^mixA), words)
}
