package checker

import "slices"

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

// newGraph returns a graph of so many chunks that have no edges yet.
func newGraph(chunks int, finite []bool) *graph {
	return &graph{chunks: make([]links, chunks), finite: finite}
}

// edgeBuffer collects the links of a chunk before they are copied to their exact size.
type edgeBuffer links

// reset empties the buffer.
func (b *edgeBuffer) reset() {
	b.starts, b.targets, b.classes = b.starts[:0], b.targets[:0], b.classes[:0]
	b.reduced, b.ends, b.enabled = b.reduced[:0], b.ends[:0], b.enabled[:0]
}

// addReduced notes a state of which the reductions leave something out, with the classes that are enabled there.
func (b *edgeBuffer) addReduced(state uint32, enabled []uint16) {
	b.reduced = append(b.reduced, state)
	b.enabled = append(b.enabled, enabled...)
	b.ends = append(b.ends, uint32(len(b.enabled)))
}

// close ends the chunk and returns how many bytes it will take.
func (b *edgeBuffer) close() int {
	b.starts = append(b.starts, uint32(len(b.targets)))
	return 4*len(b.starts) + 6*len(b.targets) + 8*len(b.reduced) + 2*len(b.enabled)
}

// set copies what the buffer holds to a chunk of the graph.
func (g *graph) set(chunk int, b *edgeBuffer) {
	g.chunks[chunk] = links{
		slices.Clone(b.starts), slices.Clone(b.targets), slices.Clone(b.classes),
		slices.Clone(b.reduced), slices.Clone(b.ends), slices.Clone(b.enabled),
	}
}

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
