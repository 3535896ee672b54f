package peer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func fuzzCore() *peer.Core {
	s, err := space.New(false, 16)
	if err != nil {
		panic(err)
	}
	c := &peer.Core{Config: peer.DefaultConfig(s, 3, 3, 100)}
	c.Config.Predicts = true
	return c
}

// fuzzDecoder demands that whatever is decoded encodes to the bytes that it came from.
func fuzzDecoder[T any](f *testing.F, encode func([]byte, T) []byte, decode func([]byte) (T, error)) {
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := decode(src)
		if err != nil {
			require.ErrorIs(t, err, protocol.ErrEncoding)
			return
		}
		require.Equal(t, src, encode(nil, v))
	})
}

func FuzzDecodeState(f *testing.F) {
	c := fuzzCore()
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	f.Add(c.AppendState(nil, s))
	fuzzDecoder(f, c.AppendState, c.DecodeState)
}

func FuzzDecodeMessage(f *testing.F) {
	c := fuzzCore()
	f.Add(c.AppendMessage(nil, peer.Job{Entry: protocol.NodeID{Incarnation: 1}, Spec: reptask.Spec{Size: 2}}))
	orphan := reptask.Job{Submitted: 3, Owner: protocol.NodeID{Incarnation: 1}, Number: 1}
	entry := protocol.NodeID{Address: 1, Incarnation: 1}
	f.Add(c.AppendMessage(nil, peer.Job{Entry: entry, Orphan: orphan, Spec: reptask.Spec{Size: 2}}))
	f.Add(c.AppendMessage(nil, peer.Heir{Orphan: orphan, Candidates: []protocol.NodeID{{Address: 2, Incarnation: 1}}}))
	f.Add(c.AppendMessage(nil, peer.Owned{Ticket: 1, Number: 2}))
	f.Add(c.AppendMessage(nil, peer.TreeMessage{Of: dtm.Refuse{Version: 7}}))
	f.Add(c.AppendMessage(nil, peer.Unmatched{Ticket: 1, Why: peer.Limited}))
	search := match.Begin(entry)
	last := protocol.NodeID{Address: 2, Incarnation: 1}
	search.Steps = append(search.Steps, match.Step{Node: orphan.Owner, Left: true}, match.Step{Node: last})
	f.Add(c.AppendMessage(nil, peer.Job{Entry: entry, Spec: reptask.Spec{Size: 2}, Search: search}))
	fuzzDecoder(f, c.AppendMessage, c.DecodeMessage)
}

func FuzzDecodeCommand(f *testing.F) {
	c := fuzzCore()
	for _, command := range []peer.Command{
		{Kind: peer.CommandSubmit, Ticket: 1, Spec: reptask.Spec{Size: 1}},
		{Kind: peer.CommandCancel, Ticket: 1, Contact: protocol.NodeID{Incarnation: 1}},
		{Kind: peer.CommandLeave},
		{Kind: peer.CommandCordon},
		{Kind: peer.CommandUncordon},
		{
			Kind:   peer.CommandMove,
			Job:    reptask.Job{Submitted: 3, Number: 1},
			Target: protocol.NodeID{Address: 2, Incarnation: 1},
		},
		{Kind: peer.CommandQueues, Queues: []reptask.Queue{{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Length: 3}}},
		{
			Kind: peer.CommandOwn, Submitted: 3, Spec: reptask.Spec{Size: 1},
			Candidates: []protocol.NodeID{{Address: 2, Incarnation: 1}},
		},
	} {
		f.Add(c.AppendCommand(nil, command))
	}
	fuzzDecoder(f, c.AppendCommand, c.DecodeCommand)
}
