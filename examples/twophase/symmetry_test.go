package twophase_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/twophase"
)

// The numbers of orbits are known from a tool that tries all permutations.
func TestOrbits(t *testing.T) {
	for managers, orbits := range map[int]uint64{5: 314, 7: 920, 8: 1_461} {
		m, err := twophase.New(managers)
		require.NoError(t, err)
		r, err := checker.Check(context.Background(), m, checker.Options{Reduce: true})
		require.NoError(t, err)
		assert.Equal(t, []string{"symmetry"}, r.Reductions)
		assert.Equal(t, orbits, r.States, "%d managers", managers)
		assert.Equal(t, checker.Holds, r.Verdict())
	}
}

// Paths are runs of the model, not of the orbits.
func TestPathsOfOrbitsAreRuns(t *testing.T) {
	m, err := twophase.New(4)
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), m, checker.Options{Reduce: true})
	require.NoError(t, err)
	out := checker.NewSuccessors(m.Width())
	for _, o := range r.Outcomes[1:3] {
		steps := o.Path.Steps
		for i, step := range steps[1:] {
			out.Reset()
			m.Expand(steps[i].State, out)
			assert.Equal(t, step.State, slices.Clone(out.At(step.Action)))
		}
	}
}

// Canonical returns the same state for all states of an orbit.
func TestCanonicalIsOneForAnOrbit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, twophase.MaxManagers).Draw(t, "managers")
		m, err := twophase.New(n)
		require.NoError(t, err)
		order := rapid.Permutation(numbers(n)).Draw(t, "order")
		one, other := []uint32{0, 0}, []uint32{0, 0}
		for i := range n {
			for _, bit := range []struct{ word, at int }{{0, 0}, {0, 16}, {1, 0}, {1, 15}} {
				if rapid.Bool().Draw(t, "bit") {
					one[bit.word] |= 1 << (bit.at + i)
					other[bit.word] |= 1 << (bit.at + order[i])
				}
			}
		}
		m.Canonical(one)
		m.Canonical(other)
		require.Equal(t, one, other)
		again := slices.Clone(one)
		m.Canonical(again)
		require.Equal(t, one, again)
	})
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
