package checker

import (
	"fmt"
	"slices"
)

// link builds the graph by expanding every state once more. It returns nil if the check must end.
func (e *engine) link() *graph {
	e.phase = Linking
	if !e.enumerate() {
		return nil
	}
	e.queue = uint64(e.states.count)
	chunks := e.states.chunkCount()
	g := newGraph(chunks, e.finite())
	const stretch = 64 // chunks between two looks at the limits
	for from := 0; from < chunks; from += stretch {
		n := min(stretch, chunks-from)
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
		e.queue -= min(e.queue, stretch*chunkStates)
		e.pulse()
	}
	if class := e.miscounted(); class >= 0 {
		e.fault = &ContractError{fmt.Sprintf("states had other successors when expanded again: the number of actions of class %s is not what it was", e.classes[class].Name)}
		return nil
	}
	return g
}

// miscounted returns a class of which not so many transitions were met as in the search, or -1. Where successors are left out, those of the
// graph need not be those of the search.
func (e *engine) miscounted() int {
	if len(e.applied) > 0 {
		return -1
	}
	for class, n := range e.counts {
		for _, h := range e.crew.hands {
			n -= h.classes[class]
		}
		if n != 0 {
			return class
		}
	}
	return -1
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
	b.reset()
	for i := first; i < last; {
		h.out.Reset()
		for ; i < last && len(h.out.classes) < batch; i++ {
			b.starts = append(b.starts, uint32(len(b.targets)+len(h.out.classes)))
			e.linkOne(h, i)
		}
		if !h.keyer.make(h.out.words, e.states.width) {
			h.lost = true
			return
		}
		e.visited.touch(&h.keyer)
		for j := range h.keyer.keys {
			target, ok := e.visited.ordinal(&h.keyer, j)
			h.lost = h.lost || !ok
			b.targets = append(b.targets, target)
		}
		b.classes = append(b.classes, h.out.classes...)
		h.count()
	}
	if e.budget.take(b.close()) {
		g.set(chunk, b)
	}
}

// linkOne appends the successors of a state to those that the hand has, and notes what is enabled where not all of them
// are explored.
func (e *engine) linkOne(h *hand, i uint32) {
	h.state = i
	state := h.cursor.vector(i)
	h.out.mark()
	if !h.expand(state, &h.out) {
		return
	}
	h.hidden.Reset()
	h.worker.Expand(state, &h.hidden)
	h.edges.addReduced(i, h.hidden.classes)
}

// enumerate writes the number of each state beside its key, which the search has no use for and the
// graph of all states has. It reports false if the check must end. Keys are exact: see Options.Storage.
func (e *engine) enumerate() bool {
	if !e.visited.allotOrdinals() {
		return e.halt(StoppedByMemory)
	}
	return e.crew.each(e.states.chunkCount(), false, func(h *hand, task int) {
		first := uint64(task) << chunkBits
		for i := first; i < min(first+chunkStates, uint64(e.states.count)); i++ {
			state := h.cursor.vector(uint32(i))
			if !h.keyer.make(state, len(state)) {
				panic("checker: a state of the store has no key")
			}
			if !e.visited.setOrdinal(&h.keyer, uint32(i)) {
				panic("checker: a state of the store is not in the visited set")
			}
		}
	})
}
