package reptask_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// codec is how one kind of value is encoded, decoded and written as a text.
type codec[T any] struct {
	draw   func(*rapid.T) T
	encode func([]byte, T) []byte
	decode func([]byte) (T, error)
	text   func(T) string
}

// check: what is written is read back; different values have different bytes and texts; a text is
// one line; bytes cut off or added are refused.
func (c codec[T]) check(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, other := c.draw(t), c.draw(t)
		b := c.encode([]byte("before"), v)[len("before"):]
		kept := bytes.Clone(b)
		back, err := c.decode(b)
		require.NoError(t, err)
		require.Equal(t, v, back)
		require.Equal(t, kept, b, "a decoder changes nothing")
		same := bytes.Equal(b, c.encode(nil, other))
		require.Equal(t, same, c.text(v) == c.text(other), "%s\n%s", c.text(v), c.text(other))
		require.NotContains(t, c.text(v), "\n")
		require.NotEmpty(t, strings.TrimSpace(c.text(v)))
		_, err = c.decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = c.decode(append(bytes.Clone(b), 0))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	})
}

func stateCodec() codec[reptask.State] {
	core := &reptask.Core{Config: *testConfig()}
	return codec[reptask.State]{genState, core.AppendState, core.DecodeState, core.StateText}
}

func messageCodec() codec[reptask.Message] {
	core := &reptask.Core{Config: *testConfig()}
	return codec[reptask.Message]{genMessage, core.AppendMessage, core.DecodeMessage, core.MessageText}
}

func orderCodec() codec[reptask.Command] {
	core := &reptask.Core{Config: *testConfig()}
	return codec[reptask.Command]{genCommand, core.AppendCommand, core.DecodeCommand, core.CommandText}
}

func TestStateCodec(t *testing.T)   { stateCodec().check(t) }
func TestMessageCodec(t *testing.T) { messageCodec().check(t) }
func TestOrderCodec(t *testing.T)   { orderCodec().check(t) }

// Messages of every kind are read back: a few random ones need not have each.
func TestEveryKindOfMessage(t *testing.T) {
	c := messageCodec()
	for kind := reptask.Grant; kind <= reptask.Beat; kind++ {
		c.draw = func(t *rapid.T) reptask.Message { return genMessageOf(t, kind) }
		t.Run(kind.String(), c.check)
	}
}

// A list that is not strictly in order has another encoding already.
func TestListsOutOfOrderAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := genState(t), reptask.Message{Kind: reptask.Beat}
		first, second := genJob(t), genJob(t)
		if first.Compare(second) < 0 {
			first, second = second, first
		}
		low, high := name('B'), name('B'+byte(rapid.IntRange(0, 1).Draw(t, "apart")))
		switch rapid.IntRange(0, 7).Draw(t, "list") {
		case 0:
			s.Owned = []reptask.Owned{{Job: reptask.Job{Owner: high}}, {Job: reptask.Job{Owner: low}}}
		case 1:
			s.Roles = []reptask.Role{{Job: first}, {Job: second}}
		case 2:
			s.Tasks = []reptask.Task{{Job: first}, {Job: second}}
		case 3:
			s.Floors = []reptask.Floor{{Job: first}, {Job: second}}
		case 4:
			s.Cluster = []reptask.Neighbour{{ID: high}, {ID: low}}
		case 5:
			s.Silent = []protocol.NodeID{high, low}
		case 6:
			s.Roles = []reptask.Role{{Members: []reptask.Member{{Host: high}, {Host: low}}}}
		case 7:
			m.Positions = []reptask.Position{{Attempt: reptask.Attempt{Job: first}}, {Attempt: reptask.Attempt{Job: second}}}
			_, err := messageCodec().decode(messageCodec().encode(nil, m))
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		_, err := stateCodec().decode(stateCodec().encode(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	})
}

// A kind that does not exist is refused.
func TestNoKind(t *testing.T) {
	_, err := messageCodec().decode([]byte{0})
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = orderCodec().decode([]byte{0})
	require.ErrorIs(t, err, protocol.ErrEncoding)
}

// fuzz holds a decoder to arbitrary bytes: what it takes is exactly what the encoder writes.
func (c codec[T]) fuzz(f *testing.F) {
	for seed := range 20 {
		f.Add(c.encode(nil, rapid.Custom(c.draw).Example(seed)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := c.decode(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, c.encode(nil, v))
		require.NotEmpty(t, c.text(v))
	})
}

func FuzzState(f *testing.F)   { stateCodec().fuzz(f) }
func FuzzMessage(f *testing.F) { messageCodec().fuzz(f) }
func FuzzCommand(f *testing.F) { orderCodec().fuzz(f) }

// FuzzStep hands a state that somebody made up a message that somebody made up. The core must not
// panic, must change nothing that it was given, and must end in a state that has an encoding.
func FuzzStep(f *testing.F) {
	core := &reptask.Core{Config: *testConfig()}
	for seed := range 20 {
		s, m := rapid.Custom(genState).Example(seed), rapid.Custom(genMessage).Example(seed)
		if len(s.Tasks) > 0 {
			m.Attempt = s.Tasks[0].Attempt()
		}
		f.Add(core.AppendState(nil, s), core.AppendMessage(nil, m), uint32(seed))
	}
	f.Fuzz(func(t *testing.T, state, message []byte, from uint32) {
		s, err := core.DecodeState(state)
		if err != nil {
			return
		}
		m, err := core.DecodeMessage(message)
		if err != nil {
			return
		}
		in := reptask.Input{
			Kind:    protocol.Deliver,
			From:    protocol.NodeID{Address: protocol.Address(from), Incarnation: 1},
			Message: m,
		}
		after, out := core.Step(s, in)
		require.Equal(t, state, core.AppendState(nil, s), "the state that was given")
		require.Equal(t, message, core.AppendMessage(nil, m), "the message that was given")
		b := core.AppendState(nil, after)
		again, err := core.DecodeState(b)
		require.NoError(t, err)
		require.Equal(t, b, core.AppendState(nil, again))
		for _, e := range out.Send {
			_, err := core.DecodeMessage(core.AppendMessage(nil, e.Message))
			require.NoError(t, err)
		}
	})
}
