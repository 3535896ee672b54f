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

// Commands for a layer reach it, and come back from their encoding.
func TestCommandsForLayers(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	job := reptask.Job{Submitted: 7, Owner: s.ID(), Number: 1}
	for _, test := range []struct {
		command peer.Command
		text    string
		event   string // that the layer answers with
	}{
		{peer.Command{Kind: peer.CommandMeasure}, "measure", ""},
		{
			peer.Command{Kind: peer.CommandMove, Job: job, Target: protocol.NodeID{Address: 2, Incarnation: 1}},
			"move ",
			"tasks:" + reptask.EventIgnore,
		},
	} {
		code := c.AppendCommand(nil, test.command)
		again, err := c.DecodeCommand(code)
		require.NoError(t, err)
		assert.Equal(t, test.command, again)
		assert.Contains(t, c.CommandText(again), test.text)
		after, out := c.Step(s, peer.Input{Kind: protocol.Command, Command: again})
		assert.Equal(t, test.command.Kind == peer.CommandMeasure, after.Refine.Again)
		if test.event != "" {
			require.Len(t, out.Events, 1)
			assert.Equal(t, test.event, out.Events[0].Name)
			assert.Equal(t, "no such idle job", out.Events[0].Detail)
		}
	}
	wrong := c.AppendCommand(nil, peer.Command{Kind: peer.CommandMove, Job: job})
	submit := c.AppendCommand(nil, peer.Command{Kind: peer.CommandSubmit, Submitted: 7, Spec: reptask.Spec{Size: 1}})
	submit[0] = wrong[0]
	_, err := c.DecodeCommand(submit)
	require.ErrorIs(t, err, protocol.ErrEncoding, "a move that is none")
}
