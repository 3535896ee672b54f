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
func fuzzConfig(choice byte) *can.Config {
	sizes := [][]int32{{16}, {8, 8}, {4, 8, space.MaxCoordinate}, {2, 2, 2, 2, 2, 2, 2, 2}}[choice%4]
	s, err := space.New(int(choice>>2&1), sizes...)
	if err != nil {
		panic(err)
	}
	cfg := can.DefaultConfig(s)
	return &cfg
}

// FuzzRestart hands a node arbitrary bytes as the persisted ones. The node either starts its next
// incarnation at the same address and coordinate, or stays unchanged.
func FuzzRestart(f *testing.F) {
	for choice := range byte(4) {
		cfg := fuzzConfig(choice)
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
		cfg := fuzzConfig(choice)
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

// persisted returns the bytes that a node persists: its identity and all dimensions of its
// coordinate.
func persisted(id protocol.NodeID, coord space.Point) []byte {
	b := protocol.AppendNodeID(nil, id)
	for _, v := range coord {
		b = protocol.AppendUint(b, uint64(v))
	}
	return b
}
