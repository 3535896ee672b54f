package lease_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/lease"
)

type (
	bound = drivetest.Core[lease.State, lease.Message, lease.Command]
	draw  = drivetest.Draw[lease.State, lease.Message, lease.Command]
	suite = drivetest.Suite[lease.State, lease.Message, lease.Command]
)

func newSuite() suite {
	core := &lease.Core{Config: config(3)}
	return suite{
		Draw: func(t *rapid.T) draw {
			g := generator{t}
			return draw{
				Core: core, State: g.state, Message: g.message, Command: g.command,
				Begin: g.begin, Input: g.input,
			}
		},
		Wipe:     func(s lease.State) { drivetest.Wipe(s.Witness.Grants) },
		Messages: 8, Commands: 3,
		Cores: []bound{core},
		Seeds: func(_ bound, state, message func([]byte)) { // B founds, C enters and A asks
			net := newNetwork(3, 3)
			net.Record(state, message)
			for _, p := range net.Nodes {
				net.Start(p)
				net.Drain()
			}
			net.Command(net.Nodes[0], asked(nodeC))
			net.Drain()
		},
	}
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
