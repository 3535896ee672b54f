package store_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

type (
	bound = drivetest.Core[store.State, store.Message, store.Command]
	draw  = drivetest.Draw[store.State, store.Message, store.Command]
	suite = drivetest.Suite[store.State, store.Message, store.Command]
)

func newSuite() suite {
	return suite{
		Draw: func(t *rapid.T) draw {
			g := newGenerator(t)
			return draw{
				Core: &store.Core{Config: *g.cfg}, State: g.state, Message: g.message, Command: g.command,
				Begin: g.begin, Input: func(store.State) store.Input { return g.input() },
			}
		},
		Wipe:     wipe,
		Commands: 4, // which messages are drawn depends on the run that the generator takes them from
		Cores:    []bound{&store.Core{Config: *newConfig(16, 8)}},
		Seeds:    func(_ bound, state, message func([]byte)) { seeds(newConfig(16, 8), state, message) },
	}
}

// seeds calls for every state and every message of a run with operations, a join and a leave.
func seeds(cfg *store.Config, state, message func(b []byte)) {
	w := newNetwork(cfg)
	w.Record(state, message)
	w.found(space.Point{2, 1}, space.Point{10, 1}, space.Point{5, 6})
	for i, p := range w.Nodes {
		put := store.Operation{ID: uint32(i), Kind: store.Put, Key: space.Point{10, 1}, Value: 1}
		w.Command(p, store.CommandOperation(put))
	}
	w.Command(w.Nodes[1], store.CommandMap(can.Command{Kind: can.CommandLeave}))
	w.settle()
}

// begin draws a node of a small network.
func (g generator) begin() store.State {
	w := newNetwork(g.cfg)
	w.found(space.Point{2, 1}, space.Point{10, 1}, space.Point{5, 6})
	return w.Nodes[rapid.IntRange(0, 2).Draw(g.T, "node")].State()
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
