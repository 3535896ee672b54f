package drivetest

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

// Codec is one of the encodings of a core, with its text.
type Codec[T any] struct {
	Draw   func(*rapid.T) T
	Encode func([]byte, T) []byte
	Decode func([]byte) (T, error)
	Text   func(T) string
}

// Test demands that an encoding is canonical: what is written is read back, different values have
// different bytes and texts, a text is one line, and a decoder refuses all that is no encoding.
func (c Codec[T]) Test(t *testing.T) {
	t.Run("an encoded value is decoded", rapid.MakeCheck(c.roundTrip))
	t.Run("different values differ", rapid.MakeCheck(c.injective))
	t.Run("cut or extended it is refused", rapid.MakeCheck(c.exact))
	t.Run("a decoded value is canonical", rapid.MakeCheck(c.canonical))
}

func (c Codec[T]) roundTrip(t *rapid.T) {
	x := c.Draw(t)
	prefix := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "prefix")
	b := c.Encode(bytes.Clone(prefix), x)
	require.Equal(t, prefix, b[:len(prefix):len(prefix)], "an encoding is appended")
	b = b[len(prefix):]
	kept := bytes.Clone(b)
	got, err := c.Decode(b)
	require.NoError(t, err)
	require.Equal(t, x, got)
	require.Equal(t, kept, b, "a decoder changes nothing")
}

func (c Codec[T]) injective(t *rapid.T) {
	x, y := c.Draw(t), c.Draw(t)
	same := reflect.DeepEqual(x, y)
	require.Equal(t, same, bytes.Equal(c.Encode(nil, x), c.Encode(nil, y)))
	require.Equal(t, same, c.Text(x) == c.Text(y), "the texts:\n%s\n%s", c.Text(x), c.Text(y))
	require.NotContains(t, c.Text(x), "\n")
}

func (c Codec[T]) exact(t *rapid.T) {
	b := c.Encode(nil, c.Draw(t))
	_, err := c.Decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = c.Decode(append(b, rapid.SliceOfN(rapid.Byte(), 1, 2).Draw(t, "tail")...))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

// canonical damages encodings. What a decoder still accepts must be the encoding of its result.
func (c Codec[T]) canonical(t *rapid.T) {
	b := c.Encode(nil, c.Draw(t))
	for range rapid.IntRange(1, 3).Draw(t, "damages") {
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
	}
	x, err := c.Decode(bytes.Clone(b))
	if err != nil {
		require.ErrorIs(t, err, protocol.ErrEncoding)
		return
	}
	require.Equal(t, b, c.Encode(nil, x))
}
