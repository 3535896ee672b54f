package refine_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// id returns the first incarnation at an address.
func id(address protocol.Address) protocol.NodeID {
	return protocol.NodeID{Address: address, Incarnation: 1}
}

// seeds calls for every state and every message of a run in which clusters are found, and nodes
// crash and leave.
func seeds(f *testing.F, state, message func(b []byte)) {
	f.Helper()
	cfg := refine.DefaultConfig(2, 3, diameter)
	w := newNetwork(&cfg, 4)
	w.setFar(1, 2, true)
	w.Record(state, message)
	w.startAll()
	for i, p := range w.Nodes {
		w.Command(p, refine.Command{
			Kind:  refine.CommandAdd,
			Nodes: []protocol.NodeID{id(protocol.Address(i+1) % 4), id(protocol.Address(i+2) % 4)},
		})
	}
	w.settle()
	w.Crash(w.Nodes[1])
	w.settle()
	w.Command(w.Nodes[3], refine.Command{Kind: refine.CommandLeave})
	w.settle()
	message(refine.AppendMessage(nil, refine.Leave{Round: 1}))
	message(refine.AppendMessage(nil, refine.Alive{}))
}

func FuzzDecodeState(f *testing.F) {
	seeds(f, func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := refine.DecodeState(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, refine.AppendState(nil, s))
		require.NotEmpty(t, refine.StateText(s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(f, func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Add([]byte{0})
	f.Add([]byte{12})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := refine.DecodeMessage(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			require.Nil(t, m)
			return
		}
		require.Equal(t, b, refine.AppendMessage(nil, m))
		require.NotEmpty(t, refine.MessageText(m))
		cfg := refine.DefaultConfig(2, 3, diameter)
		w := newNetwork(&cfg, 2)
		w.Start(w.Nodes[0])
		w.Command(w.Nodes[0], refine.Command{Kind: refine.CommandAdd, Nodes: []protocol.NodeID{id(1)}})
		refine.Step(&cfg, w.Nodes[0].State(), refine.Input{Kind: protocol.Deliver, From: id(1), Message: m})
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for kind := refine.CommandAdd; kind <= refine.CommandLeave; kind++ {
		f.Add(refine.AppendCommand(nil, refine.Command{Kind: kind, Nodes: []protocol.NodeID{id(0), id(1)}}))
	}
	f.Add([]byte{1, 2, 1, 1, 0, 1}) // not sorted
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := refine.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, refine.AppendCommand(nil, o))
		require.NotEmpty(t, refine.CommandText(o))
	})
}

// FuzzRestart hands a node bytes that may or may not be what an earlier life of it persisted. It
// either begins the next life, under the next incarnation at the same address, or stays what it is.
func FuzzRestart(f *testing.F) {
	f.Add(protocol.AppendNodeID(nil, id(3)))
	f.Add(protocol.AppendNodeID(nil, id(5)))
	f.Add(protocol.AppendNodeID(nil, protocol.NodeID{Address: 1, Incarnation: 1<<16 - 1}))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, b []byte) {
		cfg := refine.DefaultConfig(2, 3, diameter)
		before := refine.New(3)
		s, out := refine.Step(&cfg, before, refine.Input{Kind: protocol.Restart, Persisted: bytes.Clone(b)})
		if out.Persist == nil {
			require.Equal(t, before, s)
			require.Len(t, out.Events, 1)
			require.Equal(t, refine.EventIgnore, out.Events[0].Name)
			return
		}
		former := protocol.NodeID{Address: s.ID.Address, Incarnation: s.ID.Incarnation - 1}
		require.Equal(t, b, protocol.AppendNodeID(nil, former))
		require.Equal(t, out.Persist, protocol.AppendNodeID(nil, s.ID))
		require.NotZero(t, s.ID.Incarnation)
		require.Equal(t, refine.State{ID: s.ID}, s, "nothing else outlives a crash")
	})
}
