package reptask_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

type (
	bound = drivetest.Core[reptask.State, reptask.Message, reptask.Command]
	draw  = drivetest.Draw[reptask.State, reptask.Message, reptask.Command]
	suite = drivetest.Suite[reptask.State, reptask.Message, reptask.Command]
)

func newSuite() suite {
	core := &reptask.Core{Config: *testConfig()}
	return suite{
		Draw: func(t *rapid.T) draw {
			return draw{
				Core:    core,
				State:   func() reptask.State { return genState(t) },
				Message: func() reptask.Message { return genMessage(t) },
				Command: func() reptask.Command { return genCommand(t) },
			}
		},
		Messages: 17, Commands: 8,
		Cores: []bound{core},
		Seeds: func(bound, func([]byte), func([]byte)) {},
	}
}

func TestSuite(t *testing.T)         { newSuite().Test(t) }
func FuzzDecodeState(f *testing.F)   { newSuite().FuzzState(f) }
func FuzzDecodeMessage(f *testing.F) { newSuite().FuzzMessage(f) }
func FuzzDecodeCommand(f *testing.F) { newSuite().FuzzCommand(f) }
