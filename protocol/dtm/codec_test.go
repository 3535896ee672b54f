package dtm_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// codec is one of the three encodings of the core, with its text.
type codec[T any] struct {
	draw   func(generator) T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
}

var (
	stateCodec   = codec[dtm.State]{generator.state, dtm.AppendState, dtm.DecodeState, dtm.StateText}
	messageCodec = codec[dtm.Message]{generator.message, dtm.AppendMessage, dtm.DecodeMessage, dtm.MessageText}
	commandCodec = codec[dtm.Command]{generator.command, dtm.AppendCommand, dtm.DecodeCommand, dtm.CommandText}
)

func TestStateCodec(t *testing.T)   { stateCodec.test(t) }
func TestMessageCodec(t *testing.T) { messageCodec.test(t) }
func TestCommandCodec(t *testing.T) { commandCodec.test(t) }

func (c codec[T]) test(t *testing.T) {
	t.Run("an encoded value is decoded", rapid.MakeCheck(c.roundTrip))
	t.Run("different values differ", rapid.MakeCheck(c.injective))
	t.Run("cut or extended it is refused", rapid.MakeCheck(c.exact))
	t.Run("a decoded value is canonical", rapid.MakeCheck(c.canonical))
}

func (c codec[T]) roundTrip(t *rapid.T) {
	x := c.draw(generator{t, strangers})
	prefix := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "prefix")
	b := c.encode(bytes.Clone(prefix), x)
	require.Equal(t, prefix, b[:len(prefix):len(prefix)], "an encoding is appended")
	b = b[len(prefix):]
	kept := bytes.Clone(b)
	got, err := c.decode(b)
	require.NoError(t, err)
	require.Equal(t, x, got)
	require.Equal(t, kept, b, "a decoder changes nothing")
}

func (c codec[T]) injective(t *rapid.T) {
	g := generator{t, strangers}
	x, y := c.draw(g), c.draw(g)
	same := reflect.DeepEqual(x, y)
	require.Equal(t, same, bytes.Equal(c.encode(nil, x), c.encode(nil, y)))
	require.Equal(t, same, c.text(x) == c.text(y), "the texts:\n%s\n%s", c.text(x), c.text(y))
	require.NotContains(t, c.text(x), "\n")
}

func (c codec[T]) exact(t *rapid.T) {
	b := c.encode(nil, c.draw(generator{t, strangers}))
	_, err := c.decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = c.decode(append(b, rapid.SliceOfN(rapid.Byte(), 1, 2).Draw(t, "tail")...))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

// canonical damages encodings. Whatever a decoder still accepts must be the encoding of what it
// made of it.
func (c codec[T]) canonical(t *rapid.T) {
	b := c.encode(nil, c.draw(generator{t, strangers}))
	for range rapid.IntRange(1, 3).Draw(t, "damages") {
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
	}
	x, err := c.decode(bytes.Clone(b))
	if err != nil {
		require.ErrorIs(t, err, protocol.ErrEncoding)
		return
	}
	require.Equal(t, b, c.encode(nil, x))
}

// Sorted lists are sorted, lengths are not negative, and answers and commands have a kind: all else
// has no encoding.
func TestDecodersRefuseWhatIsNotCanonical(t *testing.T) {
	for name, s := range map[string]dtm.State{
		"waiting":  {Departure: dtm.Departure{Waiting: []protocol.NodeID{id(2), id(1)}}},
		"siblings": {Siblings: []dtm.Child{{Host: id(1)}, {Host: id(1)}}},
		"branches": {Branches: []dtm.Branch{{Child: dtm.Child{Host: id(2)}}, {Child: dtm.Child{Host: id(1)}}}},
		"links":    {Links: []dtm.Link{{Peer: id(2)}, {Peer: id(1)}}},
		"latency":  {Search: dtm.Search{Latencies: []dtm.Latency{{Host: id(2)}, {Host: id(1)}}}},
		"length":   {Segment: dtm.Segment{Length: -1}},
		"answer":   {Search: dtm.Search{Answers: []dtm.Answer{{}}}},
		"label":    {Above: make(dtm.Label, 1<<10)},
	} {
		_, err := dtm.DecodeState(dtm.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding, name)
	}
	_, err := dtm.DecodeCommand(dtm.AppendCommand(nil, dtm.Command{}))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}
