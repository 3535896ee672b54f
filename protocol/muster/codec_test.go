package muster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// Inputs that the decoders refuse: unsorted members, too many ports, no kind.
func TestDecodersRefuse(t *testing.T) {
	member := func(id protocol.NodeID) muster.Member { return muster.Member{Host: id} }
	for _, members := range [][]muster.Member{{member(nodeB), member(nodeA)}, {member(nodeA), member(nodeA)}} {
		s := muster.State{Rep: muster.Rep{Phase: muster.RepGathering, Members: members}}
		_, err := muster.DecodeState(muster.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	ports := make([]uint16, muster.PortLimit)
	most := muster.Message{Kind: muster.Here, Ports: ports}
	_, err := muster.DecodeMessage(muster.AppendMessage(nil, most))
	require.NoError(t, err)
	most.Ports = append(ports, 0)
	_, err = muster.DecodeMessage(muster.AppendMessage(nil, most))
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, byte(muster.Closed) + 1} {
		_, err := muster.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	for _, kind := range []byte{0, byte(muster.CommandKept) + 1} {
		_, err := muster.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}
