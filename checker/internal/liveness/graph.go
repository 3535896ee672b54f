package liveness

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// Graph holds the transitions between all states, in the Expand order of each, so that the index of
// an edge among those of its state is its action. It is divided into chunks like the log.
type Graph struct {
	chunks []links
	marks  Marks
}

// Marks say of each class what a run need not do.
type Marks struct {
	Finite []bool // a run takes its actions only finitely often
	Idle   []bool // a run may end although its actions are enabled
}

// links are the edges of one chunk of states.
type links struct {
	Starts  []uint32 // by state of the chunk: its first edge; one more entry for the end
	Targets []uint32
	Classes []uint16
	// The states for which the reductions leave something out, in ascending order, with all the
	// classes that are enabled there.
	reduced []uint32
	ends    []uint32 // by reduced state: where its part of enabled ends
	enabled []uint16
}

// NewGraph returns a graph with the given number of chunks, which have no edges yet.
func NewGraph(chunks int, marks Marks) *Graph {
	return &Graph{chunks: make([]links, chunks), marks: marks}
}

// Buffer collects the links of a chunk before they are copied to their exact size.
type Buffer links

// Reset empties the buffer.
func (b *Buffer) Reset() {
	b.Starts, b.Targets, b.Classes = b.Starts[:0], b.Targets[:0], b.Classes[:0]
	b.reduced, b.ends, b.enabled = b.reduced[:0], b.ends[:0], b.enabled[:0]
}

// AddReduced records a state for which the reductions leave something out, with the classes that
// are enabled there.
func (b *Buffer) AddReduced(state uint32, enabled []uint16) {
	b.reduced = append(b.reduced, state)
	b.enabled = append(b.enabled, enabled...)
	b.ends = append(b.ends, uint32(len(b.enabled)))
}

// Close ends the chunk and returns how many bytes it will take in the graph.
func (b *Buffer) Close() int {
	b.Starts = append(b.Starts, uint32(len(b.Targets)))
	return 4*len(b.Starts) + 6*len(b.Targets) + 8*len(b.reduced) + 2*len(b.enabled)
}

// Set copies what the buffer holds to a chunk of the graph.
func (g *Graph) Set(chunk int, b *Buffer) {
	g.chunks[chunk] = links{
		slices.Clone(b.Starts), slices.Clone(b.Targets), slices.Clone(b.Classes),
		slices.Clone(b.reduced), slices.Clone(b.ends), slices.Clone(b.enabled),
	}
}

// edges returns the targets of the transitions of a state, and their classes.
func (g *Graph) edges(state uint32) (targets []uint32, classes []uint16) {
	c := &g.chunks[state>>statelog.ChunkBits]
	at := state & statelog.ChunkMask
	from, to := c.Starts[at], c.Starts[at+1]
	return c.Targets[from:to], c.Classes[from:to]
}

// enabled returns the classes that are enabled in a state, whether or not they were explored there.
func (g *Graph) enabled(state uint32) []uint16 {
	c := &g.chunks[state>>statelog.ChunkBits]
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
func (g *Graph) ends(state uint32) bool {
	return !slices.ContainsFunc(g.enabled(state), func(class uint16) bool { return !g.marks.Idle[class] })
}

// lasting returns the first edge from a state to a target that a run may take forever, -1 if there
// is none.
func (g *Graph) lasting(from, to uint32) int {
	targets, classes := g.edges(from)
	for i, target := range targets {
		if target == to && !g.marks.Finite[classes[i]] {
			return i
		}
	}
	return -1
}
