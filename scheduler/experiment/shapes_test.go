package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// The mode must be that of the figure, and the mean of its counts must be near.
func TestTheModeOfFigure45(t *testing.T) {
	chosen, err := experiment.Choose([]string{"jackson/4.5"})
	require.NoError(t, err)
	seeds, err := lab.Seeds("10")
	require.NoError(t, err)
	runs, err := chosen[0].Runs("ci", seeds)
	require.NoError(t, err)
	require.Len(t, runs, 10)
	for _, c := range []struct {
		jobs  int
		other int // seeds with another mode
		want  experiment.Verdict
	}{
		{70, 0, experiment.Reproduced}, {50, 0, experiment.Reproduced}, {91, 0, experiment.Deviates},
		{70, 1, experiment.Undetermined}, {70, 9, experiment.Deviates},
	} {
		var rows []*lab.Row
		for i, r := range runs {
			row := &lab.Row{Experiment: r.Experiment, Settings: r.Cell, Seed: r.Seed}
			row.Summary.ModeShape = metric.ShapeCount{Nodes: "2-3", Seconds: "32-63", Jobs: c.jobs}
			if i < c.other {
				row.Summary.ModeShape.Seconds = "64-127"
			}
			rows = append(rows, row)
		}
		judged := chosen[0].Judge(rows)
		require.Len(t, judged, 1, "claims about inputs that were not run are left out")
		assert.Equal(t, c.want, judged[0].Verdict, judged[0].Found)
	}
}
