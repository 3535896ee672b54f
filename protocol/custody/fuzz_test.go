package custody_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// seeds calls for every state and every message of a run in which A crashes and comes back.
func seeds(state, message func(b []byte)) {
	net := newNetwork(3)
	net.Record(state, message)
	a, b := net.Nodes[0], net.Nodes[1]
	net.Command(a, accept())
	net.Drain()
	net.Command(a, permit(1, attempt))
	net.Drain()
	net.Crash(a)
	dead(net, a)
	net.Drain()
	net.Command(b, outcome(1, attempt, "ok"))
	net.Drain()
	net.Start(a)
	net.Drain()
}

func FuzzDecodeState(f *testing.F) {
	seeds(func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := custody.DecodeState(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, custody.AppendState(nil, s))
		require.NotEmpty(t, custody.StateText(s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := custody.DecodeMessage(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, custody.AppendMessage(nil, m))
		require.NotEmpty(t, custody.MessageText(m))
		s, _ := after(custody.New(nodeA, addresses(2)), given(accept()))
		step(s, from(nodeB, m))
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for _, c := range []custody.Command{
		accept(), permit(1, attempt), closed(1, attempt), outcome(1, attempt, "ok"), cancel(),
		plain(custody.CommandForget),
		plain(custody.CommandForgotten),
	} {
		f.Add(custody.AppendCommand(nil, c))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := custody.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, custody.AppendCommand(nil, c))
		require.NotEmpty(t, custody.CommandText(c))
	})
}

func FuzzDecodeDisk(f *testing.F) {
	s, out := after(custody.New(nodeA, addresses(1)), given(accept()), given(permit(1, attempt)))
	require.True(f, s.Leads())
	f.Add(out.Persist)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := custody.DecodeDisk(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
		}
		step(custody.New(nodeA, addresses(2)), custody.Input{Kind: protocol.Restart, Persisted: b})
	})
}
