package peer_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
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

// Reported queue lengths reach the task layer, those of the node's cluster and no others. They stay
// when the cluster has not changed.
func TestReportedQueues(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	other := protocol.NodeID{Address: 2, Incarnation: 1}
	s.Tasks.Cluster = []reptask.Neighbour{{ID: s.ID()}, {ID: other, Length: 1}}
	report := peer.Command{Kind: peer.CommandQueues, Queues: []reptask.Queue{
		{Node: other, Length: 7}, {Node: protocol.NodeID{Address: 9, Incarnation: 1}, Length: 4},
	}}
	after, out := c.Step(s, peer.Input{Kind: protocol.Command, Command: report})
	assert.Empty(t, out.Events)
	assert.Equal(t, []reptask.Neighbour{{ID: s.ID()}, {ID: other, Length: 7}}, after.Tasks.Cluster)
	assert.Equal(t, uint32(1), s.Tasks.Cluster[1].Length, "the former state is unchanged")
	assert.Equal(t, "queues B.2:7", c.CommandText(peer.Command{
		Kind: peer.CommandQueues, Queues: []reptask.Queue{{Node: protocol.NodeID{Address: 1, Incarnation: 2}, Length: 7}},
	}))
}

// The task layer drops a member of the cluster that was silent. When the application names it
// again, jobs are run with it again, and with no node outside the cluster.
func TestSilentMembersComeBack(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	self, silent, far := s.ID(), protocol.NodeID{Address: 2, Incarnation: 1}, protocol.NodeID{Address: 3, Incarnation: 1}
	absent := protocol.NodeID{Address: 4, Incarnation: 1}
	s.Refine.Slots = []refine.Slot{{
		Head: silent, Stage: refine.Committed, ClusterRound: 1, Members: []protocol.NodeID{self, silent, absent},
	}}
	s.Tasks.Cluster = []reptask.Neighbour{{ID: self, Length: 2}}
	near := peer.Command{Kind: peer.CommandNear, Near: []protocol.NodeID{self, silent, far}}
	after, _ := c.Step(s, peer.Input{Kind: protocol.Command, Command: near})
	assert.Equal(t, []reptask.Neighbour{{ID: self, Length: 2}, {ID: silent}}, after.Tasks.Cluster)
	assert.Len(t, s.Tasks.Cluster, 1, "the former state is unchanged")
}

// A member owns a job that was brought to it, with the candidates that came with it. A node outside
// the grid does not.
func TestJobsOfOtherMatchmaking(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	candidate := protocol.NodeID{Address: 2, Incarnation: 1}
	own := peer.Command{
		Kind: peer.CommandOwn, Submitted: 7, Spec: reptask.Spec{Size: 1}, Candidates: []protocol.NodeID{candidate},
	}
	assert.Contains(t, c.CommandText(own), "own: submit")
	_, out := c.Step(s, peer.Input{Kind: protocol.Command, Command: own})
	require.Len(t, out.Events, 1)
	assert.Equal(t, peer.EventIgnore, out.Events[0].Name)

	member, _ := c.Step(s, peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}})
	after, out := c.Step(member, peer.Input{Kind: protocol.Command, Command: own})
	require.Len(t, after.Tasks.Owned, 1)
	assert.Equal(t, reptask.Job{Submitted: 7, Owner: s.ID(), Number: 1}, after.Tasks.Owned[0].Job)
	require.Len(t, out.Send, 1)
	assert.Equal(t, candidate, out.Send[0].To)

	code := c.AppendCommand(nil, own)
	code[0] = c.AppendCommand(nil, peer.Command{Kind: peer.CommandMove})[0]
	_, err := c.DecodeCommand(code)
	require.ErrorIs(t, err, protocol.ErrEncoding, "a move that is none")
	move := c.AppendCommand(nil, peer.Command{Kind: peer.CommandMove, Job: reptask.Job{Number: 1}})
	move[0] = c.AppendCommand(nil, own)[0]
	_, err = c.DecodeCommand(move)
	require.ErrorIs(t, err, protocol.ErrEncoding, "a job that is none")
}

// The timer of a layer has one name at the node, and the node finds its layer.
func TestTimersOfLayers(t *testing.T) {
	own := protocol.Timer{Kind: reptask.BeatTimer, Peer: protocol.NodeID{Address: 3, Incarnation: 1}}
	of, timer := peer.LayerOf(peer.TimerOf(peer.TaskLayer, own))
	assert.Equal(t, peer.TaskLayer, of)
	assert.Equal(t, own, timer)
	assert.Equal(t, peer.RunTimer(), peer.TimerOf(peer.TaskLayer, protocol.Timer{Kind: reptask.RunTimer}))
}

// A job that no cluster can run, however large, ends where it was submitted. Every other job goes
// on, in a message that can be encoded.
func TestImpossibleJobs(t *testing.T) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	s, _ = c.Step(s, peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}})
	for _, test := range []struct {
		spec     reptask.Spec
		possible bool
	}{
		{reptask.Spec{}, false},
		{reptask.Spec{Size: protocol.MaxItems + 1}, false},
		{reptask.Spec{Size: 1, Over: 999}, false},
		{reptask.Spec{Size: 1, Over: reptask.OverNone}, true},
		{reptask.Spec{Size: protocol.MaxItems}, true},
	} {
		submit := peer.Command{Kind: peer.CommandSubmit, Ticket: 7, Spec: test.spec}
		_, out := c.Step(s, peer.Input{Kind: protocol.Command, Command: submit})
		refused := protocol.Event{Name: peer.EventUnmatched, Peer: s.ID(), Number: 7, Detail: peer.Nobody.String()}
		if !test.possible {
			assert.Equal(t, []protocol.Event{refused}, out.Events)
			assert.Empty(t, out.Send)
			continue
		}
		assert.NotContains(t, out.Events, refused)
		require.NotEmpty(t, out.Events)
		job := peer.Job{Entry: s.ID(), Ticket: 7, Spec: test.spec}
		again, err := c.DecodeMessage(c.AppendMessage(nil, job))
		require.NoError(t, err)
		assert.Equal(t, job, again)
	}
}
