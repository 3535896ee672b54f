package plot

import (
	"fmt"
	"math"
)

// BarsSpec describes means of groups with their intervals and published values.
type BarsSpec struct {
	Title, Caption string
	YLabel         string // name of the values, with their unit
	LogY           bool   // a logarithmic axis has no zero, so it shows dots in place of bars
	FromZero       bool   // no value can be below 0: the axis begins there, and intervals end there
	Groups         []Bar  // one row each, from top to bottom; at most 100
}

// Bar is the mean of a group. Its fields have the unit of YLabel.
type Bar struct {
	Label     string
	Mean      float64
	Low, High float64 // a 95 % interval, or NaN and NaN; on a logarithmic axis Low may be below 0
	N         int     // runs; at least 1
	Published float64 // NaN if nothing is published
}

// Bars draws the groups as rows, so that long labels stay readable: the values go from left to
// right. Whiskers are intervals, hollow marks are published values, the mean is on the right.
func Bars(spec BarsSpec) (*Figure, error) {
	c := newCheck("bars", spec.Title, spec.Caption)
	c.text("the label of the values", spec.YLabel)
	c.count(len(spec.Groups), maxGroups, "groups")
	for i, g := range spec.Groups {
		where := fmt.Sprintf("group %d (%q)", i+1, g.Label)
		c.text("the label of "+where, g.Label)
		c.number(g.Mean, spec.LogY, "the mean of %s", where)
		c.interval(g.Low, g.High, "%s", where)
		c.require(g.N > 0, "%s has %d runs; leave out groups without runs", where, g.N)
		c.require(!spec.FromZero || !(g.Mean < 0 || g.Published < 0), "%s has a value below 0; FromZero promises none", where)
		if !math.IsNaN(g.Published) {
			c.number(g.Published, spec.LogY, "the published value of %s", where)
		}
	}
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawBars(spec), barsTable(spec) })
}

// shown is the lower end of an interval that is drawn. Few runs have wide intervals, which reach
// below 0 even if no value can.
func (spec BarsSpec) shown(low float64) float64 {
	if spec.FromZero && !spec.LogY {
		return max(low, 0) // NaN if low is
	}
	return low
}

func barsTable(spec BarsSpec) *table {
	t := newTable("label", "mean", "low", "high", "n", "published")
	for _, g := range spec.Groups {
		t.add(g.Label, g.Mean, g.Low, g.High, g.N, g.Published)
	}
	return t
}

func drawBars(spec BarsSpec) *sheet {
	var values []float64
	var rows []tick
	onRight, high, published, label := 0.0, 40.0, false, "one run each: no interval"
	for i, g := range spec.Groups {
		values = append(values, g.Mean, spec.shown(g.Low), g.High, g.Published)
		lines := wrap(g.Label, rowWidth)
		rows = append(rows, tick{float64(i) + 0.5, lines, runs(g.N)})
		if g.N > 1 {
			label = "mean, 95 % interval"
		}
		high = max(high, lineHeight*float64(len(lines)+1)+8)
		onRight = max(onRight, textWidth(textSize, number(g.Mean))+2*gap)
		published = published || !math.IsNaN(g.Published)
	}
	n := float64(len(rows))
	f := newFrame(numeric(spec.YLabel, spanning(values, spec.LogY, true)),
		axis{label: label, scale: scale{from: n}, ticks: rows}, n*high, onRight)
	if published {
		f.key("published", f.hollow)
	}
	for i, g := range spec.Groups {
		g.Low = spec.shown(g.Low)
		f.bar(g, f.Y(float64(i)+0.5), spec.LogY)
	}
	if !spec.LogY {
		f.line(ink.ink(), 0.8, nil, point{f.X(0), f.y0}, point{f.X(0), f.y1})
	}
	return f.sheet
}

// runs says how many runs a mean is of. One run has no interval.
func runs(n int) string {
	if n == 1 {
		return "n = 1: no interval"
	}
	return fmt.Sprintf("n = %d", n)
}

func (f *frame) bar(g Bar, y float64, log bool) {
	const half = 8
	if !log {
		f.fill(stroke(0).over(120), rectangle(f.X(0), y-half, f.X(g.Mean), y+half))
	}
	if !math.IsNaN(g.Low) {
		low, high := f.X(g.Low), f.X(g.High)
		f.line(ink.ink(), 1.2, nil, point{low, y}, point{high, y})
		f.line(ink.ink(), 1.2, nil, point{high, y - 4}, point{high, y + 4})
		if g.Low > 0 || !log && g.Low < 0 { // otherwise it may have been cut
			f.line(ink.ink(), 1.2, nil, point{low, y - 4}, point{low, y + 4})
		}
	}
	if log {
		x := f.X(g.Mean)
		f.fill(stroke(0), rectangle(x-4, y-4, x+4, y+4))
	}
	if !math.IsNaN(g.Published) {
		f.hollow(f.X(g.Published), y)
	}
	f.text(f.x1+gap, y, number(g.Mean), ink.ink(), textSize, left)
}

// hollow draws the mark of a published value.
func (f *frame) hollow(x, y float64) {
	f.fill(paper.ink(), diamond(x, y))
	f.line(stroke(1), 1.6, nil, append(diamond(x, y), diamond(x, y)[:2]...)...)
}
