package can_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// row returns a quiescent network of nodes in a row.
func row(t *testing.T, size int32, coords ...int32) *network {
	t.Helper()
	s, err := space.New(0, size)
	require.NoError(t, err)
	var points []space.Point
	for _, x := range coords {
		points = append(points, space.Point{x})
	}
	return settled(t, s, points...)
}

// settled returns a quiescent network of nodes that have joined one after the other.
func settled(t *testing.T, s space.Space, points ...space.Point) *network {
	t.Helper()
	cfg := can.DefaultConfig(s)
	w := newNetwork(&cfg, points...)
	require.True(t, w.found(w.Nodes...))
	w.checkQuiescent()
	require.NoError(t, w.Broken)
	return w
}

// A node that is notified that it was declared dead stops: it gives up its round and its timers,
// and later inputs change nothing.
func TestFence(t *testing.T) {
	w := row(t, 16, 2, 10)
	a, b := w.Nodes[0], w.Nodes[1]
	w.Command(a, can.Command{Kind: can.CommandLeave})
	require.NotEmpty(t, a.Pending())
	news := can.Update{Self: b.State().Self, Neighbours: []can.Record{a.State().Self}, Dead: []protocol.NodeID{nodeA}}
	w.Hand(can.Envelope{From: nodeB, To: nodeA, Message: news})
	assert.EqualError(t, w.Broken, "A was fenced without a suspicion", "the network noticed it, too")
	fenced := a.State()
	assert.Equal(t, can.Departed, fenced.Phase)
	assert.False(t, fenced.Busy())
	assert.Empty(t, a.Pending())

	bytes := can.AppendState(w.cfg, nil, fenced)
	late := []can.Message{
		news, can.ProposeOK{Round: fenced.Round, Yes: true}, can.Join{Joiner: nodeB}, can.Propose{Round: 9},
	}
	for _, m := range late {
		s, out := can.Step(w.cfg, fenced, can.Input{Kind: protocol.Deliver, From: nodeB, Message: m})
		assert.Equal(t, bytes, can.AppendState(w.cfg, nil, s))
		assert.Empty(t, out.Send)
	}

	// A repeated message is acknowledged: its process may run on.
	s, out := can.Step(w.cfg, fenced, can.Input{Kind: protocol.Deliver, From: nodeB, Message: can.Commit{Round: 3}})
	assert.Equal(t, bytes, can.AppendState(w.cfg, nil, s))
	assert.Equal(t, []can.Envelope{{From: nodeA, To: nodeB, Message: can.CommitOK{Round: 3}}}, out.Send)
}

// An input that is not for a node, or not for it now, changes nothing and is reported.
func TestIgnored(t *testing.T) {
	w := row(t, 16, 2, 10)
	member, outside := w.Nodes[0].State(), can.New(7, space.Point{3})
	stranger := protocol.NodeID{Address: 9, Incarnation: 1}
	bereaved := member
	bereaved.Dead = []protocol.NodeID{stranger}
	deliver := func(from protocol.NodeID, m can.Message) can.Input {
		return can.Input{Kind: protocol.Deliver, From: from, Message: m}
	}
	command := func(kind can.CommandKind) can.Input {
		return can.Input{Kind: protocol.Command, Command: can.Command{Kind: kind, Contact: nodeB}}
	}
	tests := []struct {
		name  string
		state can.State
		in    can.Input
	}{
		{"a measurement", member, can.Input{Kind: protocol.Measured, From: nodeB}},
		{"no kind of input", member, can.Input{}},
		{"no message", member, deliver(nodeB, nil)},
		{"no such timer", member, can.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 99}}},
		{"a choice that was not asked for", member, can.Input{Kind: protocol.Chosen}},
		{"create when a member", member, command(can.CommandCreate)},
		{"join when a member", member, command(can.CommandJoin)},
		{"leave when outside", outside, command(can.CommandLeave)},
		{"a message when outside", outside, deliver(nodeB, can.Join{Joiner: stranger, Coord: space.Point{3}})},
		{"a refusal when a member", member, deliver(nodeB, can.Refuse{})},
		{"a release without a promise", member, deliver(nodeB, can.Release{Round: 1})},
		{"an acknowledgement without a round", member, deliver(nodeB, can.CommitOK{Round: 1})},
		{
			"an answer without a question",
			member,
			deliver(nodeB, can.Answer{Proposer: nodeB, Round: 1, Records: []can.Record{{ID: stranger}}}),
		},
		{"a join without an identity", member, deliver(nodeB, can.Join{Coord: space.Point{3}})},
		{"a join of itself", member, deliver(nodeB, can.Join{Joiner: nodeA, Coord: space.Point{3}})},
		{"a join outside of the space", member, deliver(nodeB, can.Join{Joiner: stranger, Coord: space.Point{16}})},
		{"a join of a member", member, deliver(nodeB, can.Join{Joiner: nodeB, Coord: space.Point{3}})},
		{"a join of a zombie", bereaved, deliver(nodeB, can.Join{Joiner: stranger, Coord: space.Point{3}})},
		{"another's update", member, deliver(nodeB, can.Update{Self: can.Record{ID: stranger, Version: 9, Epoch: 9}})},
		{"bytes that no life persisted", outside, can.Input{Kind: protocol.Restart, Persisted: []byte{1, 2, 3}}},
		{"nothing persisted", outside, can.Input{Kind: protocol.Restart}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, out := can.Step(w.cfg, test.state, test.in)
			assert.Equal(t, can.AppendState(w.cfg, nil, test.state), can.AppendState(w.cfg, nil, s))
			assert.Empty(t, out.Send)
			assert.Empty(t, out.Persist)
			require.Len(t, out.Events, 1)
			assert.Equal(t, can.EventIgnore, out.Events[0].Name)
			assert.NotEmpty(t, out.Events[0].Detail)
		})
	}
}

// A request that took too many hops is refused, and so is a request that cannot be brought nearer.
// The refusal goes to the joiner.
func TestJoinIsRefused(t *testing.T) {
	w := row(t, 16, 2, 10)
	joiner := protocol.NodeID{Address: 5, Incarnation: 1}
	far := can.Join{Joiner: joiner, Coord: space.Point{12}, Hops: w.cfg.HopLimit}
	_, out := can.Step(w.cfg, w.Nodes[0].State(), can.Input{Kind: protocol.Deliver, From: nodeB, Message: far})
	assert.Equal(t, []can.Envelope{{From: nodeA, To: joiner, Message: can.Refuse{}}}, out.Send)

	far.Hops--
	_, out = can.Step(w.cfg, w.Nodes[0].State(), can.Input{Kind: protocol.Deliver, From: nodeB, Message: far})
	far.Hops++
	assert.Equal(t, []can.Envelope{{From: nodeA, To: nodeB, Message: far}}, out.Send)

	taken := can.Join{Joiner: joiner, Coord: space.Point{2}}
	_, out = can.Step(w.cfg, w.Nodes[0].State(), can.Input{Kind: protocol.Deliver, From: nodeB, Message: taken})
	assert.Equal(t, []can.Envelope{{From: nodeA, To: joiner, Message: can.Refuse{Occupied: true}}}, out.Send)
}

// The dead are remembered up to a limit, the oldest forgotten first.
func TestDeadLimit(t *testing.T) {
	w := row(t, 16, 2, 10)
	cfg := *w.cfg
	cfg.DeadLimit = 3
	s, b := w.Nodes[0].State(), w.Nodes[1].State().Self
	var dead []protocol.NodeID
	for i := range 5 {
		dead = append(dead, protocol.NodeID{Address: 10, Incarnation: uint16(i + 1)})
		s, _ = can.Step(&cfg, s, can.Input{Kind: protocol.Deliver, From: nodeB, Message: can.Update{Self: b, Dead: dead[i:]}})
		require.LessOrEqual(t, len(s.Dead), 3)
	}
	assert.Equal(t, dead[2:], s.Dead)
	assert.False(t, s.IsDead(dead[0]))
	assert.True(t, s.IsDead(dead[4]))
}

// A taker does not need all records around a hole: those that face it are enough. B is beside all
// others (see the script three_takers); of its neighbours E forgets C, which is far from E.
func TestTakeoverKnowsWhatFaces(t *testing.T) {
	s, err := space.New(0, 4, 64)
	require.NoError(t, err)
	w := settled(t, s, space.Point{1, 25}, space.Point{0, 28}, space.Point{2, 18}, space.Point{1, 28}, space.Point{1, 46})
	b, c, e := w.Nodes[1].ID(), w.Nodes[2].ID(), w.Nodes[4].State()
	e.Known = slices.DeleteFunc(slices.Clone(e.Known), func(r can.Record) bool { return r.ID == c })
	_, out := can.Step(w.cfg, e, can.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: can.MissedTimer, Peer: b}})
	assert.Contains(t, out.Events, protocol.Event{Name: can.EventRequest, Peer: b, Number: 1, Detail: "TAKEOVER"})
}

// A message from a peer starts the timer of that peer afresh, and no other.
func TestSignOfLife(t *testing.T) {
	w := row(t, 16, 2, 10, 14)
	b, c := w.Nodes[1], w.Nodes[2].State().Self
	in := can.Input{
		Kind:    protocol.Deliver,
		From:    c.ID,
		Message: can.Update{Self: c, Neighbours: []can.Record{b.State().Self}},
	}
	_, out := can.Step(w.cfg, b.State(), in)
	ticks := w.cfg.UpdateTicks * w.cfg.MissedUpdates
	missed := protocol.Timer{Kind: can.MissedTimer, Peer: c.ID}
	assert.Equal(t, []protocol.SetTimer{{Timer: missed, MinTicks: ticks, MaxTicks: ticks}}, out.Set)
	assert.Empty(t, out.Cancel)
}

// The delay before a retry is drawn from a range.
func TestRetryIsDrawn(t *testing.T) {
	w := row(t, 16, 2)
	s, out := can.Step(w.cfg, can.New(5, space.Point{9}), can.Input{Kind: protocol.Start})
	require.NotNil(t, out.Persist)
	_, out = can.Step(
		w.cfg,
		s,
		can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandJoin, Contact: nodeA}},
	)
	assert.Equal(t, []protocol.SetTimer{{
		Timer: protocol.Timer{Kind: can.RetryTimer}, MinTicks: w.cfg.RetryMinTicks, MaxTicks: w.cfg.RetryMaxTicks,
	}}, out.Set)
}
