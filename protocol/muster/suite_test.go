package muster_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/muster"
)

type (
	bound = drivetest.Core[muster.State, muster.Message, muster.Command]
	draw  = drivetest.Draw[muster.State, muster.Message, muster.Command]
	suite = drivetest.Suite[muster.State, muster.Message, muster.Command]
)

func newSuite() suite {
	core := &muster.Core{Config: muster.DefaultConfig()}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t}
			return draw{
				Core: core, State: g.state, Message: g.message, Command: g.command,
				Input: func(muster.State) muster.Input { return g.input() },
			}
		},
		Wipe:     func(s muster.State) { drivetest.Wipe(s.Rep.Members) },
		Messages: 8, Commands: 11,
		Cores: []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) { seeds(state, message) },
	}
}

// seeds calls for every state and every message of a run in which B fails and A is halted.
func seeds(state, message func(b []byte)) {
	net := newNetwork(3)
	net.Record(state, message)
	net.Command(net.Nodes[2], represented(true, nodeA, nodeB))
	net.Command(net.Nodes[0], hosted(nodeC, 7000, 7001))
	net.Command(net.Nodes[1], hosted(nodeC))
	net.Drain()
	net.Command(net.Nodes[2], granted(true))
	net.Drain()
	net.Command(net.Nodes[1], exited(3, 0))
	net.Drain()
	net.Command(net.Nodes[0], exited(0, 9))
	net.Drain()
	net.Command(net.Nodes[2], plain(muster.CommandDeposited))
	net.Drain()
	lost := newNetwork(2) // and of one whose only host loses its task
	lost.Record(state, message)
	lost.Command(lost.Nodes[0], represented(true, nodeB))
	lost.Command(lost.Nodes[1], hosted(nodeA))
	lost.Command(lost.Nodes[1], plain(muster.CommandLost))
	lost.Drain()
	outputs := newNetwork(2) // and of one whose only host cannot keep the outputs of its task
	outputs.Record(state, message)
	outputs.Command(outputs.Nodes[0], represented(true, nodeB))
	outputs.Command(outputs.Nodes[1], hosted(nodeA))
	outputs.Drain()
	outputs.Command(outputs.Nodes[0], granted(true))
	outputs.Drain()
	outputs.Command(outputs.Nodes[1], ended(0, 0))
	outputs.Command(outputs.Nodes[1], kept(false))
	outputs.Drain()
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
