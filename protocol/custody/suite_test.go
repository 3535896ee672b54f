package custody_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

type (
	bound = drivetest.Core[custody.State, custody.Message, custody.Command]
	draw  = drivetest.Draw[custody.State, custody.Message, custody.Command]
	suite = drivetest.Suite[custody.State, custody.Message, custody.Command]
)

func newSuite() suite {
	core := &custody.Core{Config: custody.DefaultConfig()}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t}
			return draw{
				Core: core, State: g.state, Message: g.message, Command: g.command,
				Input: func(custody.State) custody.Input { return g.input() },
			}
		},
		Wipe:     wipe,
		Messages: 5, Commands: 9,
		Cores: []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) { seeds(state, message) },
	}
}

// seeds calls for every state and every message of a run in which A crashes and comes back.
func seeds(state, message func(b []byte)) {
	net := newNetwork(3)
	net.Record(state, message)
	a, b := net.Nodes[0], net.Nodes[1]
	net.Command(a, accept())
	net.Drain()
	net.Command(a, permit(1, attempt))
	net.Drain()
	net.Crash(a)
	dead(net, a)
	net.Drain()
	net.Command(b, outcome(1, attempt, "ok"))
	net.Drain()
	net.Start(a)
	net.Drain()
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
