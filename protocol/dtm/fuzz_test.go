package dtm_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// seeds calls for every state and every message of a run in which hosts join, crash and leave.
func seeds(f *testing.F, state, message func(b []byte)) {
	f.Helper()
	w := grown(4, state, message)
	w.Crash(w.Nodes[1])
	w.settle()
	w.Command(w.Nodes[0], dtm.Command{Kind: dtm.CommandLeave})
	w.settle()
	message(dtm.AppendMessage(nil, dtm.Object{Round: 1}))
	message(dtm.AppendMessage(nil, dtm.Release{Round: 1}))
	message(dtm.AppendMessage(nil, dtm.Refuse{Version: 1}))
}

// grown returns a network of hosts on a line, all of which have joined one after the other.
func grown(hosts int, state, message func(b []byte)) *network {
	cfg := dtm.DefaultConfig(2)
	w := newNetwork(&cfg, hosts, func(a, b int) int64 { return int64(max(a-b, b-a)) * 4 })
	if state != nil {
		w.Record(state, message)
	}
	var members []protocol.NodeID
	for i, p := range w.Nodes {
		w.Start(p)
		w.Command(p, dtm.Command{Kind: dtm.CommandJoin, Nodes: members})
		w.settle()
		members = append(members, id(i))
	}
	return w
}

func FuzzDecodeState(f *testing.F) {
	seeds(f, func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := dtm.DecodeState(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, dtm.AppendState(nil, s))
		require.NotEmpty(t, dtm.StateText(s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(f, func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Add([]byte{0})
	f.Add([]byte{17})
	w := grown(3, nil, nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := dtm.DecodeMessage(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			require.Nil(t, m)
			return
		}
		require.Equal(t, b, dtm.AppendMessage(nil, m))
		require.NotEmpty(t, dtm.MessageText(m))
		for _, p := range w.Nodes {
			dtm.Step(w.cfg, p.State(), dtm.Input{Kind: protocol.Deliver, From: id(0), Message: m})
		}
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for kind := dtm.CommandJoin; kind <= dtm.CommandLeave; kind++ {
		f.Add(dtm.AppendCommand(nil, dtm.Command{Kind: kind, Nodes: []protocol.NodeID{id(1), id(0)}}))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := dtm.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, dtm.AppendCommand(nil, c))
		require.NotEmpty(t, dtm.CommandText(c))
	})
}

// FuzzRestart hands a node bytes that may or may not be what an earlier life of it persisted. It
// either begins the next life, under the next incarnation at the same address, or stays what it is.
func FuzzRestart(f *testing.F) {
	f.Add(protocol.AppendNodeID(nil, id(3)))
	f.Add(protocol.AppendNodeID(nil, protocol.NodeID{Address: 1, Incarnation: 1<<16 - 1}))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, b []byte) {
		cfg := dtm.DefaultConfig(1)
		before := dtm.New(3)
		s, out := dtm.Step(&cfg, before, dtm.Input{Kind: protocol.Restart, Persisted: bytes.Clone(b)})
		if out.Persist == nil {
			require.Equal(t, before, s)
			require.Equal(t, dtm.EventIgnore, out.Events[0].Name)
			return
		}
		former := protocol.NodeID{Address: s.ID.Address, Incarnation: s.ID.Incarnation - 1}
		require.Equal(t, b, protocol.AppendNodeID(nil, former))
		require.Equal(t, dtm.State{ID: s.ID}, s, "nothing else outlives a crash")
	})
}
