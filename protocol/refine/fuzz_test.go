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

// FuzzRestart hands a node arbitrary bytes as the persisted ones. The node either starts its next
// incarnation at the same address, or stays unchanged.
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
