package node_test

import (
	"testing"

	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	commands "github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/daemon/api"
)

// Every field that a command writes is described, and every described name is a field or a word.
func TestEveryFieldOfTheJSONIsDescribed(t *testing.T) {
	commandtest.Described(t, commands.JSONHelp, 30,
		api.NodeReport{}, api.Token{}, commands.Made{}, commands.Ready{})
}
