package drivetest

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
)

// codec is one of the encodings of a core, with its text and a generator of values.
type codec[T any] struct {
	draw   func() T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
	shown  func(any) bool // whether the text shows all of a value
}

// testCodec demands that an encoding is canonical: the bytes that are written are read back,
// different values have different bytes and texts, a text is one line, and a decoder refuses all
// other bytes. The generator draws values of each kind; the first word of a text is the kind.
func testCodec[T any](t *testing.T, kinds int, of func(*rapid.T) codec[T]) {
	t.Helper()
	t.Run("an encoded value is decoded", rapid.MakeCheck(func(t *rapid.T) { of(t).roundTrip(t) }))
	t.Run("different values differ", rapid.MakeCheck(func(t *rapid.T) { of(t).injective(t) }))
	t.Run("cut or extended it is refused", rapid.MakeCheck(func(t *rapid.T) { of(t).exact(t) }))
	t.Run("a decoded value is canonical", func(t *testing.T) { canonical(t, of) })
	t.Run("each kind and field is drawn", func(t *testing.T) { drawsAll(t, kinds, of) })
}

func (c codec[T]) roundTrip(t *rapid.T) {
	x := c.draw()
	prefix := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "prefix")
	b := c.encode(bytes.Clone(prefix), x)
	require.Equal(t, prefix, b[:len(prefix):len(prefix)], "an encoding is appended")
	b = b[len(prefix):]
	kept := bytes.Clone(b)
	got, err := c.decode(b)
	require.NoError(t, err)
	require.Equal(t, x, got)
	require.Equal(t, kept, b, "a decoder changes nothing")
	require.Equal(t, kept, c.encode(nil, got), "a decoded value has another encoding")
}

// injective compares a value with a second one. If the core says of which values a text shows
// everything, it also compares the value with a copy of which a few bits were flipped in the
// encoding.
func (c codec[T]) injective(t *rapid.T) {
	x := c.draw()
	require.NotContains(t, c.text(x), "\n")
	require.NotEmpty(t, c.text(x))
	c.apart(t, x, c.draw())
	if c.shown == nil {
		return
	}
	b := c.encode(nil, x)
	at, mask := rapid.IntRange(0, len(b)-1).Draw(t, "at"), rapid.Uint8Range(1, 3).Draw(t, "mask")
	b[at] ^= mask
	if y, err := c.decode(b); err == nil {
		c.apart(t, x, y)
	}
}

func (c codec[T]) apart(t *rapid.T, x, y T) {
	same := reflect.DeepEqual(x, y)
	require.Equal(t, same, bytes.Equal(c.encode(nil, x), c.encode(nil, y)))
	if c.shown == nil || c.shown(x) && c.shown(y) {
		require.Equal(t, same, c.text(x) == c.text(y), "the texts:\n%s\n%s", c.text(x), c.text(y))
	}
}

func (c codec[T]) exact(t *rapid.T) {
	b := c.encode(nil, c.draw())
	_, err := c.decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding, "a decoder needs all")
	_, err = c.decode(append(b, rapid.SliceOfN(rapid.Byte(), 1, 2).Draw(t, "tail")...))
	require.ErrorIs(t, err, protocol.ErrEncoding, "a decoder reads all")
}

// canonical damages encodings. A damaged encoding that a decoder still accepts must be the encoding
// of its result.
func canonical[T any](t *testing.T, of func(*rapid.T) codec[T]) {
	t.Helper()
	accepted, refused, longest := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := of(t)
		b := c.encode(nil, c.draw())
		longest = max(longest, len(b))
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			at, v := rapid.IntRange(0, len(b)-1).Draw(t, "at"), rapid.Byte().Draw(t, "byte")
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				b[at] = v
			case 1:
				b[at] ^= 1 << (v % 8)
			default:
				b = append(b[:at:at], append([]byte{v}, b[at:]...)...)
			}
		}
		if c.accepts(t, b) {
			accepted++
		} else {
			refused++
		}
	})
	if testing.Short() || longest < 4 {
		return // all of a few damages may be noticed
	}
	require.NotZero(t, accepted, "every damage was noticed: nothing was tested")
	require.NotZero(t, refused, "no damage was noticed")
}

// accepts decodes bytes. It demands that they are the encoding of the result, or are refused as no
// encoding.
func (c codec[T]) accepts(t require.TestingT, b []byte) bool {
	x, err := c.decode(bytes.Clone(b))
	if err != nil {
		require.ErrorIs(t, err, protocol.ErrEncoding)
		return false
	}
	require.Equal(t, b, c.encode(nil, x))
	require.NotEmpty(t, c.text(x))
	return true
}

// drawsAll demands that values of each kind are drawn, and that each field of their types is
// different from zero in one of them: otherwise no test would notice that an encoding forgets it.
func drawsAll[T any](t *testing.T, kinds int, of func(*rapid.T) codec[T]) {
	t.Helper()
	if testing.Short() {
		t.Skip("too few values are drawn")
	}
	seen, fields := map[string]bool{}, map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		c := of(t)
		for range 4 {
			value := c.draw()
			kind, _, _ := bytes.Cut([]byte(c.text(value)), []byte(" "))
			seen[string(kind)] = true
			v := reflect.ValueOf(value)
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				fields[name] = fields[name] || !v.Field(i).IsZero()
			}
		}
	})
	if kinds > 0 {
		require.Len(t, seen, kinds, "the kinds that were drawn: %v", seen)
	}
	for name, set := range fields {
		require.True(t, set, "%s is 0 in all values that were drawn", name)
	}
}
