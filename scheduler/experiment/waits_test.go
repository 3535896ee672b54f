package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// A percentile is judged by the median over seeds, and each input for itself.
func TestPercentilesOfFigure44(t *testing.T) {
	e := chosen(t, "jackson/4.4")
	seeds, err := lab.Seeds("10")
	require.NoError(t, err)
	runs, err := e.Runs("ci", seeds)
	require.NoError(t, err)
	for _, c := range []struct {
		some float64 // the percentiles of four seeds
		want experiment.Verdict
	}{{1.9, experiment.Reproduced}, {2.1, experiment.Undetermined}} {
		var rows []*lab.Row
		for i, r := range runs {
			row := rowOf(e.Name, r.Cell)
			row.Seed = r.Seed
			row.Summary.JacksonSlowdown.Mean, row.Summary.JacksonSlowdown.P95 = 1.5+float64(r.Seed%3)/10, 1
			if r.Cell.Get("policy") == "static" && i%10 < 4 {
				row.Summary.JacksonSlowdown.P95 = c.some
			}
			rows = append(rows, row)
		}
		judged := e.Judge(rows)
		require.Len(t, judged, 4, "claims about the inputs of larger sizes are left out")
		for _, j := range judged {
			assert.Contains(t, j.Claim, "(input five clusters, few jobs)")
		}
		assert.Equal(t, experiment.CannotTell, judged[0].Verdict, "both policies have equal slowdowns with each seed")
		assert.Equal(t, experiment.Reproduced, judged[2].Verdict)
		assert.Equal(t, c.want, judged[3].Verdict)
	}
}
