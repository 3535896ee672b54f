package peer_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

type (
	bound = drivetest.Core[peer.State, peer.Message, peer.Command]
	draw  = drivetest.Draw[peer.State, peer.Message, peer.Command]
	suite = drivetest.Suite[peer.State, peer.Message, peer.Command]
)

func newSuite() suite {
	core := fuzzCore()
	return suite{
		Draw: func(t *rapid.T) draw {
			return draw{
				Core:    core,
				State:   func() peer.State { return drawState(t) },
				Message: func() peer.Message { return drawMessage(t) },
				Command: func() peer.Command { return drawCommand(t) },
				Shown:   func(any) bool { return false }, // the layers' own suites compare their texts
			}
		},
		Messages: 8,
		Cores:    []bound{core},
		Seeds:    seeds,
	}
}

func fuzzCore() *peer.Core {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	c := &peer.Core{Config: peer.DefaultConfig(s, 3, 3, 100)}
	c.Config.Predicts = true
	return c
}

// seeds calls for the state of a node that has started, and for messages of each type.
func seeds(c bound, state, message func([]byte)) {
	s, _ := c.Step(peer.New(1, space.Point{3}), peer.Input{Kind: protocol.Start})
	state(c.AppendState(nil, s))
	message(c.AppendMessage(nil, peer.Job{Entry: protocol.NodeID{Incarnation: 1}, Spec: reptask.Spec{Size: 2}}))
	orphan := reptask.Job{Submitted: 3, Owner: protocol.NodeID{Incarnation: 1}, Number: 1}
	entry := protocol.NodeID{Address: 1, Incarnation: 1}
	message(c.AppendMessage(nil, peer.Job{Entry: entry, Orphan: orphan, Spec: reptask.Spec{Size: 2}}))
	message(c.AppendMessage(nil, peer.Heir{Orphan: orphan, Candidates: []protocol.NodeID{{Address: 2, Incarnation: 1}}}))
	message(c.AppendMessage(nil, peer.Owned{Ticket: 1, Number: 2}))
	message(c.AppendMessage(nil, peer.TreeMessage{Of: dtm.Refuse{Version: 7}}))
	message(c.AppendMessage(nil, peer.Unmatched{Ticket: 1, Why: peer.Limited}))
	search := match.Begin(entry)
	last := protocol.NodeID{Address: 2, Incarnation: 1}
	search.Steps = append(search.Steps, match.Step{Node: orphan.Owner, Left: true}, match.Step{Node: last})
	message(c.AppendMessage(nil, peer.Job{Entry: entry, Spec: reptask.Spec{Size: 2}, Search: search}))
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
