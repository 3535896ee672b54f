package space_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/space"
)

func TestNew(t *testing.T) {
	ones := make([]int32, space.MaxDimensions+1)
	for k := range ones {
		ones[k] = 1
	}
	tests := []struct {
		name  string
		sizes []int32
		ok    bool
	}{
		{"no dimension", nil, false},
		{"one", []int32{5}, true},
		{"eight", ones[:space.MaxDimensions], true},
		{"nine", ones, false},
		{"an empty dimension", []int32{5, 0}, false},
		{"a negative size", []int32{-5}, false},
		{"the largest size", []int32{space.MaxCoordinate}, true},
		{"larger than that", []int32{space.MaxCoordinate + 1}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := space.New(1, test.sizes...)
			if !test.ok {
				assert.ErrorIs(t, err, space.ErrSpace)
				assert.Zero(t, s)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, len(test.sizes), s.Dims)
			assert.Equal(t, 1, s.Virtual)
		})
	}
}

// As many of the last dimensions are virtual as the space has at most. A drawn number becomes their
// coordinates, and leaves the others alone.
func TestVirtual(t *testing.T) {
	for _, virtual := range []int{-1, 4} {
		_, err := space.New(virtual, 9, 9, 9)
		assert.ErrorIs(t, err, space.ErrSpace)
	}
	_, err := space.New(0)
	assert.ErrorIs(t, err, space.ErrSpace, "a space has a dimension")
	three, err := space.New(3, 1<<20, 1<<20, 1<<20)
	require.NoError(t, err)
	p := three.Spread(space.Point{}, 7)
	assert.NotEqual(t, p[0], p[1], "each virtual dimension has a hash of its own")
	few, err := space.New(2, 9, 9, 9, 1<<20, 1<<20)
	require.NoError(t, err)
	assert.NotZero(t, few.Spread(space.Point{}, 7)[3], "the first virtual dimension of five")
	at := space.Point{1, 2, 3}
	for virtual := range 4 {
		s, err := space.New(virtual, 9, 50, 1<<20)
		require.NoError(t, err)
		seen := map[space.Point]bool{}
		for drawn := range uint32(100) {
			p := s.Spread(at, drawn)
			for k := range s.Dims {
				assert.Equal(t, k >= s.Dims-virtual, s.IsVirtual(k))
				if !s.IsVirtual(k) {
					assert.Equal(t, at[k], p[k])
				}
			}
			assert.True(t, s.Whole().Contains(p))
			if virtual > 0 {
				assert.Equal(t, int32(drawn), p[s.Dims-1])
			}
			p[s.Dims-1] = 0
			seen[p] = true
		}
		assert.Equal(t, virtual > 1, len(seen) > 1, "other virtual coordinates depend on the number")
		assert.False(t, s.IsVirtual(s.Dims))
	}
}

func TestWhole(t *testing.T) {
	s, err := space.New(0, 5, space.MaxCoordinate)
	require.NoError(t, err)
	whole := s.Whole()
	assert.False(t, whole.Empty())
	assert.Equal(t, space.Point{}, whole.Low)
	assert.Equal(t, space.Point{5, space.MaxCoordinate, 1, 1, 1, 1, 1, 1}, whole.High)
	assert.True(t, whole.Contains(space.Point{4, space.MaxCoordinate - 1}))
	assert.False(t, whole.Contains(space.Point{5, 0}))
	assert.False(t, whole.Contains(space.Point{0, -1}))
	assert.False(t, whole.Contains(space.Point{0, 0, 1}), "dimensions that a space does not have are zero")
	assert.True(t, space.Zone{}.Empty())
}
