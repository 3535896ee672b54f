package store_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/store"
)

// codec is one of the three encodings of the core, with its text.
type codec[T any] struct {
	draw   func(generator) T
	encode func(*store.Config, []byte, T) []byte
	decode func(*store.Config, []byte) (T, error)
	text   func(*store.Config, T) string
}

func TestStateCodec(t *testing.T) {
	codec[store.State]{generator.state, store.AppendState, store.DecodeState, store.StateText}.test(t)
}

func TestMessageCodec(t *testing.T) {
	codec[store.Message]{generator.message, store.AppendMessage, store.DecodeMessage, store.MessageText}.test(t)
}

func TestOrderCodec(t *testing.T) {
	codec[store.Command]{generator.command, store.AppendCommand, store.DecodeCommand, store.CommandText}.test(t)
}

func (c codec[T]) test(t *testing.T) {
	t.Run("an encoded value is decoded", rapid.MakeCheck(c.roundTrip))
	t.Run("different values differ", rapid.MakeCheck(c.injective))
	t.Run("a decoded value is canonical", c.canonical)
}

func (c codec[T]) roundTrip(t *rapid.T) {
	g := newGenerator(t)
	x := c.draw(g)
	b := c.encode(g.cfg, []byte{7}, x)
	require.Equal(t, byte(7), b[0], "an encoding is appended")
	b = b[1:]
	kept := bytes.Clone(b)
	got, err := c.decode(g.cfg, b)
	require.NoError(t, err)
	require.Equal(t, kept, b, "a decoder changes nothing")
	require.Equal(t, x, got)
	require.Equal(t, b, c.encode(g.cfg, nil, got))
	_, err = c.decode(g.cfg, b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = c.decode(g.cfg, append(bytes.Clone(b), 0))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

func (c codec[T]) injective(t *rapid.T) {
	g := newGenerator(t)
	x, y := c.draw(g), c.draw(g)
	require.Equal(t, reflect.DeepEqual(x, y), bytes.Equal(c.encode(g.cfg, nil, x), c.encode(g.cfg, nil, y)))
	require.Equal(t, reflect.DeepEqual(x, y), c.text(g.cfg, x) == c.text(g.cfg, y), "texts of different values differ")
}

// canonical damages encodings. Whatever a decoder still accepts must be the encoding of what it
// made of it.
func (c codec[T]) canonical(t *testing.T) {
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		b := c.encode(g.cfg, nil, c.draw(g))
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "where")] = rapid.Byte().Draw(t, "byte")
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

// Lists that must be sorted are refused when they are not; so is an item that holds nothing.
func TestOrderOfLists(t *testing.T) {
	cfg := newConfig(16)
	one, two := store.Item{Key: store.Key(cfg.CAN.Space, "a"), Value: 1}, store.Item{Value: 2}
	for _, items := range [][]store.Item{{one, two}, {one, one}, {{Value: 0}}} {
		_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Give{Items: items}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	a, b := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	for _, tried := range [][]protocol.NodeID{{b, a}, {a, a}} {
		_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Request{Tried: tried}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err := store.DecodeMessage(cfg, store.AppendMessage(cfg, nil, store.Request{Tried: []protocol.NodeID{a, b}}))
	require.NoError(t, err)
	pending := func(ids ...uint32) (s store.State) {
		for _, id := range ids {
			s.Pending = append(s.Pending, store.Pending{Operation: store.Operation{ID: id}})
		}
		return s
	}
	for _, s := range []store.State{pending(1, 1), pending(2, 1), pending(1, 3, 2)} {
		_, err := store.DecodeState(cfg, store.AppendState(cfg, nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err = store.DecodeState(cfg, store.AppendState(cfg, nil, pending(1, 2, 3)))
	require.NoError(t, err)
}

// A message begins with the tag of its type.
func TestTagsOfMessages(t *testing.T) {
	for _, tag := range []byte{0, 6} {
		_, err := store.DecodeMessage(newConfig(16), []byte{tag})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}

// A core with its configuration bound answers as the functions of the package do.
func TestCoreIsThePackage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator(t)
		core := &store.Core{Config: *g.cfg}
		s, m, o := g.state(), g.message(), g.command()
		s2, err := core.DecodeState(core.AppendState(nil, s))
		require.NoError(t, err)
		m2, err := core.DecodeMessage(core.AppendMessage(nil, m))
		require.NoError(t, err)
		o2, err := core.DecodeCommand(core.AppendCommand(nil, o))
		require.NoError(t, err)
		require.Equal(t, store.StateText(g.cfg, s), core.StateText(s2))
		require.Equal(t, store.MessageText(g.cfg, m), core.MessageText(m2))
		require.Equal(t, store.CommandText(g.cfg, o), core.CommandText(o2))
		in := g.input()
		s3, out3 := core.Step(s, in)
		s4, out4 := store.Step(g.cfg, s, in)
		require.Equal(t, s4, s3)
		require.Equal(t, out4, out3)
		for _, e := range out3.Events {
			require.Contains(t, core.EventNames(), e.Name)
		}
		for _, set := range out3.Set {
			require.NotEqual(t, "?", core.TimerText(set.Timer))
		}
	})
}
