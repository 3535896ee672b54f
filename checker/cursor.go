package checker

// cursor reads states from the store, for one goroutine. It keeps the chunk it read last, so that reading
// in order costs little more than unpacking.
type cursor struct {
	store  *store
	at     int // the chunk that is loaded, -1 if none
	chunk  packed
	buffer []byte
	words  []uint32

	parents []uint32 // of the chunk; none until they are asked for
}

func newCursor(s *store) cursor { return cursor{store: s, at: -1, words: make([]uint32, s.width)} }

// vector returns the words of a state, which are valid until the next call and must not be changed.
func (c *cursor) vector(i uint32) []uint32 {
	at := int(i & chunkMask)
	if raw := c.store.chunks[i>>chunkBits].raw; raw != nil {
		from := at * c.store.width
		return raw.words[from : from+c.store.width : from+c.store.width]
	}
	c.load(int(i >> chunkBits))
	c.chunk.vector(at, c.words)
	return c.words
}

// parent returns the state from which a state was found first, or noState.
func (c *cursor) parent(i uint32) uint32 {
	if i < c.store.roots {
		return noState
	}
	k := &c.store.chunks[i>>chunkBits]
	if k.raw != nil {
		return k.raw.parents[i&chunkMask]
	}
	c.load(int(i >> chunkBits))
	if len(c.parents) == 0 {
		c.parents = c.chunk.appendParents(c.parents, chunkStates, k.base)
	}
	return c.parents[i&chunkMask]
}

func (c *cursor) load(chunk int) {
	if c.at == chunk {
		return
	}
	k := &c.store.chunks[chunk]
	c.chunk.unpack(c.store.load(k, &c.buffer), c.store.width, chunkStates)
	c.at, c.parents = chunk, c.parents[:0]
}
