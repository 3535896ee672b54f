package space_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/space"
)

// Partition and OwnerInside, for a single split of any zone between any two of its points.
func TestSplitHalvesTileTheZone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, space.MaxDimensions, rapid.SampledFrom([]int32{2, 7, far}).Draw(t, "size")).Draw(t, "space")
		z := boxIn(t, s.Whole(), "zone")
		owner, joiner := pointIn(t, z, "owner"), pointIn(t, z, "joiner")
		if rapid.Bool().Draw(t, "alike") {
			joiner = owner
			k := rapid.IntRange(0, s.Dims-1).Draw(t, "k")
			joiner[k] = pointIn(t, z, "other")[k]
		}
		keep, ok := s.Split(splitLists(t, s), owner, joiner)
		require.Equal(t, owner != joiner, ok, "only equal coordinates cannot be separated")
		if !ok {
			return
		}
		mine, theirs := keep.Cut(z), keep.Opposite().Cut(z)
		require.True(t, mine.Contains(owner), "OwnerInside")
		require.True(t, theirs.Contains(joiner), "OwnerInside")
		require.False(t, mine.Overlaps(theirs))
		require.True(t, space.Covered(z, []space.Zone{mine, theirs}))
		require.Equal(t, z, space.Join(mine, theirs))
		requireEven(t, keep, owner, joiner)
		f, ok := keep.FaceOf(mine)
		require.True(t, ok)
		across, ok := mine.Abuts(theirs)
		require.True(t, ok)
		require.Equal(t, f, across, "the joiner is across the face that the split made")
	})
}

// requireEven requires that a plane is in the middle between the two coordinates.
func requireEven(t *rapid.T, keep space.HalfSpace, owner, joiner space.Point) {
	t.Helper()
	low, high := int64(min(owner[keep.Dim], joiner[keep.Dim])), int64(max(owner[keep.Dim], joiner[keep.Dim]))
	below, above := int64(keep.At)-low, high-int64(keep.At)+1
	require.InDelta(t, below, above, 1, "the middle between %d and %d is not %d", low, high, keep.At)
	require.Positive(t, below)
	require.Positive(t, above)
}

// splitLists draws a split list; its entries need not make sense.
func splitLists(t *rapid.T, s space.Space) []space.HalfSpace {
	one := rapid.Custom(func(t *rapid.T) space.HalfSpace {
		return space.HalfSpace{
			Dim:     uint8(rapid.IntRange(0, s.Dims-1).Draw(t, "dim")),
			AtLeast: rapid.Bool().Draw(t, "side"),
			At:      rapid.Int32Range(0, far).Draw(t, "at"),
		}
	})
	return rapid.SliceOfN(one, 0, 3).Draw(t, "splits")
}

// The dimensions take turns, beginning after the last split one. A dimension in which the two
// coordinates agree is passed over. Virtual dimensions always come last, in turns of their own.
func TestSplitOrder(t *testing.T) {
	real3, err := space.New(0, 9, 9, 9)
	require.NoError(t, err)
	virtual3, err := space.New(1, 9, 9, 9)
	require.NoError(t, err)
	virtual2, err := space.New(2, 9, 9, 9)
	require.NoError(t, err)
	virtual1, err := space.New(1, 9)
	require.NoError(t, err)
	after := func(dims ...uint8) []space.HalfSpace {
		var splits []space.HalfSpace
		for _, d := range dims {
			splits = append(splits, space.HalfSpace{Dim: d, At: 5})
		}
		return splits
	}
	tests := []struct {
		name   string
		space  space.Space
		splits []space.HalfSpace
		joiner space.Point // the owner is at (4, 4, 4)
		want   space.HalfSpace
	}{
		{"the first split", real3, nil, space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"the next in turn", real3, after(0), space.Point{6, 6, 6}, space.HalfSpace{Dim: 1, At: 5}},
		{"only the last entry counts", real3, after(1, 0), space.Point{6, 6, 6}, space.HalfSpace{Dim: 1, At: 5}},
		{"after the last comes the first", real3, after(2), space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"equal coordinates are passed over", real3, after(0), space.Point{6, 4, 6}, space.HalfSpace{Dim: 2, At: 5}},
		{"over the end", real3, after(1), space.Point{4, 6, 4}, space.HalfSpace{Dim: 1, At: 5}},
		{"real before virtual", virtual3, after(1), space.Point{6, 4, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"virtual is passed over in its turn", virtual3, after(1), space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"a virtual split is no turn", virtual3, after(2), space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"nor does it end one", virtual3, after(1, 2), space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"virtual if all others agree", virtual3, nil, space.Point{4, 4, 6}, space.HalfSpace{Dim: 2, At: 5}},
		{"two virtual after the real one", virtual2, after(1), space.Point{6, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
		{"two virtual take turns", virtual2, after(0, 1, 0), space.Point{4, 6, 6}, space.HalfSpace{Dim: 2, At: 5}},
		{"after the last of them the first", virtual2, after(2), space.Point{4, 6, 6}, space.HalfSpace{Dim: 1, At: 5}},
		{"nothing but virtual", virtual1, nil, space.Point{6, 4, 4}, space.HalfSpace{Dim: 0, At: 5}},
		{"a joiner below", real3, nil, space.Point{1, 6, 6}, space.HalfSpace{Dim: 0, At: 3, AtLeast: true}},
		{"neighbours", real3, nil, space.Point{5, 6, 6}, space.HalfSpace{Dim: 0, At: 5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			kept := slices.Clone(test.splits)
			got, ok := test.space.Split(test.splits, space.Point{4, 4, 4}, test.joiner)
			assert.True(t, ok)
			assert.Equal(t, test.want, got)
			assert.Equal(t, kept, test.splits)
		})
	}
	_, ok := virtual3.Split(nil, space.Point{4, 4, 4}, space.Point{4, 4, 4})
	assert.False(t, ok)
}

func TestFaceOf(t *testing.T) {
	z := space.Zone{Low: space.Point{2, 0}, High: space.Point{6, 4, 1, 1, 1, 1, 1, 1}}
	tests := []struct {
		name string
		half space.HalfSpace
		face space.Face
		ok   bool
	}{
		{"the lower side", space.HalfSpace{Dim: 0, AtLeast: true, At: 2}, space.Face{Dim: 0}, true},
		{"the upper side", space.HalfSpace{Dim: 0, At: 6}, space.Face{Dim: 0, High: true}, true},
		{"in the plane but on the other side", space.HalfSpace{Dim: 0, At: 2}, space.Face{}, false},
		{"through the zone", space.HalfSpace{Dim: 0, AtLeast: true, At: 4}, space.Face{}, false},
		{"far away", space.HalfSpace{Dim: 1, At: 9}, space.Face{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, ok := test.half.FaceOf(z)
			assert.Equal(t, test.ok, ok)
			if ok {
				assert.Equal(t, test.face, f)
			}
			assert.Equal(t, test.half, test.half.Opposite().Opposite())
			assert.NotEqual(t, test.half, test.half.Opposite())
		})
	}
}

// Virtual dimensions split in turns of their own, which begin after the last one that was split.
func TestVirtualDimensionsTakeTurns(t *testing.T) {
	s, err := space.New(3, 9, 9, 9, 9, 9)
	require.NoError(t, err)
	owner, joiner := space.Point{4, 4, 1, 1, 1}, space.Point{4, 4, 8, 8, 8}
	for last, next := range map[uint8]uint8{0: 2, 1: 2, 2: 3, 3: 4, 4: 2} {
		keep, ok := s.Split([]space.HalfSpace{{Dim: last, At: 5}, {Dim: 1, At: 5}}, owner, joiner)
		require.True(t, ok)
		assert.Equal(t, next, keep.Dim, "after dimension %d", last)
	}
}
