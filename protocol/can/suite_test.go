package can_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
)

type (
	bound = drivetest.Core[can.State, can.Message, can.Command]
	draw  = drivetest.Draw[can.State, can.Message, can.Command]
	suite = drivetest.Suite[can.State, can.Message, can.Command]
)

func newSuite() suite {
	var cores []bound
	for choice := range byte(4) {
		cores = append(cores, &can.Core{Config: *fuzzConfig(choice)})
	}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := newGenerator(t)
			return draw{
				Core: &can.Core{Config: *g.cfg}, State: g.state, Message: g.message, Command: g.command,
				Shown: meaningful,
			}
		},
		Wipe:     wipe,
		Messages: 10, Commands: 3,
		Cores: cores,
		Seeds: func(core bound, state, message func([]byte)) { seeds(&core.(*can.Core).Config, state, message) },
	}
}

// seeds calls for every state and every message of a run in which nodes join, leave and crash.
func seeds(cfg *can.Config, state, message func([]byte)) {
	var coords []space.Point
	for i := range int32(4) {
		p := space.Point{i % cfg.Space.Size[0], i / 2 % 2, i % 2}
		for k := cfg.Space.Dims; k < len(p); k++ {
			p[k] = 0
		}
		coords = append(coords, p)
	}
	w := newNetwork(cfg, coords...)
	w.Record(state, message)
	for i, p := range w.Nodes {
		w.Start(p)
		kind := can.CommandJoin
		if i == 0 {
			kind = can.CommandCreate
		}
		w.Command(p, can.Command{Kind: kind, Contact: nodeA})
		w.Drain()
	}
	w.Command(w.Nodes[3], can.Command{Kind: can.CommandLeave})
	w.Drain()
	w.Crash(w.Nodes[1])
	w.settle()
}

// meaningful reports whether a value has nothing in parts that mean nothing: a text leaves those
// out.
func meaningful(x any) bool {
	switch x := x.(type) {
	case can.ProposeOK:
		return !x.Self.ID.IsNobody() || reflect.ValueOf(x.Self).IsZero()
	case can.Command:
		return x.Kind == can.CommandJoin || x.Contact.IsNobody()
	case can.State:
		promise := !x.Promise.Proposer.IsNobody() || x.Promise == can.Promise{}
		return promise && (x.Change.Stage != can.Stable || reflect.ValueOf(x.Change).IsZero())
	}
	return true
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
