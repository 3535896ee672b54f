package lease_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// seeds calls for every state and every message of a run in which B founds, C enters and A asks.
func seeds(state, message func(b []byte)) {
	net := newNetwork(3, 3)
	net.Record(state, message)
	for _, p := range net.Nodes {
		net.Start(p)
		net.Drain()
	}
	net.Command(net.Nodes[0], asked(nodeC))
	net.Drain()
}

func FuzzDecodeState(f *testing.F) {
	seeds(func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := lease.DecodeState(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, lease.AppendState(nil, s))
		require.NotEmpty(t, lease.StateText(s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := lease.DecodeMessage(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, lease.AppendMessage(nil, m))
		require.NotEmpty(t, lease.MessageText(m))
		after(3, lease.New(0), lease.Input{Kind: protocol.Start}, lease.Input{Kind: protocol.Chosen}, from(nodeB, m))
	})
}

func FuzzDecodeCommand(f *testing.F) {
	f.Add(lease.AppendCommand(nil, asked(nodeB)))
	f.Add(lease.AppendCommand(nil, lease.Command{Kind: lease.CommandEntered}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := lease.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, lease.AppendCommand(nil, c))
		require.NotEmpty(t, lease.CommandText(c))
	})
}
