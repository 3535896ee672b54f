package plot

import (
	"fmt"
	"math"
)

// LinesSpec describes a measure over a parameter.
type LinesSpec struct {
	Title, Caption string
	XLabel, YLabel string // with their units
	LogX, LogY     bool
	Series         []Series // at most 12
}

// Series is one line. Its points go from left to right.
type Series struct {
	Name   string
	Points []Point // at most 2,000
}

// Point is a mean with its interval.
type Point struct {
	X, Mean   float64
	Low, High float64 // a 95 % interval, or NaN and NaN; on a logarithmic axis Low may be below 0
}

// Lines draws each series as a line in a band of its intervals. Few points also get marks and
// whiskers. The names stand at the ends of the lines.
func Lines(spec LinesSpec) (*Figure, error) {
	c := newCheck("lines", spec.Title, spec.Caption)
	c.text("the label of the x axis", spec.XLabel)
	c.text("the label of the y axis", spec.YLabel)
	c.count(len(spec.Series), maxSeries, "series")
	for i, s := range spec.Series {
		c.text(fmt.Sprintf("the name of series %d", i+1), s.Name)
		c.count(len(s.Points), maxPoints, fmt.Sprintf("points in series %q", s.Name))
		for j, p := range s.Points {
			c.number(p.X, spec.LogX, "x of point %d of series %q", j+1, s.Name)
			c.number(p.Mean, spec.LogY, "the mean of point %d of series %q", j+1, s.Name)
			c.interval(p.Low, p.High, "point %d of series %q", j+1, s.Name)
			c.require(j == 0 || s.Points[j-1].X < p.X, "x of point %d of series %q is not above that of the point "+
				"before it; sort the points by x, one for each x", j+1, s.Name)
		}
	}
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawLines(spec), linesTable(spec) })
}

func linesTable(spec LinesSpec) *table {
	t := newTable("series", "x", "mean", "low", "high")
	for _, s := range spec.Series {
		for _, p := range s.Points {
			t.add(s.Name, p.X, p.Mean, p.Low, p.High)
		}
	}
	return t
}

// areaHeight is that of figures with two numeric axes.
const areaHeight = 230.0

func drawLines(spec LinesSpec) *sheet {
	var xs, ys []float64
	var names []string
	for _, s := range spec.Series {
		names = append(names, s.Name)
		for _, p := range s.Points {
			xs, ys = append(xs, p.X), append(ys, p.Mean, p.Low, p.High)
		}
	}
	room, height, wrapped := endRoom(names)
	f := newFrame(numeric(spec.XLabel, spanning(xs, spec.LogX, false)),
		numeric(spec.YLabel, spanning(ys, spec.LogY, true)), max(areaHeight, height), room)
	var ends []ending
	for i, s := range spec.Series {
		f.band(s.Points, i)
		last := s.Points[len(s.Points)-1]
		ends = append(ends, ending{wrapped[i], f.at(last.X, last.Mean), float64(i), i})
	}
	for i, s := range spec.Series {
		f.curve(s.Points, i)
	}
	f.ends(ends)
	return f.sheet
}

// band fills between the bounds of neighbouring points that both have intervals.
func (f *frame) band(points []Point, series int) {
	var areas [][]point
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if !math.IsNaN(a.Low) && !math.IsNaN(b.Low) {
			areas = append(areas, []point{f.at(a.X, a.Low), f.at(b.X, b.Low), f.at(b.X, b.High), f.at(a.X, a.High)})
		}
	}
	f.fill(stroke(series).over(50), areas...)
}

func (f *frame) curve(points []Point, series int) {
	const few, r = 24, 2.5
	var line []point
	var marks [][]point
	for _, p := range points {
		at := f.at(p.X, p.Mean)
		line = append(line, at)
		if len(points) > few {
			continue
		}
		marks = append(marks, rectangle(at.x-r, at.y-r, at.x+r, at.y+r))
		if !math.IsNaN(p.Low) {
			f.line(stroke(series), 1, nil, f.at(p.X, p.Low), f.at(p.X, p.High))
		}
	}
	f.line(stroke(series), 1.8, dash(series), line...)
	f.fill(stroke(series), marks...)
}
