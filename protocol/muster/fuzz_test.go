package muster_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// seeds calls for every state and every message of a run in which B fails and A is halted.
func seeds(state, message func(b []byte)) {
	net := newNetwork(3)
	net.Record(state, message)
	net.Command(net.Nodes[2], represented(true, nodeA, nodeB))
	net.Command(net.Nodes[0], hosted(nodeC, 7000, 7001))
	net.Command(net.Nodes[1], hosted(nodeC))
	net.Drain()
	net.Command(net.Nodes[2], granted(true))
	net.Drain()
	net.Command(net.Nodes[1], exited(3, 0))
	net.Drain()
	net.Command(net.Nodes[0], exited(0, 9))
	net.Drain()
	net.Command(net.Nodes[2], plain(muster.CommandDeposited))
	net.Drain()
	lost := newNetwork(2) // and of one whose only host loses its task
	lost.Record(state, message)
	lost.Command(lost.Nodes[0], represented(true, nodeB))
	lost.Command(lost.Nodes[1], hosted(nodeA))
	lost.Command(lost.Nodes[1], plain(muster.CommandLost))
	lost.Drain()
	outputs := newNetwork(2) // and of one whose only host cannot keep the outputs of its task
	outputs.Record(state, message)
	outputs.Command(outputs.Nodes[0], represented(true, nodeB))
	outputs.Command(outputs.Nodes[1], hosted(nodeA))
	outputs.Drain()
	outputs.Command(outputs.Nodes[0], granted(true))
	outputs.Drain()
	outputs.Command(outputs.Nodes[1], ended(0, 0))
	outputs.Command(outputs.Nodes[1], kept(false))
	outputs.Drain()
}

func FuzzDecodeState(f *testing.F) {
	seeds(func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := muster.DecodeState(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, muster.AppendState(nil, s))
		require.NotEmpty(t, muster.StateText(s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := muster.DecodeMessage(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, muster.AppendMessage(nil, m))
		require.NotEmpty(t, muster.MessageText(m))
		s, _ := after(muster.New(nodeA), given(represented(true, nodeA, nodeB)), given(hosted(nodeA)))
		step(s, from(nodeB, m))
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for _, c := range []muster.Command{
		hosted(nodeA, 1, 2), represented(true, nodeA, nodeB), exited(1, 2), granted(true), halted(muster.TimedOut),
		plain(muster.CommandEnd), plain(muster.CommandLost), ended(1, 2), kept(true),
	} {
		f.Add(muster.AppendCommand(nil, c))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := muster.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, muster.AppendCommand(nil, c))
		require.NotEmpty(t, muster.CommandText(c))
		step(muster.New(nodeA), given(c))
	})
}
