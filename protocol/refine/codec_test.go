package refine_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// codec is one of the three encodings of the core, with its text.
type codec[T any] struct {
	draw   func(generator) T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
}

var (
	stateCodec   = codec[refine.State]{generator.state, refine.AppendState, refine.DecodeState, refine.StateText}
	messageCodec = codec[refine.Message]{generator.message, refine.AppendMessage, refine.DecodeMessage, refine.MessageText}
	commandCodec = codec[refine.Command]{generator.command, refine.AppendCommand, refine.DecodeCommand, refine.CommandText}
)

func TestStateCodec(t *testing.T)   { stateCodec.test(t) }
func TestMessageCodec(t *testing.T) { messageCodec.test(t) }
func TestOrderCodec(t *testing.T)   { commandCodec.test(t) }

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

// Lists are sorted, each node once, and a slot has a stage: everything else has no encoding.
func TestDecodersRefuseWhatIsNotCanonical(t *testing.T) {
	refused := func(err error) { require.ErrorIs(t, err, protocol.ErrEncoding) }
	for _, ids := range [][]protocol.NodeID{nodes(2, 1), nodes(1, 1)} {
		_, err := refine.DecodeCommand(refine.AppendCommand(nil, refine.Command{Kind: refine.CommandAdd, Nodes: ids}))
		refused(err)
		_, err = refine.DecodeMessage(refine.AppendMessage(nil, refine.List{Round: 1, Members: ids}))
		refused(err)
		report := readings(9, ids[0].Address, ids[1].Address)
		_, err = refine.DecodeMessage(refine.AppendMessage(nil, refine.Report{Round: 1, Readings: report}))
		refused(err)
		s := refine.State{Candidates: []refine.Candidate{{ID: ids[0]}, {ID: ids[1]}}}
		_, err = refine.DecodeState(refine.AppendState(nil, s))
		refused(err)
		s = refine.State{Slots: []refine.Slot{{Head: ids[0], Stage: refine.Suitor}, {Head: ids[1], Stage: refine.Suitor}}}
		_, err = refine.DecodeState(refine.AppendState(nil, s))
		refused(err)
	}
	_, err := refine.DecodeState(refine.AppendState(nil, refine.State{Slots: []refine.Slot{{Head: id(1)}}}))
	refused(err)
}
