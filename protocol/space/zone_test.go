package space_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/space"
)

const far = space.MaxCoordinate

// cube returns the space with the given number of dimensions, each as large as can be.
func cube(dims int) space.Space {
	s := space.Space{Dims: dims}
	for k := range dims {
		s.Size[k] = far
	}
	return s
}

func TestIntersectIsTheCommonPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := spaces(1, 3, 5).Draw(t, "space").Whole()
		a, b := boxIn(t, whole, "a"), boxIn(t, whole, "b")
		common := 0
		points(whole, func(p space.Point) {
			both := a.Contains(p) && b.Contains(p)
			require.Equal(t, both, a.Intersect(b).Contains(p))
			if both {
				common++
			}
		})
		require.Equal(t, common > 0, a.Overlaps(b))
		require.Equal(t, common == 0, a.Intersect(b).Empty())
	})
}

func TestDistanceAgreesWithTheNearestPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := spaces(1, 3, 6).Draw(t, "space").Whole()
		z, p := boxIn(t, whole, "zone"), pointIn(t, whole, "p")
		require.Equal(t, dumbDistance(z, p), z.Distance(p))
		require.Equal(t, z.Contains(p), z.Distance(p) == 0)
	})
}

func TestAbuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := spaces(1, 3, 5).Draw(t, "space").Whole()
		a, b := boxIn(t, whole, "a"), boxIn(t, whole, "b")
		f, ab := a.Abuts(b)
		g, ba := b.Abuts(a)
		require.Equal(t, ab, ba, "to abut is symmetric")
		if ab {
			require.Equal(t, f, space.Face{Dim: g.Dim, High: !g.High}, "each is across the other's face")
		}
		if a.Overlaps(b) {
			require.False(t, ab, "zones that overlap are no neighbours")
			return
		}
		face, abuts := dumbAbuts(a, b)
		require.Equal(t, abuts, ab)
		if abuts {
			require.Equal(t, face, f)
		}
	})
}

func TestAbutsTakesMoreThanACorner(t *testing.T) {
	box := func(x0, y0, x1, y1 int32) space.Zone {
		return space.Zone{Low: space.Point{x0, y0}, High: space.Point{x1, y1, 1, 1, 1, 1, 1, 1}}
	}
	a := box(2, 2, 4, 4)
	tests := []struct {
		name  string
		other space.Zone
		face  space.Face
		abuts bool
	}{
		{"left", box(0, 3, 2, 9), space.Face{Dim: 0}, true},
		{"right", box(4, 0, 5, 3), space.Face{Dim: 0, High: true}, true},
		{"below", box(0, 0, 9, 2), space.Face{Dim: 1}, true},
		{"above", box(3, 4, 4, 5), space.Face{Dim: 1, High: true}, true},
		{"corner", box(4, 4, 6, 6), space.Face{}, false},
		{"in line", box(4, 4, 6, 9), space.Face{}, false},
		{"a gap between", box(5, 2, 6, 4), space.Face{}, false},
		{"itself", a, space.Face{}, false},
		{"inside", box(2, 2, 3, 3), space.Face{}, false},
		{"nothing", space.Zone{}, space.Face{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, ok := a.Abuts(test.other)
			assert.Equal(t, test.abuts, ok)
			assert.Equal(t, test.face, f)
		})
	}
}

// A point of a zone faces a neighbour if a straight line across the common face leads from it into
// the neighbour. All of a zone faces a zone that it does not abut.
func TestFacingIsStraightAcross(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		whole := spaces(1, 3, 5).Draw(t, "space").Whole()
		z, other := boxIn(t, whole, "z"), boxIn(t, whole, "other")
		f, abuts := z.Abuts(other)
		seen[abuts]++
		facing := z.Facing(other)
		if !abuts {
			require.Equal(t, z, facing)
			return
		}
		points(whole, func(p space.Point) {
			across := p
			across[f.Dim] = other.Low[f.Dim]
			require.Equal(t, z.Contains(p) && other.Contains(across), facing.Contains(p))
		})
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.NotZero(t, seen[true], "no zones abutted")
	require.NotZero(t, seen[false], "all zones abutted")
}

func TestBeyondIsTheLayerOutsideAFace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, 3, 5).Draw(t, "space")
		z := boxIn(t, s.Whole(), "zone")
		f := space.Face{Dim: uint8(rapid.IntRange(0, s.Dims-1).Draw(t, "dim")), High: rapid.Bool().Draw(t, "high")}
		layer := z.Beyond(f)
		require.False(t, layer.Overlaps(z))
		points(layer, func(p space.Point) {
			if f.High {
				p[f.Dim]--
			} else {
				p[f.Dim]++
			}
			require.True(t, z.Contains(p), "one step back is inside")
		})
		require.False(t, layer.Empty())
	})
}

// OverlapFractions returns how much of a face a neighbour covers. In a tiling the neighbours along
// a face cover all of it, once: the exact sum of the products is 1.
func TestOverlapFractionsSumToTheFace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, 4, rapid.SampledFrom([]int32{4, 1000, far}).Draw(t, "size")).Draw(t, "space")
		zones := tiling(t, s, 12)
		for _, z := range zones {
			sums := map[space.Face]*big.Rat{}
			for _, other := range zones {
				f, ok := z.Abuts(other)
				if !ok {
					continue
				}
				if sums[f] == nil {
					sums[f] = new(big.Rat)
				}
				sums[f].Add(sums[f], product(z.OverlapFractions(f, other)))
				opposite := space.Face{Dim: f.Dim, High: !f.High}
				require.Nil(t, z.OverlapFractions(opposite, other), "nothing along any other face")
			}
			for k := range s.Dims {
				requireWhole(t, sums[space.Face{Dim: uint8(k)}], z.Low[k] > 0)
				requireWhole(t, sums[space.Face{Dim: uint8(k), High: true}], z.High[k] < s.Size[k])
			}
		}
	})
}

func product(parts []space.Fraction) *big.Rat {
	share := big.NewRat(1, 1)
	for _, f := range parts {
		share.Mul(share, big.NewRat(int64(f.Part), int64(f.Whole)))
	}
	return share
}

// requireWhole holds a face inside the space to be covered exactly and one at its end not to be.
func requireWhole(t *rapid.T, sum *big.Rat, inside bool) {
	t.Helper()
	if !inside {
		require.Nil(t, sum, "there is nothing beyond the end of the space")
		return
	}
	require.NotNil(t, sum)
	require.Equal(t, "1", sum.RatString())
}

// At the ends of the largest space nothing overflows.
func TestExtremeCoordinates(t *testing.T) {
	s := cube(space.MaxDimensions)
	whole := s.Whole()
	corner := space.Zone{High: space.Point{1, 1, 1, 1, 1, 1, 1, 1}}
	var last space.Point
	for k := range last {
		last[k] = far - 1
	}
	want := new(big.Int).Mul(big.NewInt(far-1), big.NewInt(far-1))
	want.Mul(want, big.NewInt(space.MaxDimensions))
	require.True(t, want.IsUint64())
	assert.Equal(t, want.Uint64(), corner.Distance(last))

	beyond := last
	for k := range beyond {
		beyond[k] = far // no coordinate of a node, but a possible border
	}
	assert.Equal(t, uint64(1)<<63, corner.Distance(beyond))
	assert.Equal(t, uint64(space.MaxDimensions), whole.Distance(beyond))

	for k := range space.MaxDimensions {
		up, down := whole.Beyond(space.Face{Dim: uint8(k), High: true}), whole.Beyond(space.Face{Dim: uint8(k)})
		assert.False(t, up.Empty())
		assert.False(t, down.Empty())
		assert.False(t, up.Overlaps(whole))
		assert.False(t, down.Overlaps(whole))
	}
	assert.True(t, s.BorderCovered(whole, nil))

	keep, ok := s.Split(nil, space.Point{}, last)
	require.True(t, ok)
	assert.Equal(t, space.HalfSpace{Dim: 0, At: far / 2}, keep)
	near := last
	near[0]--
	keep, ok = s.Split(nil, last, near)
	require.True(t, ok)
	assert.Equal(t, space.HalfSpace{Dim: 0, At: far - 1, AtLeast: true}, keep)
	assert.Equal(t, []space.Fraction{{Part: far / 2, Whole: far}},
		space.Zone{Low: space.Point{0, 5}, High: space.Point{far, 6, 1, 1, 1, 1, 1, 1}}.OverlapFractions(
			space.Face{
				Dim:  1,
				High: true,
			},
			space.Zone{Low: space.Point{far / 2, 6}, High: space.Point{far, far, 1, 1, 1, 1, 1, 1}},
		))
}
