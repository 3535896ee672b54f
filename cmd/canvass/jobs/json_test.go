package jobs_test

import (
	"testing"

	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	commands "github.com/canvass-grid/canvass/cmd/canvass/jobs"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// Every field that a command writes is described, and every described name is a field or a word.
func TestEveryFieldOfTheJSONIsDescribed(t *testing.T) {
	commandtest.Described(t, commands.JSONHelp, 50,
		jobs.Record{}, api.Event{}, api.Reasons{}, api.Line{}, api.Content{}, api.Element{})
}
