package can_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// A list of records that is not sorted, or that has one of them twice, is no encoding.
func TestRecordsMustBeSorted(t *testing.T) {
	s, err := space.New(0, 8)
	require.NoError(t, err)
	cfg := can.DefaultConfig(s)
	a, b := can.Record{ID: nodeA}, can.Record{ID: nodeB}
	for _, records := range [][]can.Record{{b, a}, {a, a}} {
		_, err := can.DecodeMessage(&cfg, can.AppendMessage(&cfg, nil, can.Answer{Records: records}))
		require.ErrorIs(t, err, protocol.ErrEncoding)
	}
	_, err = can.DecodeMessage(&cfg, can.AppendMessage(&cfg, nil, can.Answer{Records: []can.Record{a, b}}))
	require.NoError(t, err)
}
