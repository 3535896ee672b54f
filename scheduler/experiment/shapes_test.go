package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// G is drawn with the mode of the figure, so that its mode proves nothing. Nothing is claimed of
// inputs that were not run.
func TestTheModeOfFigure45(t *testing.T) {
	e := chosen(t, "jackson/4.5")
	seeds, err := lab.Seeds("10")
	require.NoError(t, err)
	runs, err := e.Runs("ci", seeds)
	require.NoError(t, err)
	var rows []*lab.Row
	for i, r := range runs {
		row := &lab.Row{Experiment: r.Experiment, Settings: r.Cell, Seed: r.Seed}
		row.Summary.ModeShape = metric.ShapeCount{Nodes: "2-3", Seconds: "32-63", Jobs: 60 + i}
		rows = append(rows, row)
	}
	judged := e.Judge(rows)
	require.Len(t, judged, 1)
	assert.Equal(t, experiment.CannotTell, judged[0].Verdict)
	assert.Contains(t, judged[0].Found, "the generator of G draws these jobs so")
	assert.Contains(t, judged[0].Found, "2-3 nodes for 32-63 s, 64.5 jobs, with 10 of 10 seeds")
}
