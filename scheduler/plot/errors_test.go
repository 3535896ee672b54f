package plot_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

type mistake struct {
	name string
	make func() (*plot.Figure, error)
	says string
}

func wrong[S any](draw func(S) (*plot.Figure, error), good S, spoil func(*S)) func() (*plot.Figure, error) {
	return func() (*plot.Figure, error) {
		spoil(&good)
		return draw(good)
	}
}

func mistakes() []mistake {
	return []mistake{
		{"no title", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Title = " " }), "the title is empty"},
		{"no unit", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.YLabel = "" }), "the label of the values is empty"},
		{"no groups", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups = nil }), "there are no groups"},
		{"mean", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups[1].Mean = none }),
			`the mean of group 2 ("conservative (requested run times)") is NaN`},
		{"half an interval", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups[0].High = none }),
			`the upper bound of group 1 ("qb+dlb") is NaN`},
		{"swapped interval", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups[0].High = 1 }),
			"goes from 60 down to 1"},
		{"no runs", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups[0].N = 0 }), "has 0 runs"},
		{"mean on log axis", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.LogY, s.Groups[0].Mean = true, 0 }),
			`the mean of group 1 ("qb+dlb") is 0, which a logarithmic axis cannot show`},
		{"published on log axis", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) {
			s.LogY, s.Groups[0].Published = true, -1
		}),
			"the published value of group 1"},
		{"control character", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Groups[0].Label = "a\x00b" }),
			"has a control character"},
		{"broken UTF-8", wrong(plot.Bars, bars(), func(s *plot.BarsSpec) { s.Caption = "\xff" }), "is not UTF-8"},
		{"no series", wrong(plot.Lines, lines(), func(s *plot.LinesSpec) { s.Series = nil }), "there are no series"},
		{"no points", wrong(plot.Lines, lines(), func(s *plot.LinesSpec) { s.Series[1].Points = nil }),
			`there are no points in series "qb"`},
		{"x on log axis", wrong(plot.Lines, lines(), func(s *plot.LinesSpec) { s.Series[0].Points[0].X = 0 }),
			`x of point 1 of series "static" is 0`},
		{"x twice", wrong(plot.Lines, lines(), func(s *plot.LinesSpec) { s.Series[0].Points[1].X = 1 }),
			"x of point 2 of series \"static\" is not above"},
		{"many series", wrong(plot.Lines, lines(), func(s *plot.LinesSpec) { s.Series = make([]plot.Series, 13) }),
			"there are 13 series; the figure holds 12"},
		{"empty sample", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) { s.Series[0].Values = nil }),
			`there are no values in series "qb"`},
		{"infinite value", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) { s.Series[1].Values[2] = math.Inf(1) }),
			`value 3 of series "static" is +Inf`},
		{"value on log axis", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) { s.LogX, s.Series[1].Values[2] = true, 0 }),
			`value 3 of series "static" is 0, which a logarithmic axis`},
		{"band beyond 1", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) {
			s.Series[0].Band = []plot.Point{{X: 1, Low: 0.5, High: 1.1}}
		}),
			`the interval of point 1 in the band of series "qb" is not within 0 and 1`},
		{"band out of order", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) {
			s.Series[1].Band = []plot.Point{{X: 2, Low: 0.5, High: 1}, {X: 1, Low: 0.5, High: 1}}
		}),
			`point 2 in the band of series "static" is not above the one before it`},
		{"y from", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) { s.YFrom = 1 }), "the y axis begins at 1"},
		{"x to", wrong(plot.CDF, cdf(), func(s *plot.CDFSpec) { s.XTo = 0.5 }), "the x axis ends at 0.5"},
		{"rows", wrong(plot.Heat, heat(), func(s *plot.HeatSpec) { s.YTicks = s.YTicks[:1] }), "there are 2 rows of cells"},
		{"cells", wrong(plot.Heat, heat(), func(s *plot.HeatSpec) { s.Cells[1] = nil }), "row 2 has 0 cells"},
		{"format", wrong(plot.Heat, heat(), func(s *plot.HeatSpec) { s.Format = "%d" }), `the format "%d"`},
		{"empty cells", wrong(plot.Heat, heat(), func(s *plot.HeatSpec) {
			s.Cells = [][]float64{{none, none}, {none, none}}
		}),
			"all cells are empty"},
		{"node numbers", wrong(plot.Gantt, gantt(), func(s *plot.GanttSpec) { s.Nodes = s.Nodes[:1] }),
			"there are 2 clusters and 1 numbers of nodes"},
		{"cluster", wrong(plot.Gantt, gantt(), func(s *plot.GanttSpec) { s.Tasks[0].Cluster = 2 }),
			`task 1 ("7") is in cluster 2`},
		{"nodes", wrong(plot.Gantt, gantt(), func(s *plot.GanttSpec) { s.Tasks[0].FirstNode = 2 }),
			`task 1 ("7") is on nodes 2 to 4 of a cluster whose nodes are 0 to 3`},
		{"backwards", wrong(plot.Gantt, gantt(), func(s *plot.GanttSpec) { s.Tasks[0].EndSeconds = -1 }),
			"ends at -1 s, before its start at 0 s"},
		{"lengths", wrong(plot.Steps, steps(), func(s *plot.StepsSpec) { s.Series[0].Y = s.Series[0].Y[1:] }),
			`series "easy" has 4 times and 3 values`},
		{"unsorted", wrong(plot.Steps, steps(), func(s *plot.StepsSpec) { s.Series[0].X[1] = -1 }),
			`time 2 of series "easy" is before the one ahead of it`},
		{"too late", wrong(plot.Steps, steps(), func(s *plot.StepsSpec) { s.XTo = 8 }),
			`series "easy" goes on until 9, after the end of the x axis at 8`},
	}
}

func TestBadDataAreNamed(t *testing.T) {
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			f, err := m.make()
			require.ErrorContains(t, err, m.says)
			var bad *plot.DataError
			assert.ErrorAs(t, err, &bad)
			assert.Nil(t, f)
		})
	}
}
