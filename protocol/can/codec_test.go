package can_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// codec is one of the three encodings of the core.
type codec[T any] struct {
	name   string
	draw   func(generator) T
	encode func(*can.Config, []byte, T) []byte
	decode func(*can.Config, []byte) (T, error)
}

var (
	stateCodec   = codec[can.State]{"state", generator.state, can.AppendState, can.DecodeState}
	messageCodec = codec[can.Message]{"message", generator.message, can.AppendMessage, can.DecodeMessage}
	commandCodec = codec[can.Command]{
		"command", generator.command,
		func(_ *can.Config, dst []byte, o can.Command) []byte { return can.AppendCommand(dst, o) },
		func(_ *can.Config, src []byte) (can.Command, error) { return can.DecodeCommand(src) },
	}
)

func newGenerator(t *rapid.T) generator {
	return generator{
		t,
		configs(t, 1, space.MaxDimensions, space.MaxCoordinate),
		rapid.OneOf(strangers, rapid.Just(protocol.NodeID{})),
	}
}

func TestStateCodec(t *testing.T)   { stateCodec.test(t) }
func TestMessageCodec(t *testing.T) { messageCodec.test(t) }
func TestCommandCodec(t *testing.T) { commandCodec.test(t) }

func (c codec[T]) test(t *testing.T) {
	t.Run("an encoded value is decoded", rapid.MakeCheck(c.roundTrip))
	t.Run("different values differ", rapid.MakeCheck(c.injective))
	t.Run("cut or extended bytes are refused", rapid.MakeCheck(c.exact))
	t.Run("a decoded value is canonical", c.canonical)
}

func (c codec[T]) roundTrip(t *rapid.T) {
	g := newGenerator(t)
	x := c.draw(g)
	prefix := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "prefix")
	b := c.encode(g.cfg, bytes.Clone(prefix), x)
	require.Equal(t, prefix, b[:len(prefix):len(prefix)], "an encoding is appended")
	b = b[len(prefix):]
	kept := bytes.Clone(b)
	got, err := c.decode(g.cfg, b)
	require.NoError(t, err)
	require.Equal(t, x, got)
	require.Equal(t, kept, b, "a decoder changes nothing")
	require.Equal(t, b, c.encode(g.cfg, nil, got))
}

func (c codec[T]) injective(t *rapid.T) {
	g := newGenerator(t)
	x, y := c.draw(g), c.draw(g)
	require.Equal(t, reflect.DeepEqual(x, y), bytes.Equal(c.encode(g.cfg, nil, x), c.encode(g.cfg, nil, y)))
}

func (c codec[T]) exact(t *rapid.T) {
	g := newGenerator(t)
	b := c.encode(g.cfg, nil, c.draw(g))
	_, err := c.decode(g.cfg, b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = c.decode(g.cfg, append(b, rapid.SliceOfN(rapid.Byte(), 1, 2).Draw(t, "tail")...))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

// canonical damages encodings. Whatever a decoder still accepts must be the encoding of what it
// made of it.
func (c codec[T]) canonical(t *testing.T) {
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		b := c.encode(g.cfg, nil, c.draw(g))
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			i := rapid.IntRange(0, len(b)-1).Draw(t, "where")
			switch v := rapid.Byte().Draw(t, "byte"); rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				b[i] = v
			case 1:
				b[i] ^= 1 << (v % 8)
			default:
				b = append(b[:i:i], append([]byte{v}, b[i:]...)...)
			}
		}
		x, err := c.decode(g.cfg, b)
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			refused++
			return
		}
		accepted++
		require.Equal(t, b, c.encode(g.cfg, nil, x))
	})
	if testing.Short() {
		return // few damages may all be noticed
	}
	require.NotZero(t, accepted, "every damage was noticed: nothing was tested")
	require.NotZero(t, refused, "no damage was noticed")
}

// All types of message occur among those that are drawn.
func TestGeneratorDrawsEveryType(t *testing.T) {
	if testing.Short() {
		t.Skip("too few cases are drawn")
	}
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) { seen[fmt.Sprintf("%T", newGenerator(t).message())] = true })
	require.Len(t, seen, 10)
}

// A list of records that is not sorted, or that has one of them twice, is no encoding.
func TestRecordsMustBeSorted(t *testing.T) {
	s, err := space.New(false, 8)
	require.NoError(t, err)
	cfg := can.DefaultConfig(s)
	a, b := can.Record{ID: nodeA}, can.Record{ID: nodeB}
	for _, records := range [][]can.Record{{b, a}, {a, a}} {
		_, err := can.DecodeMessage(&cfg, can.AppendMessage(&cfg, nil, can.Answer{Records: records}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err = can.DecodeMessage(&cfg, can.AppendMessage(&cfg, nil, can.Answer{Records: []can.Record{a, b}}))
	require.NoError(t, err)
}

// A core with its configuration bound answers as the functions of the package do.
func TestCoreIsThePackage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		var core protocol.Core[can.State, can.Message, can.Command] = &can.Core{Config: *g.cfg}
		s, m, o, tm := g.state(), g.message(), g.command(), g.timer()
		require.Equal(t, can.AppendState(g.cfg, nil, s), core.AppendState(nil, s))
		require.Equal(t, can.AppendMessage(g.cfg, nil, m), core.AppendMessage(nil, m))
		require.Equal(t, can.AppendCommand(nil, o), core.AppendCommand(nil, o))
		s2, err := core.DecodeState(core.AppendState(nil, s))
		require.NoError(t, err)
		m2, err := core.DecodeMessage(core.AppendMessage(nil, m))
		require.NoError(t, err)
		o2, err := core.DecodeCommand(core.AppendCommand(nil, o))
		require.NoError(t, err)
		require.Equal(t, can.StateText(g.cfg, s), core.StateText(s2))
		require.Equal(t, can.MessageText(g.cfg, m), core.MessageText(m2))
		require.Equal(t, can.CommandText(o), core.CommandText(o2))
		require.Equal(t, can.TimerText(tm), core.TimerText(tm))
		in := can.Input{Kind: protocol.Deliver, From: g.id(), Message: m}
		s3, out3 := core.Step(s, in)
		s4, out4 := can.Step(g.cfg, s, in)
		require.Equal(t, s4, s3)
		require.Equal(t, out4, out3)
	})
}
