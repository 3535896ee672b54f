package statekey

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
)

// Grouped keys are equal if and only if the vectors are.
func TestGroupedKeysTellVectorsApart(t *testing.T) {
	for width := 3; width <= 9; width++ {
		r := rand.New(rand.NewPCG(uint64(width), 1))
		need := slices.Repeat([]uint8{uint8(40 / width)}, width)
		g, ok := newGroup([]int{width - 1, 0}, need)
		require.True(t, ok)
		g.idBits = 14
		k := Keyer{Layout: g.layout(Demand{need, need}, CompactFrom)}
		require.Equal(t, Grouped, k.Layout.Kind)
		requireInjective(t, r, &k, width, 1<<(40/width)-1)
	}
}

// Values that do not fit are reported: a word of the group, another word, and an id of the group.
func TestAGroupedLayoutSaysWhatDoesNotFit(t *testing.T) {
	layoutOf := func() Keyer {
		words := []int{0, 2}
		g := &group{words: words, lanes: lanesOf(words, []uint8{3, 3}), idBits: 2, Table: &groupTable{}}
		return Keyer{Layout: Layout{Kind: Grouped, Group: g, rest: lanesOf([]int{1}, []uint8{4}),
			mixer: hashfn.NewMixer(43)}}
	}
	for _, fits := range [][]uint32{{7, 15, 7}, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}} {
		k := layoutOf()
		assert.True(t, k.Make(fits, 3), "%v", fits)
	}
	for _, over := range [][]uint32{{8, 0, 0}, {0, 16, 0}, {0, 0, math.MaxUint32},
		{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0}} {
		k := layoutOf()
		assert.False(t, k.Make(over, 3), "%v", over)
	}
}
