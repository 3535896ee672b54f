package refine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Lists are sorted, each node once, and a slot has a stage: everything else has no encoding.
func TestDecodersRefuseWhatIsNotCanonical(t *testing.T) {
	refused := func(err error) { require.ErrorIs(t, err, protocol.ErrEncoding) }
	for _, ids := range [][]protocol.NodeID{nodes(2, 1), nodes(1, 1)} {
		_, err := refine.DecodeCommand(refine.AppendCommand(nil, refine.Command{Kind: refine.CommandAdd, Nodes: ids}))
		refused(err)
		_, err = refine.DecodeMessage(refine.AppendMessage(nil, refine.List{Round: 1, Members: ids}))
		refused(err)
		report := readings(9, ids[0].Address, ids[1].Address)
		_, err = refine.DecodeMessage(refine.AppendMessage(nil, refine.Report{Round: 1, Readings: report}))
		refused(err)
		s := refine.State{Candidates: []refine.Candidate{{ID: ids[0]}, {ID: ids[1]}}}
		_, err = refine.DecodeState(refine.AppendState(nil, s))
		refused(err)
		s = refine.State{Slots: []refine.Slot{{Head: ids[0], Stage: refine.Suitor}, {Head: ids[1], Stage: refine.Suitor}}}
		_, err = refine.DecodeState(refine.AppendState(nil, s))
		refused(err)
	}
	_, err := refine.DecodeState(refine.AppendState(nil, refine.State{Slots: []refine.Slot{{Head: id(1)}}}))
	refused(err)
}
