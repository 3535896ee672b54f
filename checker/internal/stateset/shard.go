package stateset

import (
	"encoding/binary"
	"unsafe"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// shard is a hash table with linear probing. The position of a key grows with the key, so that a
// larger table is filled in the order in which the old one is read, and any factor of growth will
// do.
//
// The position of a slot implies the first bits of its key, so these are not stored: the bits that
// choose the shard, and in a large table the bits that choose one of its regions. Regions are equal
// parts; a look-up that reaches the end of a region continues at its beginning. The lowest bit of a
// slot is set, so that no used slot is 0. Exact keys have no more bits than slots have room for
// (Layout.SlotBytes of package statekey), and fingerprints fit the largest slots.
type shard struct {
	slots []uint64 // the memory
	table []byte   // the same, except in a bitstate set
	format
	size     int // in slots
	least    int // the first size
	used     int
	fill     [mostRegions]int32 // by region: slots that are used
	fullest  int32              // the largest of them
	ordinals []uint32           // by slot, after the search and if needed

	warmed uint64   // result of touch, kept so that the reads are not optimised away
	_      [64]byte // keeps the counters of neighbours apart
}

const (
	mostRegions = 1 << statekey.PlaceBits / leastShards
	// regionFrom is the least number of slots of a region: the numbers of keys in much smaller
	// regions differ too much.
	regionFrom = 1 << 9
)

// format is how keys are stored in a table.
type format struct {
	bytes   int  // that a slot has for the first half of its key
	stride  int  // bytes of a slot
	regions uint // the number of bits that choose the region
}

// newFormat is the format of a larger table for a shard. If its keys are not spread over regions,
// there are no regions.
func (v *Set) newFormat(s *shard, size int) format {
	plain := format{bytes: 8, stride: 8}
	f := format{bytes: v.Bytes, stride: v.Bytes, regions: statekey.PlaceBits - v.Bits}
	if v.Wide {
		plain.stride += 8
		f.stride += 8
	}
	if size < regionFrom<<f.regions || s.regions != f.regions && !s.even(f, size) {
		return plain
	}
	return f
}

// home is where a key belongs in a table of the given size, in slots.
func home(key uint64, bits uint, size uint64) int {
	return int(key << (bits & 63) >> 32 * size >> 32)
}

// word is the part of the first half of a key that a slot stores.
func (f *format) word(key uint64, bits uint) uint64 {
	return key<<((bits+f.regions)&63)>>((64-8*f.bytes)&63) | 1
}

// key restores a key from a word in a region, except for the bits that choose the shard.
func (f *format) key(region int, word uint64, bits uint) uint64 {
	return (uint64(region)<<(64-f.regions) | word<<((64-8*f.bytes)&63)>>(f.regions&63)) >> (bits & 63)
}

// region is the index of the region of a key, 0 if there is only one.
func (f *format) region(key uint64, bits uint) int {
	return int(key << (bits & 63) >> 1 >> ((63 - f.regions) & 63))
}

// span is how many slots a region has.
func (s *shard) span() int { return s.size >> s.regions }

// at is the word of a slot, or 0 if it is free.
func (s *shard) at(slot int) uint64 {
	return readWord(s.table, slot*s.stride, s.bytes-4)
}

// readWord reads four bytes from an offset on, and four more from further bytes on; where they
// overlap they are the same. It reads nothing else: a read that overlaps with a recent write
// elsewhere would have to wait for it.
func readWord(table []byte, at, further int) uint64 {
	low, high := binary.LittleEndian.Uint32(table[at:]), binary.LittleEndian.Uint32(table[at+further:])
	return uint64(low) | uint64(high)<<(8*further&63)
}

// readLow reads the lower half of a word, which is 0 only if all of it is.
func readLow(table []byte, at int) uint32 { return binary.LittleEndian.Uint32(table[at:]) }

// writeWord is the inverse of readWord.
func writeWord(table []byte, at, further int, word uint64) {
	binary.LittleEndian.PutUint32(table[at:], uint32(word))
	binary.LittleEndian.PutUint32(table[at+further:], uint32(word>>(8*further&63)))
}

// second is the second half of the key in a slot, 0 if keys have none.
func (s *shard) second(slot int) uint64 {
	if !s.wide() {
		return 0
	}
	return binary.LittleEndian.Uint64(s.table[slot*s.stride+s.bytes:])
}

// put writes a slot.
func (s *shard) put(slot int, word, second uint64) {
	at := slot * s.stride
	writeWord(s.table, at, s.bytes-4, word)
	if s.wide() {
		binary.LittleEndian.PutUint64(s.table[at+s.bytes:], second)
	}
}

// wide reports whether keys have a second half.
func (f *format) wide() bool { return f.stride > f.bytes }

// touch loads the slots where the look-ups of a few keys begin. These loads do not depend on each
// other, so the processor waits for all of them at once, and the look-ups that follow need not
// wait.
func (s *shard) touch(keys []uint64, bits uint) {
	sum, size, stride, table := uint64(0), uint64(s.size), s.stride, s.table
	for _, key := range keys {
		sum += uint64(table[home(key, bits, size)*stride])
	}
	s.warmed = sum
}

// admit adds a few keys of one word, for which there is room, and marks new ones.
func (s *shard) admit(keys []uint64, bits uint) {
	f, table, size, span := s.format, s.table, uint64(s.size), s.span()*s.stride
	for i, key := range keys {
		at, word, region := home(key, bits, size)*f.stride, f.word(key, bits), f.region(key, bits)
		low, end := uint32(word), (region+1)*span
		for {
			there := readLow(table, at)
			if there == low && readWord(table, at, f.bytes-4) == word {
				break
			}
			if there == 0 {
				writeWord(table, at, f.bytes-4, word)
				s.count(region)
				keys[i] = freshKey
				break
			}
			if at += f.stride; at == end {
				at -= span
			}
		}
	}
}

// count records that one more slot of a region is used.
func (s *shard) count(region int) {
	s.used++
	s.fill[region]++
	s.fullest = max(s.fullest, s.fill[region])
}

// add adds one key, for which there is room, and reports whether it is new.
func (s *shard) add(key, second uint64, bits uint) bool {
	at, known := s.find(key, second, bits)
	if known {
		return false
	}
	s.put(at, s.word(key, bits), second)
	s.count(s.region(key, bits))
	return true
}

// find finds a key, or the slot where it would go.
func (s *shard) find(key, second uint64, bits uint) (at int, known bool) {
	word, end := s.word(key, bits), (s.region(key, bits)+1)*s.span()
	for at = home(key, bits, uint64(s.size)); ; {
		switch there := s.at(at); {
		case there == 0:
			return at, false
		case there == word && s.second(at) == second:
			return at, true
		}
		if at++; at == end {
			at -= s.span()
		}
	}
}

// view makes the memory of a table accessible by bytes.
func (s *shard) view() {
	s.table = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.slots))), 8*len(s.slots))
}
