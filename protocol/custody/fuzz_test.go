package custody_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

func FuzzDecodeDisk(f *testing.F) {
	s, out := after(custody.New(nodeA, addresses(1)), given(accept()), given(permit(1, attempt)))
	require.True(f, s.Leads())
	f.Add(out.Persist)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := custody.DecodeDisk(bytes.Clone(b))
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
		}
		step(custody.New(nodeA, addresses(2)), custody.Input{Kind: protocol.Restart, Persisted: b})
	})
}
