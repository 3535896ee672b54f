package statelog

import (
	"hash/crc32"
	"math"
	"slices"
	"sync/atomic"

	"github.com/canvass-grid/canvass/checker/internal/memory"
)

const (
	ChunkBits   = 12
	ChunkStates = 1 << ChunkBits
	ChunkMask   = ChunkStates - 1

	// NoState is the parent of an initial state, and stands for no state in general.
	NoState = math.MaxUint32

	// MaxStates is how many states an index can name: the largest value is NoState.
	MaxStates = math.MaxUint32 - 1

	// KeptBytes is how many bytes of the sealed chunks stay in memory; the rest goes to disk.
	KeptBytes = 4 << 20
)

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Log is the log of a search: see the package comment.
type Log struct {
	Width  int
	Count  uint32
	Roots  uint32 // the number of initial states, which come first and have no parent
	chunks []chunk
	free   []*rawChunk // for new chunks
	kept   atomic.Int64
	bytes  atomic.Int64 // of all sealed chunks, in memory or on disk
	Sealed int          // the chunks before this one are sealed
	Spill  Spill

	KeepBytes int64 // how many bytes of the sealed chunks stay in memory
	Budget    *memory.Budget
}

// chunk is a run of states: raw while it is written, sealed once it is full.
type chunk struct {
	raw  *rawChunk // nil if sealed
	data []byte    // nil if on disk
	at   int64     // on disk
	size int32
	sum  uint32 // of the data on disk
	base uint32 // the first parent is stored as the difference to it
}

type rawChunk struct{ words, parents []uint32 }

// Set writes a state within the room that was reserved.
func (s *Log) Set(i uint32, vector []uint32, parent uint32) {
	raw := s.chunks[i>>ChunkBits].raw
	at := int(i & ChunkMask)
	copy(raw.words[at*s.Width:(at+1)*s.Width], vector)
	raw.parents[at] = parent
}

// rawBytes is the size of a chunk that is written to.
func (s *Log) rawBytes() int { return 4 * ChunkStates * (s.Width + 1) }

// Reserve makes room for the given number of states in all. It reports false if the budget does not
// allow it.
func (s *Log) Reserve(states uint32) bool {
	for uint64(len(s.chunks))<<ChunkBits < uint64(states) {
		var raw *rawChunk
		if n := len(s.free); n > 0 {
			raw, s.free = s.free[n-1], s.free[:n-1]
		} else {
			if !s.Budget.Take(s.rawBytes()) {
				return false
			}
			raw = &rawChunk{make([]uint32, ChunkStates*s.Width), make([]uint32, ChunkStates)}
		}
		s.chunks = append(s.chunks, chunk{raw: raw})
	}
	return true
}

// Full is the number of chunks ready to be sealed.
func (s *Log) Full() int { return int(s.Count>>ChunkBits) - s.Sealed }

// Seal packs the k-th chunk that is full. Chunks may be sealed concurrently; SealedAll follows. It
// reports false if the budget does not allow it.
func (s *Log) Seal(k int, buffer *[]byte) bool {
	c := &s.chunks[s.Sealed+k]
	first := uint32(s.Sealed+k) << ChunkBits
	parents := c.raw.parents
	for i := first; i < s.Roots && i-first < ChunkStates; i++ {
		parents[i-first] = 0 // NoState is not stored
	}
	c.base = parents[0]
	*buffer = appendPacked((*buffer)[:0], s.Width, c.raw.words, parents, c.base)
	return s.keep(c, *buffer)
}

// SealedAll reclaims the buffers of the chunks that were sealed.
func (s *Log) SealedAll(n int) {
	for i := range s.chunks[s.Sealed : s.Sealed+n] {
		c := &s.chunks[s.Sealed+i]
		s.free = append(s.free, c.raw)
		c.raw = nil
	}
	s.Sealed += n
}

// load returns the bytes of a sealed chunk, in the buffer if they come from disk.
func (s *Log) load(c *chunk, buffer *[]byte) []byte {
	if c.data != nil {
		return c.data
	}
	*buffer = memory.Resize(*buffer, int(c.size))
	s.Spill.read(*buffer, c.at, c.sum)
	return *buffer
}

// OnDisk is how many bytes went to disk.
func (s *Log) OnDisk() uint64 { return uint64(s.Spill.size.Load()) }

// InMemory is how many bytes are in memory.
func (s *Log) InMemory() uint64 {
	raw := len(s.chunks) - s.Sealed + len(s.free)
	return uint64(s.kept.Load()) + uint64(raw*s.rawBytes())
}

// PackTail packs the chunk that is not full.
func (s *Log) PackTail() (data []byte, base uint32) {
	n := int(s.Count & ChunkMask)
	if n == 0 {
		return appendPacked(nil, s.Width, nil, nil, 0), 0
	}
	raw := s.chunks[s.Sealed].raw
	parents := slices.Clone(raw.parents[:n])
	for i := range parents {
		if uint32(s.Sealed<<ChunkBits+i) < s.Roots {
			parents[i] = 0
		}
	}
	return appendPacked(nil, s.Width, raw.words[:n*s.Width], parents, parents[0]), parents[0]
}

// Restore appends a packed chunk of the given number of states: a full one, or the last. It reports
// false if the budget does not allow it.
func (s *Log) Restore(data []byte, base uint32, states int) bool {
	if states < ChunkStates {
		if states == 0 {
			return true
		}
		if !s.Reserve(uint32(s.Sealed<<ChunkBits + states)) {
			return false
		}
		var p packed
		p.unpack(data, s.Width, states)
		vector := make([]uint32, s.Width)
		for i, parent := range p.appendParents(nil, states, base) {
			p.vector(i, vector)
			s.Set(uint32(s.Sealed<<ChunkBits+i), vector, parent)
		}
		return true
	}
	s.Spill.Open()
	s.chunks = append(s.chunks, chunk{base: base})
	s.Sealed++
	return s.keep(&s.chunks[len(s.chunks)-1], data)
}

// keep puts a packed chunk on disk, or in memory if there is little of it or if the disk fails.
func (s *Log) keep(c *chunk, data []byte) bool {
	c.size = int32(len(data))
	s.bytes.Add(int64(len(data)))
	if s.kept.Load()+int64(len(data)) > s.KeepBytes {
		if at, ok := s.Spill.write(data); ok {
			c.at, c.sum = at, crc32.Checksum(data, castagnoli)
			return true
		}
	}
	if !s.Budget.Take(len(data)) {
		return false
	}
	s.kept.Add(int64(len(data)))
	c.data = slices.Clone(data)
	return true
}

// ChunkCount is the number of chunks, including the one under way.
func (s *Log) ChunkCount() int { return len(s.chunks) }

// SealedChunk is the size of a sealed chunk and the base of its first parent.
func (s *Log) SealedChunk(i int) (size int, base uint32) {
	return int(s.chunks[i].size), s.chunks[i].base
}

// Read returns the bytes of a sealed chunk, in the buffer if they come from disk.
func (s *Log) Read(i int, buffer *[]byte) []byte { return s.load(&s.chunks[i], buffer) }

// MostPacked bounds the size of a packed chunk.
func MostPacked(width int) int { return ChunkStates*(4*width+10) + 5*width + packedSlack }
