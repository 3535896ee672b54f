package can_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// A node draws one of the coordinates that there are. Until then it takes part in nothing.
func TestDrawing(t *testing.T) {
	s, err := space.New(1, 8, 4)
	require.NoError(t, err)
	cfg := can.DefaultConfig(s)
	node, _ := can.Step(&cfg, can.New(1, space.Point{3}), can.Input{Kind: protocol.Start})
	join := can.Command{Kind: can.CommandJoin, Contact: letter('A')}
	drawing, out := can.Step(&cfg, node, can.Input{Kind: protocol.Command, Command: join})
	require.Equal(t, can.Drawing, drawing.Phase)
	require.Equal(t, uint32(4), out.Choose)

	for _, in := range []can.Input{
		{Kind: protocol.Chosen, Choice: 4},
		{Kind: protocol.Chosen, Choice: 5},
		{Kind: protocol.Deliver, From: letter('A'), Message: can.Propose{Round: 1, Kind: can.Split, Subject: letter('B')}},
	} {
		after, out := can.Step(&cfg, drawing, in)
		requireSame(t, &cfg, drawing, after)
		assert.Empty(t, out.Send)
		require.Len(t, out.Events, 1)
		assert.Equal(t, can.EventIgnore, out.Events[0].Name)
	}

	after, out := can.Step(&cfg, drawing, can.Input{Kind: protocol.Chosen, Choice: 3})
	assert.Equal(t, can.Joining, after.Phase)
	assert.Equal(t, space.Point{3, 3}, after.Self.Coord)
	assert.Equal(t, []string{"A Join B @(3,3) hops 0"}, sent(&cfg, out))
}

// A later incarnation has the coordinate that was persisted, and nothing else of the former one.
// Bytes that do not fit the space are refused.
func TestRestart(t *testing.T) {
	cfg := plain(t, 8)
	_, out := can.Step(cfg, can.New(1, space.Point{5}), can.Input{Kind: protocol.Start})
	again := can.Input{Kind: protocol.Restart, Persisted: out.Persist}
	for _, former := range []can.State{can.New(1, space.Point{5}), can.New(2, space.Point{6}), promised()} {
		s, _ := can.Step(cfg, former, again)
		id := protocol.NodeID{Address: 1, Incarnation: 2}
		assert.Equal(t, can.State{Self: can.Record{ID: id, Coord: space.Point{5}}}, s)
	}

	s, out := can.Step(plain(t, 5), can.New(1, space.Point{4}), again)
	assert.Equal(t, can.New(1, space.Point{4}), s)
	assert.Nil(t, out.Persist)
	assert.Len(t, out.Events, 1)
}
