package refine_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/refine"
)

type (
	bound = drivetest.Core[refine.State, refine.Message, refine.Command]
	draw  = drivetest.Draw[refine.State, refine.Message, refine.Command]
	suite = drivetest.Suite[refine.State, refine.Message, refine.Command]
)

func newSuite() suite {
	core := &refine.Core{Config: refine.DefaultConfig(2, 3, diameter)}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t, strangers}
			return draw{Core: core, State: g.state, Message: g.message, Command: g.command}
		},
		Wipe:     wipe,
		Messages: 11, Commands: 4,
		Cores: []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) { seeds(state, message) },
	}
}

// seeds calls for every state and every message of a run in which clusters are found, and nodes
// crash and leave.
func seeds(state, message func(b []byte)) {
	cfg := refine.DefaultConfig(2, 3, diameter)
	w := newNetwork(&cfg, 4)
	w.setFar(1, 2, true)
	w.Record(state, message)
	w.startAll()
	for i, p := range w.Nodes {
		w.Command(p, refine.Command{
			Kind:  refine.CommandAdd,
			Nodes: []protocol.NodeID{id(protocol.Address(i+1) % 4), id(protocol.Address(i+2) % 4)},
		})
	}
	w.settle()
	w.Crash(w.Nodes[1])
	w.settle()
	w.Command(w.Nodes[3], refine.Command{Kind: refine.CommandLeave})
	w.settle()
	message(refine.AppendMessage(nil, refine.Leave{Round: 1}))
	message(refine.AppendMessage(nil, refine.Alive{}))
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
