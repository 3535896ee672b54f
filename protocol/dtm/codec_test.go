package dtm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

func TestStateCodec(t *testing.T) {
	drivetest.Codec[dtm.State]{
		Draw:   func(t *rapid.T) dtm.State { return generator{t, strangers}.state() },
		Encode: dtm.AppendState, Decode: dtm.DecodeState, Text: dtm.StateText,
	}.Test(t)
}

func TestMessageCodec(t *testing.T) {
	drivetest.Codec[dtm.Message]{
		Draw:   func(t *rapid.T) dtm.Message { return generator{t, strangers}.message() },
		Encode: dtm.AppendMessage, Decode: dtm.DecodeMessage, Text: dtm.MessageText,
	}.Test(t)
}

func TestCommandCodec(t *testing.T) {
	drivetest.Codec[dtm.Command]{
		Draw:   func(t *rapid.T) dtm.Command { return generator{t, strangers}.command() },
		Encode: dtm.AppendCommand, Decode: dtm.DecodeCommand, Text: dtm.CommandText,
	}.Test(t)
}

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
