package lease_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// codec is one of the three encodings of the core, with its text.
type codec[T any] struct {
	draw   func(generator) T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
}

func TestStateCodec(t *testing.T) {
	codec[lease.State]{generator.state, lease.AppendState, lease.DecodeState, lease.StateText}.test(t)
}

func TestMessageCodec(t *testing.T) {
	codec[lease.Message]{generator.message, lease.AppendMessage, lease.DecodeMessage, lease.MessageText}.test(t)
}

func TestCommandCodec(t *testing.T) {
	codec[lease.Command]{generator.command, lease.AppendCommand, lease.DecodeCommand, lease.CommandText}.test(t)
}

func (c codec[T]) test(t *testing.T) {
	t.Run("an encoded value is decoded", rapid.MakeCheck(c.roundTrip))
	t.Run("different values differ", rapid.MakeCheck(c.injective))
	t.Run("a decoded value is canonical", rapid.MakeCheck(c.canonical))
}

func (c codec[T]) roundTrip(t *rapid.T) {
	x := c.draw(generator{t})
	b := c.encode([]byte{7}, x)
	require.Equal(t, byte(7), b[0], "an encoding is appended")
	b = b[1:]
	got, err := c.decode(b)
	require.NoError(t, err)
	require.Equal(t, x, got)
	_, err = c.decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = c.decode(append(bytes.Clone(b), 0))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

func (c codec[T]) injective(t *rapid.T) {
	x, y := c.draw(generator{t}), c.draw(generator{t})
	same := reflect.DeepEqual(x, y)
	require.Equal(t, same, bytes.Equal(c.encode(nil, x), c.encode(nil, y)))
	require.Equal(t, same, c.text(x) == c.text(y), "texts: %s", c.text(x))
}

// canonical damages encodings. Whatever a decoder still accepts is the encoding of its result.
func (c codec[T]) canonical(t *rapid.T) {
	b := c.encode(nil, c.draw(generator{t}))
	b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
	x, err := c.decode(b)
	if err != nil {
		require.ErrorIs(t, err, protocol.ErrEncoding)
		return
	}
	require.Equal(t, b, c.encode(nil, x))
}

// What the decoders refuse: unsorted tables, no kind.
func TestDecodersRefuse(t *testing.T) {
	for _, w := range []lease.Witness{
		{Lives: []lease.Life{{Address: 1}, {Address: 0}}},
		{Lives: []lease.Life{{Address: 1}, {Address: 1}}},
		{Grants: []lease.Grant{{Holder: nodeB}, {Holder: nodeA}}},
		{Grants: []lease.Grant{{Holder: nodeB}, {Holder: nodeB}}},
	} {
		_, err := lease.DecodeState(lease.AppendState(nil, lease.State{Witness: w}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	for _, kind := range []byte{0, 9} {
		_, err := lease.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = lease.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}
