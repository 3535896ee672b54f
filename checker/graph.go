package checker

import "slices"

// graph holds the transitions between all states, in the Expand order of each, so that the place of an
// edge among those of its state is its action. It is divided like the store.
type graph struct{ chunks []links }

// links are the edges of one chunk of states.
type links struct {
	starts  []uint32 // by state of the chunk: its first edge; one more entry for the end
	targets []uint32
	classes []uint16
}

// edgeBuffer collects the links of a chunk before they are copied to their exact size.
type edgeBuffer links

// edges returns where the transitions of a state lead to and their classes.
func (g *graph) edges(state uint32) (targets []uint32, classes []uint16) {
	c := &g.chunks[state>>chunkBits]
	at := state & chunkMask
	from, to := c.starts[at], c.starts[at+1]
	return c.targets[from:to], c.classes[from:to]
}

// link builds the graph by expanding every state once more. It returns nil if the check must end.
func (e *engine) link() *graph {
	e.phase = Linking
	if !e.enumerate() {
		return nil
	}
	e.queue = uint64(e.states.count)
	g := &graph{chunks: make([]links, len(e.states.chunks))}
	const batch = 64 // chunks between two looks at the limits
	for from := 0; from < len(g.chunks); from += batch {
		n := min(batch, len(g.chunks)-from)
		ok := e.crew.each(n, false, func(h *hand, task int) { e.linkChunk(h, g, from+task) })
		switch {
		case !ok:
			return nil
		case e.cancelled():
			e.haltCancelled()
			return nil
		case e.lostSuccessor():
			e.fault = &ContractError{"a state had a new successor when expanded again"}
			return nil
		case !e.weigh():
			return nil
		}
		e.queue -= min(e.queue, batch*chunkStates)
		e.pulse()
	}
	return g
}

// lostSuccessor reports whether a hand met a successor that the search had not found.
func (e *engine) lostSuccessor() bool {
	return slices.ContainsFunc(e.crew.hands, func(h *hand) bool { return h.lost })
}

// linkChunk builds one chunk of the graph.
func (e *engine) linkChunk(h *hand, g *graph, chunk int) {
	if e.cancelled() {
		return
	}
	first := uint32(chunk) << chunkBits
	last := uint32(min(uint64(first)+chunkStates, uint64(e.states.count)))
	b := &h.edges
	b.starts, b.targets, b.classes = b.starts[:0], b.targets[:0], b.classes[:0]
	for i := first; i < last; i++ {
		h.state = i
		b.starts = append(b.starts, uint32(len(b.targets)))
		h.out.Reset()
		state := h.cursor.vector(i)
		h.worker.Expand(state, &h.out)
		if !h.keyer.make(h.out.words, e.states.width) {
			h.lost = true
			return
		}
		for _, key := range h.keyer.keys {
			target, ok := e.visited.ordinal(key)
			h.lost = h.lost || !ok
			b.targets = append(b.targets, target)
		}
		b.classes = append(b.classes, h.out.classes...)
	}
	b.starts = append(b.starts, uint32(len(b.targets)))
	if e.budget.take(4*len(b.starts) + 6*len(b.targets)) {
		g.chunks[chunk] = links{slices.Clone(b.starts), slices.Clone(b.targets), slices.Clone(b.classes)}
	}
}
