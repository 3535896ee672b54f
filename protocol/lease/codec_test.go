package lease_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Inputs that the decoders refuse: unsorted tables, an incarnation after the last one, no kind.
func TestDecodersRefuse(t *testing.T) {
	for _, w := range []lease.Witness{
		{Lives: []lease.Life{{Address: 1}, {Address: 0}}},
		{Lives: []lease.Life{{Address: 1}, {Address: 1}}},
		{Grants: []lease.Grant{{Holder: nodeB}, {Holder: nodeA}}},
		{Grants: []lease.Grant{{Holder: nodeB}, {Holder: nodeB}}},
	} {
		_, err := lease.DecodeState(lease.AppendState(nil, lease.State{Witness: w}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	last := lease.State{Witness: lease.Witness{Lives: []lease.Life{{Incarnation: 1<<16 - 1, Condemned: 1<<16 - 1}}}}
	encoded := lease.AppendState(nil, last)
	decoded, err := lease.DecodeState(encoded)
	require.NoError(t, err)
	require.Equal(t, last, decoded)
	more := bytes.Replace(encoded, []byte{0xff, 0xff, 0x03}, []byte{0x80, 0x80, 0x04}, 1) // one more
	require.Len(t, more, len(encoded))
	_, err = lease.DecodeState(more)
	require.ErrorIs(t, err, protocol.ErrEncoding)
	for _, kind := range []byte{0, 9} {
		_, err := lease.DecodeMessage([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
		_, err = lease.DecodeCommand([]byte{kind})
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
}
