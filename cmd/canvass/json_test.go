package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	"github.com/canvass-grid/canvass/cmd/canvass/replay"
	"github.com/canvass-grid/canvass/cmd/canvass/simulate"
	"github.com/canvass-grid/canvass/internal/cli"
)

// The help topic json names every field of every object.
func TestJSONHelp(t *testing.T) {
	commandtest.Described(t, jsonHelp, 80,
		check.ResultObject{}, check.ModelObject{}, simulate.ResultObject{}, simulate.ScenarioObject{}, replay.Object{},
		cli.Build{})
	for line := range strings.Lines(jsonHelp + exitHelp) {
		assert.LessOrEqual(t, len(line), 110)
	}
}
