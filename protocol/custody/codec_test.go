package custody_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// codec is one of the three encodings of the core, with its text.
type codec[T any] struct {
	draw   func(generator) T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
}

func TestStateCodec(t *testing.T) {
	codec[custody.State]{generator.state, custody.AppendState, custody.DecodeState, custody.StateText}.test(t)
}

func TestMessageCodec(t *testing.T) {
	codec[custody.Message]{generator.message, custody.AppendMessage, custody.DecodeMessage, custody.MessageText}.test(t)
}

func TestCommandCodec(t *testing.T) {
	codec[custody.Command]{generator.command, custody.AppendCommand, custody.DecodeCommand, custody.CommandText}.test(t)
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

// What the decoders refuse: a node that is no custodian, one listed twice, too many members, a list
// of answers that does not fit the view, a digest that is too long, no kind.
func TestDecodersRefuse(t *testing.T) {
	refuses := func(s custody.State) {
		_, err := custody.DecodeState(custody.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	refuses(custody.New(nodeC, []protocol.Address{0, 1}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 0}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 2, 3}))
	s := custody.New(nodeA, []protocol.Address{0, 1})
	s.Disk.View.Members = []protocol.NodeID{nodeA, nodeB}
	s.Primary.Acked = []bool{true}
	refuses(s)
	s.Primary.Acked, s.Disk.View.Members = nil, make([]protocol.NodeID, custody.Most+1)
	refuses(s)
	c := custody.Command{Kind: custody.CommandOutcome, Outcome: custody.Digest(make([]byte, custody.DigestLimit+1))}
	_, err := custody.DecodeCommand(custody.AppendCommand(nil, c))
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = custody.DecodeDisk(nil)
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, 10} {
		_, err := custody.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = custody.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}

// A core with its configuration bound answers as the functions of the package do.
func TestCoreIsThePackage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		cfg := custody.DefaultConfig()
		bound := &custody.Core{Config: cfg}
		s, m, c, in := g.state(), g.message(), g.command(), g.input()
		s2, err := bound.DecodeState(bound.AppendState(nil, s))
		require.NoError(t, err)
		m2, err := bound.DecodeMessage(bound.AppendMessage(nil, m))
		require.NoError(t, err)
		c2, err := bound.DecodeCommand(bound.AppendCommand(nil, c))
		require.NoError(t, err)
		require.Equal(t, custody.StateText(s), bound.StateText(s2))
		require.Equal(t, custody.MessageText(m), bound.MessageText(m2))
		require.Equal(t, custody.CommandText(c), bound.CommandText(c2))
		s3, out3 := bound.Step(s, in)
		s4, out4 := custody.Step(&cfg, s, in)
		require.Equal(t, s4, s3)
		require.Equal(t, out4, out3)
		for _, e := range out3.Events {
			require.Contains(t, bound.EventNames(), e.Name)
		}
		for _, set := range out3.Set {
			require.Equal(t, "resend", bound.TimerText(set.Timer))
		}
	})
}
