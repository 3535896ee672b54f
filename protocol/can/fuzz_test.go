package can_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// fuzzConfig returns one of a few configurations: how many dimensions there are decides what bytes
// mean.
func fuzzConfig(tb testing.TB, choice byte) *can.Config {
	tb.Helper()
	sizes := [][]int32{{16}, {8, 8}, {4, 8, space.MaxCoordinate}, {2, 2, 2, 2, 2, 2, 2, 2}}[choice%4]
	s, err := space.New(choice&4 != 0, sizes...)
	require.NoError(tb, err)
	cfg := can.DefaultConfig(s)
	return &cfg
}

// seeds calls for every state and every message of a run in which nodes join, leave and crash.
func seeds(f *testing.F, state func(choice byte, b []byte), message func(choice byte, b []byte)) {
	f.Helper()
	for choice := range byte(4) {
		cfg := fuzzConfig(f, choice)
		var coords []space.Point
		for i := range int32(4) {
			p := space.Point{i % cfg.Space.Size[0], i / 2 % 2, i % 2}
			for k := cfg.Space.Dims; k < len(p); k++ {
				p[k] = 0
			}
			coords = append(coords, p)
		}
		w := newNetwork(cfg, coords...)
		w.Record(func(b []byte) { state(choice, b) }, func(b []byte) { message(choice, b) })
		for i, p := range w.Nodes {
			w.Start(p)
			kind := can.CommandJoin
			if i == 0 {
				kind = can.CommandCreate
			}
			w.Command(p, can.Command{Kind: kind, Contact: nodeA})
			w.Drain()
		}
		w.Command(w.Nodes[3], can.Command{Kind: can.CommandLeave})
		w.Drain()
		w.Crash(w.Nodes[1])
		w.settle()
	}
}

func FuzzDecodeState(f *testing.F) {
	seeds(f, func(choice byte, b []byte) { f.Add(choice, b) }, func(byte, []byte) {})
	f.Fuzz(func(t *testing.T, choice byte, b []byte) {
		cfg := fuzzConfig(t, choice)
		s, err := can.DecodeState(cfg, bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, can.AppendState(cfg, nil, s))
		require.NotEmpty(t, can.StateText(cfg, s))
	})
}

func FuzzDecodeMessage(f *testing.F) {
	seeds(f, func(byte, []byte) {}, func(choice byte, b []byte) { f.Add(choice, b) })
	f.Add(byte(0), []byte{0})
	f.Add(byte(0), []byte{11})
	f.Add(byte(1), []byte{2, 2})
	f.Fuzz(func(t *testing.T, choice byte, b []byte) {
		cfg := fuzzConfig(t, choice)
		m, err := can.DecodeMessage(cfg, bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			require.Nil(t, m)
			return
		}
		require.Equal(t, b, can.AppendMessage(cfg, nil, m))
		require.NotEmpty(t, can.MessageText(cfg, m))
		w := newNetwork(cfg, space.Point{})
		w.Start(w.Nodes[0])
		w.Command(w.Nodes[0], can.Command{Kind: can.CommandCreate})
		can.Step(cfg, w.Nodes[0].State(), can.Input{Kind: protocol.Deliver, From: nodeB, Message: m})
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for kind := can.CommandCreate; kind <= can.CommandLeave; kind++ {
		f.Add(can.AppendCommand(nil, can.Command{Kind: kind, Contact: nodeB}))
	}
	f.Add([]byte{3, 0, 0})
	f.Add([]byte{1, 0x80, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := can.DecodeCommand(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, b, can.AppendCommand(nil, o))
		require.NotEmpty(t, can.CommandText(o))
	})
}

// FuzzRestart hands a node bytes that may or may not be what an earlier life of it persisted. It
// either begins the next life, under the next incarnation, at the same address and coordinate, or
// stays what it is.
func FuzzRestart(f *testing.F) {
	for choice := range byte(4) {
		cfg := fuzzConfig(f, choice)
		_, out := can.Step(cfg, can.New(3, space.Point{1}), can.Input{Kind: protocol.Start})
		f.Add(choice, out.Persist)
		_, out = can.Step(cfg, can.New(3, space.Point{1}), can.Input{Kind: protocol.Restart, Persisted: out.Persist})
		f.Add(choice, out.Persist)
		f.Add(choice, out.Persist[1:])
		f.Add(choice, append(bytes.Clone(out.Persist), 0))
	}
	last := protocol.AppendNodeID(nil, protocol.NodeID{Address: 1, Incarnation: 1<<16 - 1})
	f.Add(byte(0), append(last, make([]byte, space.MaxDimensions)...))
	f.Fuzz(func(t *testing.T, choice byte, b []byte) {
		cfg := fuzzConfig(t, choice)
		before := can.New(3, space.Point{1})
		s, out := can.Step(cfg, before, can.Input{Kind: protocol.Restart, Persisted: bytes.Clone(b)})
		if out.Persist == nil {
			require.Equal(t, before, s)
			require.Len(t, out.Events, 1)
			require.Equal(t, can.EventIgnore, out.Events[0].Name)
			return
		}
		former := protocol.NodeID{Address: s.Self.ID.Address, Incarnation: s.Self.ID.Incarnation - 1}
		require.Equal(t, b, persisted(former, s.Self.Coord))
		require.Equal(t, out.Persist, persisted(s.Self.ID, s.Self.Coord))
		require.NotZero(t, s.Self.ID.Incarnation)
		require.Equal(t, can.State{Self: can.Record{ID: s.Self.ID, Coord: s.Self.Coord}}, s, "nothing else outlives a crash")
	})
}

// persisted is what a node persists of itself: its identity and all dimensions of its coordinate.
func persisted(id protocol.NodeID, coord space.Point) []byte {
	b := protocol.AppendNodeID(nil, id)
	for _, v := range coord {
		b = protocol.AppendUint(b, uint64(v))
	}
	return b
}
