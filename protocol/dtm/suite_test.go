package dtm_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

type (
	bound = drivetest.Core[dtm.State, dtm.Message, dtm.Command]
	draw  = drivetest.Draw[dtm.State, dtm.Message, dtm.Command]
	suite = drivetest.Suite[dtm.State, dtm.Message, dtm.Command]
)

func newSuite() suite {
	core := &dtm.Core{Config: dtm.DefaultConfig(2)}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t, strangers}
			return draw{Core: core, State: g.state, Message: g.message, Command: g.command}
		},
		Wipe:     wipe,
		Messages: 16, Commands: 2,
		Cores: []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) { seeds(state, message) },
	}
}

// seeds calls for every state and every message of a run in which hosts join, crash and leave.
func seeds(state, message func(b []byte)) {
	w := grown(4, state, message)
	w.Crash(w.Nodes[1])
	w.settle()
	w.Command(w.Nodes[0], dtm.Command{Kind: dtm.CommandLeave})
	w.settle()
	message(dtm.AppendMessage(nil, dtm.Object{Round: 1}))
	message(dtm.AppendMessage(nil, dtm.Release{Round: 1}))
	message(dtm.AppendMessage(nil, dtm.Refuse{Version: 1}))
}

// grown returns a network of hosts on a line, all of which have joined one after the other.
func grown(hosts int, state, message func(b []byte)) *network {
	cfg := dtm.DefaultConfig(2)
	w := newNetwork(&cfg, hosts, func(a, b int) int64 { return int64(max(a-b, b-a)) * 4 })
	if state != nil {
		w.Record(state, message)
	}
	var members []protocol.NodeID
	for i, p := range w.Nodes {
		w.Start(p)
		w.Command(p, dtm.Command{Kind: dtm.CommandJoin, Nodes: members})
		w.settle()
		members = append(members, id(i))
	}
	return w
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
