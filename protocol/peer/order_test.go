package peer_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Orders for a layer reach it, and come back from their encoding.
func TestOrdersForLayers(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	job := reptask.Job{Submitted: 7, Owner: s.ID(), Number: 1}
	for _, test := range []struct {
		order peer.Order
		text  string
		event string // that the layer answers with
	}{
		{peer.Order{Kind: peer.OrderMeasure}, "measure", ""},
		{peer.Order{Kind: peer.OrderMove, Job: job, Target: protocol.NodeID{Address: 2, Incarnation: 1}}, "move ", "tasks:" + reptask.EventIgnore},
	} {
		code := c.AppendCommand(nil, test.order)
		again, err := c.DecodeCommand(code)
		require.NoError(t, err)
		assert.Equal(t, test.order, again)
		assert.Contains(t, c.CommandText(again), test.text)
		after, out := c.Step(s, peer.Input{Kind: protocol.Command, Command: again})
		assert.Equal(t, test.order.Kind == peer.OrderMeasure, after.Refine.Again)
		if test.event != "" {
			require.Len(t, out.Events, 1)
			assert.Equal(t, test.event, out.Events[0].Name)
			assert.Equal(t, "no such idle job", out.Events[0].Detail)
		}
	}
	wrong := c.AppendCommand(nil, peer.Order{Kind: peer.OrderMove, Job: job})
	submit := c.AppendCommand(nil, peer.Order{Kind: peer.OrderSubmit, Submitted: 7, Spec: reptask.Spec{Size: 1}})
	submit[0] = wrong[0]
	_, err := c.DecodeCommand(submit)
	require.ErrorIs(t, err, protocol.ErrEncoding, "a move that is none")
}
