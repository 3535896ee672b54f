package checker

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// loom walks over a square grid of the given size. Two words are the coordinates, in numbers of 27
// bits. Eight more words follow from the first coordinate alone; from a given column on they follow
// from both, and then take many values together.
type loom struct{ size, from uint32 }

const loomWidth = 10

func (m loom) vector(x, y uint32, v []uint32) {
	v[0], v[1] = x*250_007, y*250_007
	for i := range uint32(loomWidth - 2) {
		v[2+i] = (x / 20 * (i + 1)) % 31
		if x >= m.from {
			v[2+i] = (x + y*(i+1)) % 61
		}
	}
}

func (m loom) Width() int                   { return loomWidth }
func (m loom) Initial(add func([]uint32))   { v := make([]uint32, loomWidth); m.vector(0, 0, v); add(v) }
func (m loom) NewWorker() Worker            { return m }
func (m loom) Classes() []Class             { return []Class{{Name: "across"}, {Name: "along"}} }
func (m loom) Properties() []Property       { return []Property{{Name: "Far", Shape: Sometimes}} }
func (m loom) Holds(_ int, s []uint32) bool { return s[0] == (m.size-1)*250_007 && s[1] == s[0] }
func (m loom) Triggers(int, []uint32) bool  { return false }
func (m loom) Quiescent([]uint32) bool      { return false }
func (m loom) QuiescentEnd([]uint32) bool   { return true }
func (m loom) Expand(s []uint32, o *Successors) {
	x, y := s[0]/250_007, s[1]/250_007
	if x+1 < m.size {
		m.vector(x+1, y, o.Add(0))
	}
	if y+1 < m.size {
		m.vector(x, y+1, o.Add(1))
	}
}

// Words that take few values together are one number in the key, as long as they do. The states are
// the same.
func TestWordsThatGoTogetherShareANumber(t *testing.T) {
	const size = 500
	for _, test := range []struct {
		from uint32
		kind statekey.Kind
	}{{size, statekey.Grouped}, {size - 150, statekey.Paired}} {
		for workers := 1; workers <= 2; workers++ {
			t.Run(fmt.Sprint(test.from, " ", workers), func(t *testing.T) {
				e, err := newSearch(context.Background(), loom{size, test.from}, Options{Workers: workers})
				require.NoError(t, err)
				defer e.engine.close()
				e.run()
				assert.Equal(t, test.kind, e.layout.Kind)
				assert.EqualValues(t, size*size, e.states.Count)
				assert.EqualValues(t, 2*size*(size-1), e.transitions)
				assert.Equal(t, Holds, e.findings[0].verdict)
			})
		}
	}
}
