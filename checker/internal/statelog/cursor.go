package statelog

// Cursor reads states from a log, for one goroutine. It keeps the chunk it read last, so that
// reading in order costs little more than unpacking.
type Cursor struct {
	store  *Log
	at     int // the chunk that is loaded, -1 if none
	chunk  packed
	buffer []byte
	words  []uint32

	parents []uint32 // of the chunk; empty until needed
}

func NewCursor(s *Log) Cursor { return Cursor{store: s, at: -1, words: make([]uint32, s.Width)} }

// Vector returns the words of a state, which are valid until the next call and must not be changed.
func (c *Cursor) Vector(i uint32) []uint32 {
	at := int(i & ChunkMask)
	if raw := c.store.chunks[i>>ChunkBits].raw; raw != nil {
		from := at * c.store.Width
		return raw.words[from : from+c.store.Width : from+c.store.Width]
	}
	c.load(int(i >> ChunkBits))
	c.chunk.vector(at, c.words)
	return c.words
}

// Parent returns the state from which a state was found first, or NoState.
func (c *Cursor) Parent(i uint32) uint32 {
	if i < c.store.Roots {
		return NoState
	}
	k := &c.store.chunks[i>>ChunkBits]
	if k.raw != nil {
		return k.raw.parents[i&ChunkMask]
	}
	c.load(int(i >> ChunkBits))
	if len(c.parents) == 0 {
		c.parents = c.chunk.appendParents(c.parents, ChunkStates, k.base)
	}
	return c.parents[i&ChunkMask]
}

func (c *Cursor) load(chunk int) {
	if c.at == chunk {
		return
	}
	k := &c.store.chunks[chunk]
	c.chunk.unpack(c.store.load(k, &c.buffer), c.store.Width, ChunkStates)
	c.at, c.parents = chunk, c.parents[:0]
}
