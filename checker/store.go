package checker

import (
	"hash/crc32"
	"math"
	"slices"
	"sync/atomic"
)

const (
	chunkBits   = 12
	chunkStates = 1 << chunkBits
	chunkMask   = chunkStates - 1

	// noState is the parent of an initial state, and generally no state at all.
	noState = math.MaxUint32

	// maxStates is how many states an index can name: the largest value is noState.
	maxStates = math.MaxUint32 - 1

	// keptBytes is how much of the sealed chunks stays in memory; the rest goes to disk.
	keptBytes = 4 << 20
)

// castagnoli is the polynomial that processors know.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// store is the log of the search: every state found, in the order of discovery, with its parent in the
// breadth-first tree. The search reads it once, in order; only paths and liveness come back to it. So a
// chunk is packed as soon as it is full, and most of them live on disk.
type store struct {
	width  int
	count  uint32
	roots  uint32 // the first so many states are initial and have no parent
	chunks []chunk
	free   []*rawChunk // for new chunks
	kept   atomic.Int64
	bytes  atomic.Int64 // of all sealed chunks, wherever they are
	sealed int          // the chunks before this one are
	spill  spill

	keepBytes int64 // how much of the sealed chunks stays in memory
	budget    *budget
}

// chunk is a run of states: raw while it is written to, sealed once it is full.
type chunk struct {
	raw  *rawChunk // nil if sealed
	data []byte    // nil if on disk
	at   int64     // on disk
	size int32
	sum  uint32 // of the data on disk
	base uint32 // what the first parent is told as the difference to
}

type rawChunk struct{ words, parents []uint32 }

// set writes a state within the room that was reserved.
func (s *store) set(i uint32, vector []uint32, parent uint32) {
	raw := s.chunks[i>>chunkBits].raw
	at := int(i & chunkMask)
	copy(raw.words[at*s.width:(at+1)*s.width], vector)
	raw.parents[at] = parent
}

// rawBytes is the size of a chunk that is written to.
func (s *store) rawBytes() int { return 4 * chunkStates * (s.width + 1) }

// reserve makes room for so many states in all. It reports false if the budget does not allow it.
func (s *store) reserve(states uint32) bool {
	for uint64(len(s.chunks))<<chunkBits < uint64(states) {
		var raw *rawChunk
		if n := len(s.free); n > 0 {
			raw, s.free = s.free[n-1], s.free[:n-1]
		} else {
			if !s.budget.take(s.rawBytes()) {
				return false
			}
			raw = &rawChunk{make([]uint32, chunkStates*s.width), make([]uint32, chunkStates)}
		}
		s.chunks = append(s.chunks, chunk{raw: raw})
	}
	return true
}

// full is how many chunks are to be sealed.
func (s *store) full() int { return int(s.count>>chunkBits) - s.sealed }

// seal packs the k-th chunk that is full. The chunks may be sealed at the same time; sealedAll follows.
// It reports false if the budget does not allow it.
func (s *store) seal(k int, buffer *[]byte) bool {
	c := &s.chunks[s.sealed+k]
	first := uint32(s.sealed+k) << chunkBits
	parents := c.raw.parents
	for i := first; i < s.roots && i-first < chunkStates; i++ {
		parents[i-first] = 0 // no parent is not to be told
	}
	c.base = parents[0]
	*buffer = appendPacked((*buffer)[:0], s.width, c.raw.words, parents, c.base)
	return s.keep(c, *buffer)
}

// sealedAll takes back the buffers of the chunks that were sealed.
func (s *store) sealedAll(n int) {
	for i := range s.chunks[s.sealed : s.sealed+n] {
		c := &s.chunks[s.sealed+i]
		s.free = append(s.free, c.raw)
		c.raw = nil
	}
	s.sealed += n
}

// load returns the bytes of a sealed chunk, in the buffer if they come from disk.
func (s *store) load(c *chunk, buffer *[]byte) []byte {
	if c.data != nil {
		return c.data
	}
	*buffer = resize(*buffer, int(c.size))
	s.spill.read(*buffer, c.at, c.sum)
	return *buffer
}

// onDisk is how many bytes went to disk.
func (s *store) onDisk() uint64 { return uint64(s.spill.size.Load()) }

// inMemory is the size of what did not.
func (s *store) inMemory() uint64 {
	raw := len(s.chunks) - s.sealed + len(s.free)
	return uint64(s.kept.Load()) + uint64(raw*s.rawBytes())
}

// packTail packs the chunk that is not full.
func (s *store) packTail() (data []byte, base uint32) {
	n := int(s.count & chunkMask)
	if n == 0 {
		return appendPacked(nil, s.width, nil, nil, 0), 0
	}
	raw := s.chunks[s.sealed].raw
	parents := slices.Clone(raw.parents[:n])
	for i := range parents {
		if uint32(s.sealed<<chunkBits+i) < s.roots {
			parents[i] = 0
		}
	}
	return appendPacked(nil, s.width, raw.words[:n*s.width], parents, parents[0]), parents[0]
}

// restore appends a packed chunk of so many states: a full one, or the last. It reports false if the budget
// does not allow it.
func (s *store) restore(data []byte, base uint32, states int) bool {
	if states < chunkStates {
		if states == 0 {
			return true
		}
		if !s.reserve(uint32(s.sealed<<chunkBits + states)) {
			return false
		}
		var p packed
		p.unpack(data, s.width, states)
		vector := make([]uint32, s.width)
		for i, parent := range p.appendParents(nil, states, base) {
			p.vector(i, vector)
			s.set(uint32(s.sealed<<chunkBits+i), vector, parent)
		}
		return true
	}
	s.spill.open()
	s.chunks = append(s.chunks, chunk{base: base})
	s.sealed++
	return s.keep(&s.chunks[len(s.chunks)-1], data)
}

// keep puts a packed chunk on disk, or in memory as long as there is little of it or if the disk fails.
func (s *store) keep(c *chunk, data []byte) bool {
	c.size = int32(len(data))
	s.bytes.Add(int64(len(data)))
	if s.kept.Load()+int64(len(data)) > s.keepBytes {
		if at, ok := s.spill.write(data); ok {
			c.at, c.sum = at, crc32.Checksum(data, castagnoli)
			return true
		}
	}
	if !s.budget.take(len(data)) {
		return false
	}
	s.kept.Add(int64(len(data)))
	c.data = slices.Clone(data)
	return true
}

// chunkCount is how many chunks there are, the one that is not full among them.
func (s *store) chunkCount() int { return len(s.chunks) }

// sealedChunk is the size of a sealed chunk and what its first parent is told as the difference to.
func (s *store) sealedChunk(i int) (size int, base uint32) {
	return int(s.chunks[i].size), s.chunks[i].base
}

// read returns the bytes of a sealed chunk, in the buffer if they come from disk.
func (s *store) read(i int, buffer *[]byte) []byte { return s.load(&s.chunks[i], buffer) }

// mostPacked is how large a packed chunk can be.
func mostPacked(width int) int { return chunkStates*(4*width+10) + 5*width + packedSlack }
