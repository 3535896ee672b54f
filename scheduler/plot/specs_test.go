package plot_test

import (
	"math"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

var none = math.NaN()

// Small figures of each kind, for all tests.

func bars() plot.BarsSpec {
	return plot.BarsSpec{
		Title: "Mean slowdown", Caption: "20 seeds", YLabel: "slowdown (1)",
		Groups: []plot.Bar{
			{Label: "qb+dlb", Mean: 85.1, Low: 60, High: 110, N: 20, Published: 77.9},
			{Label: "conservative (requested run times)", Mean: 33.25, Low: none, High: none, N: 1, Published: none},
		},
	}
}

func lines() plot.LinesSpec {
	return plot.LinesSpec{
		Title: "Over-provisioning", XLabel: "factor (1)", YLabel: "slowdown (1)", LogX: true,
		Series: []plot.Series{
			{Name: "static", Points: []plot.Point{{1, 400, 300, 500}, {2, 200, 150, 250}, {8, 100, none, none}}},
			{Name: "qb", Points: []plot.Point{{1, 90, 80, 100}, {8, 99, 90, 108}}},
		},
	}
}

func cdf() plot.CDFSpec {
	return plot.CDFSpec{
		Title: "Slowdowns", XLabel: "slowdown (1)",
		Series: []plot.Sample{
			{Name: "qb", Values: []float64{1, 3, 1, 2}}, {Name: "static", Values: []float64{1, 4, 16, 64, 256}},
		},
	}
}

func heat() plot.HeatSpec {
	return plot.HeatSpec{
		Title: "Jobs", XLabel: "run time (s)", YLabel: "size (nodes)",
		XTicks: []string{"1", "2-3"}, YTicks: []string{"1", "2-3"},
		Cells: [][]float64{{70, 1200}, {none, 3}}, Format: "%.0f",
	}
}

func gantt() plot.GanttSpec {
	return plot.GanttSpec{
		Title: "Who ran", Clusters: []string{"bull", "whale"}, Nodes: []int{4, 8},
		Tasks: []plot.Task{
			{Cluster: 0, FirstNode: 1, Nodes: 3, StartSeconds: 0, EndSeconds: 100, Label: "7", Colour: 1},
			{Cluster: 1, FirstNode: 0, Nodes: 8, StartSeconds: 20, EndSeconds: 90, Label: "8", Colour: plot.Held},
			{Cluster: 1, FirstNode: 0, Nodes: 8, StartSeconds: 90, EndSeconds: 90.01, Colour: 8},
		},
	}
}

func steps() plot.StepsSpec {
	return plot.StepsSpec{
		Title: "Queue", XLabel: "time (h)", YLabel: "waiting jobs", XTo: 10,
		Series: []plot.Track{{"easy", []float64{0, 4, 4, 9}, []float64{0, 3, 5, 1}}},
	}
}

type maker struct {
	name string
	make func() (*plot.Figure, error)
}

func makers() []maker {
	return []maker{
		{"bars", func() (*plot.Figure, error) { return plot.Bars(bars()) }},
		{"barslog", func() (*plot.Figure, error) {
			s := bars()
			s.LogY, s.Groups[0].Low = true, -5
			return plot.Bars(s)
		}},
		{"lines", func() (*plot.Figure, error) { return plot.Lines(lines()) }},
		{"cdf", func() (*plot.Figure, error) { return plot.CDF(cdf()) }},
		{"cdfupper", func() (*plot.Figure, error) {
			s := cdf()
			s.YFrom, s.XTo = 0.5, 100
			return plot.CDF(s)
		}},
		{"heat", func() (*plot.Figure, error) { return plot.Heat(heat()) }},
		{"gantt", func() (*plot.Figure, error) { return plot.Gantt(gantt()) }},
		{"steps", func() (*plot.Figure, error) { return plot.Steps(steps()) }},
	}
}
