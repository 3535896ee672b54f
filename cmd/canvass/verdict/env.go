package verdict

import (
	"io"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
)

// Env is the program as the commands about verdicts see it.
type Env struct {
	Models    func() []model.Checkable
	Scenarios func() []*sim.Scenario
	Stdin     io.Reader
	Stdout    *cli.Output
	Stderr    *cli.Messages
}

// TraceEnding ends the names of files that hold traces.
const TraceEnding = ".itf.json"

// MostWorkers bounds the workers of a check or a simulation.
const MostWorkers = 1024
