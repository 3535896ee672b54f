package dtm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Sorted lists are sorted, lengths are not negative, and answers and commands have a kind: all else
// has no encoding.
func TestDecodersRefuseWhatIsNotCanonical(t *testing.T) {
	for name, s := range map[string]dtm.State{
		"waiting":  {Departure: dtm.Departure{Waiting: []protocol.NodeID{id(2), id(1)}}},
		"siblings": {Siblings: []dtm.Child{{Host: id(1)}, {Host: id(1)}}},
		"branches": {Branches: []dtm.Branch{{Child: dtm.Child{Host: id(2)}}, {Child: dtm.Child{Host: id(1)}}}},
		"links":    {Links: []dtm.Link{{Peer: id(2)}, {Peer: id(1)}}},
		"latency":  {Search: dtm.Search{Latencies: []dtm.Latency{{Host: id(2)}, {Host: id(1)}}}},
		"length":   {Segment: dtm.Segment{Length: -1}},
		"answer":   {Search: dtm.Search{Answers: []dtm.Answer{{}}}},
		"label":    {Above: make(dtm.Label, 1<<10)},
	} {
		_, err := dtm.DecodeState(dtm.AppendState(nil, s))
		require.ErrorIs(t, err, protocol.ErrEncoding, name)
	}
	_, err := dtm.DecodeCommand(dtm.AppendCommand(nil, dtm.Command{}))
	require.ErrorIs(t, err, protocol.ErrEncoding)
}
