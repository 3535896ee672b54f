package statelog

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A packed chunk holds the vectors of consecutive states in as few bits as they need. Every word
// has its own least value and number of bits, so that all vectors have the same length and each can
// be read on its own. The parents follow. They never decrease: each is stored, as a varint, as the
// difference to the one before.
//
//	width times: least value (4 bytes), bits (1 byte)
//	the vectors, bit by bit, then packedSlack bytes, so that eight bytes can be read anywhere
//	the parents

const packedSlack = 8

// field is how a word is packed.
type field struct {
	least, mask uint32
	bits        int
}

// packed is a packed chunk that is ready to be read.
type packed struct {
	fields  []field
	stride  int // bits of a vector
	vectors []byte
	parents []byte
}

// appendPacked packs vectors, stored one after the other, and their parents. The first parent is
// stored as the difference to base.
func appendPacked(dst []byte, width int, words, parents []uint32, base uint32) []byte {
	states := len(parents)
	fields := measure(width, words)
	stride := 0
	for _, f := range fields {
		dst = binary.LittleEndian.AppendUint32(dst, f.least)
		dst = append(dst, byte(f.bits))
		stride += f.bits
	}
	dst = appendBits(dst, fields, words, stride*states)
	for _, p := range parents[:states] {
		dst = binary.AppendUvarint(dst, uint64(p-base))
		base = p
	}
	return dst
}

// appendBits appends the vectors, which take total bits, and the slack after them.
func appendBits(dst []byte, fields []field, words []uint32, total int) []byte {
	from, size := len(dst), (total+7)/8+packedSlack
	dst = slices.Grow(dst, size)[:from+size]
	to := dst[from:]
	acc, fill, width := uint64(0), 0, len(fields)
	for ; len(words) >= width; words = words[width:] {
		vector := words[:width]
		for i := range fields {
			f := &fields[i]
			acc |= uint64(vector[i]-f.least) << (fill & 63)
			fill += f.bits
			if fill >= 32 {
				binary.LittleEndian.PutUint32(to, uint32(acc))
				to = to[4:]
				acc >>= 32
				fill -= 32
			}
		}
	}
	clear(to)
	var last [8]byte
	binary.LittleEndian.PutUint64(last[:], acc)
	copy(to, last[:])
	return dst
}

// measure determines the packing of each word of vectors. It takes a few vectors at a time, which
// stay in the caches, and in these one word after the other.
func measure(width int, words []uint32) []field {
	const some = 128
	fields, most := make([]field, width), make([]uint32, width)
	for i := range fields {
		fields[i].least = math.MaxUint32
	}
	for len(words) > 0 {
		n := min(some*width, len(words))
		for i := range fields {
			fields[i].least, most[i] = extremes(words[i:n], width, fields[i].least, most[i])
		}
		words = words[n:]
	}
	for i := range fields {
		fields[i].bits = bits.Len32(most[i] - fields[i].least)
		fields[i].mask = uint32(1<<fields[i].bits - 1)
	}
	return fields
}

// extremes returns the least and the greatest of every stride-th word and of two given values.
func extremes(words []uint32, stride int, least, most uint32) (uint32, uint32) {
	for i := 0; i < len(words); i += stride {
		least, most = min(least, words[i]), max(most, words[i])
	}
	return least, most
}

// unpack prepares a packed chunk of the given number of states for reading, reusing p.
func (p *packed) unpack(data []byte, width, states int) {
	p.fields, p.stride = p.fields[:0], 0
	for range width {
		n := int(data[4])
		p.fields = append(p.fields, field{binary.LittleEndian.Uint32(data), uint32(1<<n - 1), n})
		p.stride += n
		data = data[5:]
	}
	end := (states*p.stride+7)/8 + packedSlack
	p.vectors, p.parents = data[:end], data[end:]
}

// vector reads the vector at an index into dst.
func (p *packed) vector(at int, dst []uint32) {
	pos := at * p.stride
	for i := range dst {
		f := &p.fields[i]
		eight := binary.LittleEndian.Uint64(p.vectors[pos>>3:])
		dst[i] = f.least + uint32(eight>>(pos&7))&f.mask
		pos += f.bits
	}
}

// appendParents appends the first n parents, given the base of the chunk.
func (p *packed) appendParents(parents []uint32, n int, base uint32) []uint32 {
	rest := p.parents
	for range n {
		step, size := binary.Uvarint(rest)
		base += uint32(step)
		parents = append(parents, base)
		rest = rest[size:]
	}
	return parents
}
