package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
)

// carousel resembles a protocol of a few processes with few messages in flight: two successors a
// state, each of which changes two or three of twelve words, and words with values of some
// thousands and more, like ids of components. Six processes stand in a ring, each in one of a
// number of phases. The process that has the turn, or the next one, enters its next phase and
// passes the turn on. The first six words are the phases, the others each process's view of its
// neighbour; the last holds the turn as well.
type carousel struct{ phases uint32 }

const riders = 6

func (m carousel) Width() int { return 2 * riders }
func (m carousel) Initial(add func([]uint32)) {
	add(m.vector([riders]uint32{}, 0, make([]uint32, 2*riders)))
}
func (m carousel) NewWorker() checker.Worker    { return m }
func (m carousel) Classes() []checker.Class     { return []checker.Class{{Name: "this"}, {Name: "next"}} }
func (m carousel) Triggers(int, []uint32) bool  { return false }
func (m carousel) Quiescent([]uint32) bool      { return false }
func (m carousel) QuiescentEnd([]uint32) bool   { return true }
func (m carousel) Holds(p int, s []uint32) bool { return p == 0 || s[0] == phaseIDs && s[1] == 0 }

func (m carousel) Properties() []checker.Property {
	return []checker.Property{
		{Name: "agreement", Shape: checker.Always}, {Name: "first alone", Shape: checker.Sometimes},
	}
}

// phaseIDs and knownIDs spread the values of words over a range in which most are unused.
const phaseIDs, knownIDs = 9973, 1301

func (m carousel) vector(phase [riders]uint32, turn uint32, v []uint32) []uint32 {
	for i, p := range phase {
		v[i] = p * phaseIDs
		v[riders+i] = (p*m.phases + phase[(i+1)%riders]) * knownIDs
	}
	v[2*riders-1] = v[2*riders-1]*riders + turn
	return v
}

func (m carousel) Expand(state []uint32, out *checker.Successors) {
	var phase [riders]uint32
	for i := range phase {
		phase[i] = state[i] / phaseIDs
	}
	turn := state[2*riders-1] % riders
	for class := range uint32(2) {
		next, mover := phase, (turn+class)%riders
		next[mover] = (next[mover] + 1) % m.phases
		m.vector(next, (mover+1)%riders, out.Add(int(class)))
	}
}

func TestCarouselCounts(t *testing.T) {
	r := check(t, carousel{phases: 4}, everything)
	assert.Equal(t, uint64(6*4*4*4*4*4*4), r.States, "every process in every phase, with every turn")
	assert.Equal(t, 2*r.States, r.Transitions)
}
