package space_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

func decoder(src []byte, dims int) space.Decoder {
	return space.Decoder{Reader: protocol.NewReader(src), Dims: dims}
}

// Encoded values read back, for any number of dimensions. Cut anywhere it is refused.
func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, space.MaxDimensions, far).Draw(t, "space")
		zone := rapid.SampledFrom([]space.Zone{{}, boxIn(t, s.Whole(), "zone")}).Draw(t, "or empty")
		point := pointIn(t, s.Whole(), "point")
		splits := splitLists(t, s)
		e := space.Encoder{Dims: s.Dims}
		e.Point(point)
		e.Zone(zone)
		e.HalfSpaces(splits)
		decode := func(src []byte) error {
			d := decoder(src, s.Dims)
			p, z, hs := d.Point(), d.Zone(), d.HalfSpaces()
			err := d.Close()
			if err == nil {
				require.Equal(t, point, p)
				require.Equal(t, zone, z)
				require.True(t, slices.Equal(splits, hs))
			}
			return err
		}
		require.NoError(t, decode(e.Dst))
		cut := rapid.IntRange(0, len(e.Dst)-1).Draw(t, "cut")
		require.ErrorIs(t, decode(e.Dst[:cut]), protocol.ErrEncoding)
	})
}

// A zone that is written with corners has a point, and a half-space lies in a dimension of the
// space: everything else has another encoding, or none.
func TestOnlyTheCanonicalFormIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, space.MaxDimensions).Draw(t, "dims")
		z := boxIn(t, cube(dims).Whole(), "zone")
		k := rapid.IntRange(0, dims-1).Draw(t, "k")
		e := space.Encoder{Dims: dims}
		e.Bool(true)
		e.Point(z.Low)
		z.High[k] = z.Low[k]
		e.Point(z.High)
		d := decoder(e.Dst, dims)
		d.Zone()
		require.ErrorIs(t, d.Close(), protocol.ErrEncoding, "a zone without a point")

		for dim := range uint8(space.MaxDimensions + 1) {
			h := space.HalfSpace{Dim: dim, At: z.Low[k], AtLeast: rapid.Bool().Draw(t, "side")}
			e := space.Encoder{Dims: dims}
			e.HalfSpace(h)
			d := decoder(e.Dst, dims)
			got := d.HalfSpace()
			if int(dim) < dims {
				require.NoError(t, d.Close())
				require.Equal(t, h, got)
			} else {
				require.ErrorIs(t, d.Close(), protocol.ErrEncoding, "dimension %d of %d", dim, dims)
			}
		}
	})
}
