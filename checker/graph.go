package checker

import (
	"fmt"
	"slices"
)

// graph holds the transitions between all states, in the Expand order of each, so that the place of an
// edge among those of its state is its action. It is divided like the store.
type graph struct {
	chunks []links
	finite []bool // by class: [Class.Finite]
}

// links are the edges of one chunk of states.
type links struct {
	starts  []uint32 // by state of the chunk: its first edge; one more entry for the end
	targets []uint32
	classes []uint16
	// Of the states of which the reductions leave something out: in ascending order, with all the classes that are
	// enabled there.
	reduced []uint32
	ends    []uint32 // by reduced state: where its part of enabled ends
	enabled []uint16
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

// enabled returns the classes that are enabled in a state, whether or not they were explored there.
func (g *graph) enabled(state uint32) []uint16 {
	c := &g.chunks[state>>chunkBits]
	if i, ok := slices.BinarySearch(c.reduced, state); ok {
		from := uint32(0)
		if i > 0 {
			from = c.ends[i-1]
		}
		return c.enabled[from:c.ends[i]]
	}
	_, classes := g.edges(state)
	return classes
}

// ends reports whether a run may end in a state.
func (g *graph) ends(state uint32) bool {
	return !slices.ContainsFunc(g.enabled(state), func(class uint16) bool { return !g.finite[class] })
}

// lasting returns the first edge from a state to a target that a run may take for ever, -1 if there is none.
func (g *graph) lasting(from, to uint32) int {
	targets, classes := g.edges(from)
	for i, target := range targets {
		if target == to && !g.finite[classes[i]] {
			return i
		}
	}
	return -1
}

// link builds the graph by expanding every state once more. It returns nil if the check must end.
func (e *engine) link() *graph {
	e.phase = Linking
	if !e.enumerate() {
		return nil
	}
	e.queue = uint64(e.states.count)
	g := &graph{chunks: make([]links, len(e.states.chunks)), finite: e.finite()}
	const stretch = 64 // chunks between two looks at the limits
	for from := 0; from < len(g.chunks); from += stretch {
		n := min(stretch, len(g.chunks)-from)
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
	b.starts, b.targets, b.classes = b.starts[:0], b.targets[:0], b.classes[:0]
	b.reduced, b.ends, b.enabled = b.reduced[:0], b.ends[:0], b.enabled[:0]
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
	b.starts = append(b.starts, uint32(len(b.targets)))
	if e.budget.take(4*len(b.starts) + 6*len(b.targets) + 8*len(b.reduced) + 2*len(b.enabled)) {
		g.chunks[chunk] = links{
			slices.Clone(b.starts), slices.Clone(b.targets), slices.Clone(b.classes),
			slices.Clone(b.reduced), slices.Clone(b.ends), slices.Clone(b.enabled),
		}
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
	b := &h.edges
	b.reduced = append(b.reduced, i)
	b.enabled = append(b.enabled, h.hidden.classes...)
	b.ends = append(b.ends, uint32(len(b.enabled)))
}
