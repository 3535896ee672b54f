package custody_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// The largest values that the decoders take.
func TestDecodersTakeTheLargest(t *testing.T) {
	s := custody.New(nodeA, []protocol.Address{0, 1, 2})
	s.Lives[1] = custody.Life{Known: 1<<16 - 1, Dead: 1<<16 - 1}
	s.Disk.Record.Outcome = custody.Digest(make([]byte, custody.DigestLimit))
	decoded, err := custody.DecodeState(custody.AppendState(nil, s))
	require.NoError(t, err)
	require.Equal(t, s, decoded)
}

// Inputs that the decoders refuse: a node that is no custodian, one listed twice, too many members,
// a list of answers that does not fit the view, a digest that is too long, no kind.
func TestDecodersRefuse(t *testing.T) {
	refuses := func(s custody.State) {
		_, err := custody.DecodeState(custody.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	refuses(custody.New(nodeC, []protocol.Address{0, 1}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 0}))
	refuses(custody.New(nodeA, []protocol.Address{0, 1, 2, 3}))
	s := custody.New(nodeA, []protocol.Address{0, 1})
	s.Disk.View.Members = []protocol.NodeID{nodeA, nodeB}
	s.Primary.Acked = []bool{true}
	refuses(s)
	s.Primary.Acked, s.Disk.View.Members = nil, make([]protocol.NodeID, custody.Most+1)
	refuses(s)
	c := custody.Command{Kind: custody.CommandOutcome, Outcome: custody.Digest(make([]byte, custody.DigestLimit+1))}
	_, err := custody.DecodeCommand(custody.AppendCommand(nil, c))
	require.ErrorIs(t, err, protocol.ErrEncoding)
	_, err = custody.DecodeDisk(nil)
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, 11} {
		_, err := custody.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = custody.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}
