package dtm_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// FuzzRestart hands a node arbitrary bytes as the persisted ones. The node either starts its next
// incarnation at the same address, or stays unchanged.
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
