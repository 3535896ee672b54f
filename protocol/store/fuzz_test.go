package store_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// seeds calls for every state and every message of a run with operations, a join and a leave.
func seeds(cfg *store.Config, state, message func(b []byte)) {
	w := newNetwork(cfg)
	w.Record(state, message)
	w.found(space.Point{2, 1}, space.Point{10, 1}, space.Point{5, 6})
	for i, p := range w.Nodes {
		put := store.Operation{ID: uint32(i), Kind: store.Put, Key: space.Point{10, 1}, Value: 1}
		w.Command(p, store.CommandOperation(put))
	}
	w.Command(w.Nodes[1], store.CommandMap(can.Command{Kind: can.CommandLeave}))
	w.settle()
}

func FuzzDecodeState(f *testing.F) {
	cfg := newConfig(16, 8)
	seeds(cfg, func(b []byte) { f.Add(b) }, func([]byte) {})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := store.DecodeState(cfg, bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, store.AppendState(cfg, nil, s))
		require.NotEmpty(t, store.StateText(cfg, s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	cfg := newConfig(16, 8)
	seeds(cfg, func([]byte) {}, func(b []byte) { f.Add(b) })
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := store.DecodeMessage(cfg, bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			require.Nil(t, m)
			return
		}
		require.Equal(t, b, store.AppendMessage(cfg, nil, m))
		require.NotEmpty(t, store.MessageText(cfg, m))
		w := newNetwork(cfg)
		w.found(space.Point{2, 1}, space.Point{10, 1})
		store.Step(cfg, w.Nodes[1].State(), store.Input{Kind: protocol.Deliver, From: w.Nodes[0].ID(), Message: m})
	})
}

func FuzzDecodeCommand(f *testing.F) {
	cfg := newConfig(16, 8)
	f.Add(store.AppendCommand(cfg, nil, store.CommandMap(can.Command{Kind: can.CommandLeave})))
	lookup := store.Operation{ID: 1, Kind: store.Lookup, Key: space.Point{3, 4}}
	f.Add(store.AppendCommand(cfg, nil, store.CommandOperation(lookup)))
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := store.DecodeCommand(cfg, bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, store.AppendCommand(cfg, nil, o))
		require.NotEmpty(t, store.CommandText(cfg, o))
	})
}
