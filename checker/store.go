package checker

import "math"

const (
	chunkBits   = 12
	chunkStates = 1 << chunkBits
	chunkMask   = chunkStates - 1

	// noState is the parent of an initial state, and generally no state at all.
	noState = math.MaxUint32

	// maxStates is how many states an index can name: the largest value is noState, and the visited set
	// stores each index plus one.
	maxStates = math.MaxUint32 - 1
)

// store keeps every state found, in the order of discovery, with its parent in the breadth-first tree.
// It grows by chunks and never moves a state, so that readers need no lock while it is not growing.
type store struct {
	width   int
	count   uint32
	vectors [][]uint32
	parents [][]uint32
	budget  *budget
}

// vector returns the words of a state. They must not be changed.
func (s *store) vector(i uint32) []uint32 {
	at := int(i&chunkMask) * s.width
	return s.vectors[i>>chunkBits][at : at+s.width : at+s.width]
}

// parent returns the state from which a state was found first, or noState.
func (s *store) parent(i uint32) uint32 { return s.parents[i>>chunkBits][i&chunkMask] }

// set writes a state within the room that was reserved.
func (s *store) set(i uint32, vector []uint32, parent uint32) {
	copy(s.vector(i), vector)
	s.parents[i>>chunkBits][i&chunkMask] = parent
}

// reserve makes room for so many states in all. It reports false if the budget does not allow it.
func (s *store) reserve(states uint32) bool {
	for uint64(len(s.vectors))<<chunkBits < uint64(states) {
		if !s.budget.take(4 * chunkStates * (s.width + 1)) {
			return false
		}
		s.vectors = append(s.vectors, make([]uint32, chunkStates*s.width))
		s.parents = append(s.parents, make([]uint32, chunkStates))
	}
	return true
}

// bytes is the size of the store.
func (s *store) bytes() uint64 {
	return uint64(len(s.vectors)) * 4 * chunkStates * uint64(s.width+1)
}
