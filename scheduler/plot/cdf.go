package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// CDFSpec describes empirical distribution functions.
type CDFSpec struct {
	Title, Caption string
	XLabel         string // with its unit
	LogX           bool
	YFrom          float64  // where the y axis begins: 0 shows all, 0.5 the upper half
	XTo            float64  // where the x axis ends; 0 shows all
	Series         []Sample // at most 12
}

// Sample is the values of one distribution, in any order.
type Sample struct {
	Name   string
	Values []float64 // at most 5,000,000
	Band   []Point   // the interval of the share at some values, in ascending order; may be empty
}

// CDF draws each distribution as steps: the share of values that are at most x.
func CDF(spec CDFSpec) (*Figure, error) {
	c := newCheck("cdf", spec.Title, spec.Caption)
	c.text("the label of the x axis", spec.XLabel)
	c.require(spec.YFrom >= 0 && spec.YFrom < 1, "the y axis begins at %g; begin it at a share from 0 to below 1",
		spec.YFrom)
	c.number(spec.XTo, false, "the end of the x axis")
	c.count(len(spec.Series), maxSeries, "series")
	for i, s := range spec.Series {
		c.text(fmt.Sprintf("the name of series %d", i+1), s.Name)
		c.count(len(s.Values), maxValues, fmt.Sprintf("values in series %q", s.Name))
		for j, v := range s.Values {
			c.number(v, spec.LogX, "value %d of series %q", j+1, s.Name)
		}
		c.count(len(s.Band)+1, maxPoints, fmt.Sprintf("points in the band of series %q", s.Name))
		for j, p := range s.Band {
			c.number(p.X, spec.LogX, "x of point %d in the band of series %q", j+1, s.Name)
			c.require(0 <= p.Low && p.Low <= p.High && p.High <= 1,
				"the interval of point %d in the band of series %q is not within 0 and 1", j+1, s.Name)
			c.require(j == 0 || s.Band[j-1].X < p.X, "point %d in the band of series %q is not above the one before it; "+
				"sort them", j+1, s.Name)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	sorted := make([]Sample, len(spec.Series))
	lowest := spec.Series[0].Values[0]
	for i, s := range spec.Series {
		sorted[i] = Sample{s.Name, slices.Sorted(slices.Values(s.Values)), s.Band}
		lowest = min(lowest, sorted[i].Values[0])
	}
	c.require(spec.XTo == 0 || spec.XTo > max(0, lowest) || spec.XTo > lowest && !spec.LogX && lowest < 0,
		"the x axis ends at %g, which leaves nothing to show; end it above %g", spec.XTo, max(0, lowest))
	spec.Series = sorted
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawCDF(spec), cdfTable(spec) })
}

// shares calls visit with each distinct value and the share of values that are at most that.
func shares(sorted []float64, visit func(value, share float64)) {
	for i, v := range sorted {
		if i+1 == len(sorted) || sorted[i+1] != v {
			visit(v, float64(i+1)/float64(len(sorted)))
		}
	}
}

func cdfTable(spec CDFSpec) *table {
	if !slices.ContainsFunc(spec.Series, func(s Sample) bool { return len(s.Band) > 0 }) {
		t := newTable("series", "value", "share")
		for _, s := range spec.Series {
			shares(s.Values, func(value, share float64) { t.add(s.Name, value, share) })
		}
		return t
	}
	t := newTable("series", "value", "share", "low", "high")
	for _, s := range spec.Series {
		shares(s.Values, func(value, share float64) {
			low, high := math.NaN(), math.NaN()
			i, there := slices.BinarySearchFunc(s.Band, value, func(p Point, x float64) int { return cmp.Compare(p.X, x) })
			if there {
				low, high = s.Band[i].Low, s.Band[i].High
			}
			t.add(s.Name, value, share, low, high)
		})
	}
	return t
}

func drawCDF(spec CDFSpec) *sheet {
	var xs []float64
	var names []string
	for _, s := range spec.Series {
		names = append(names, s.Name)
		xs = append(xs, s.Values[0], s.Values[len(s.Values)-1])
	}
	x := spanning(xs, spec.LogX, true)
	if spec.XTo != 0 {
		x.to = spec.XTo
	}
	room, height, wrapped := endRoom(names)
	f := newFrame(numeric(spec.XLabel, x), numeric("share of values up to x", scale{from: spec.YFrom, to: 1}),
		max(areaHeight, height), room)
	for i, s := range spec.Series {
		f.band(s.bandSteps(spec.YFrom, x.to), i)
	}
	var ends []ending
	for i, s := range spec.Series {
		line, mean := f.steps(s.Values, spec.YFrom)
		f.line(stroke(i), 1.8, dash(i), line...)
		if len(line) > 0 {
			ends = append(ends, ending{wrapped[i], line[len(line)-1], mean, i})
		} else {
			ends = append(ends, ending{wrapped[i], point{f.x1, f.y0}, mean, i})
		}
	}
	f.ends(ends)
	return f.sheet
}

// bandSteps is the band as steps, as far as it is within the axes.
func (s *Sample) bandSteps(from, to float64) (all []Point) {
	for i, p := range s.Band {
		if p.X > to {
			break
		}
		p.Low, p.High = max(p.Low, from), max(p.High, from)
		if i > 0 {
			all = append(all, Point{X: p.X, Low: all[len(all)-1].Low, High: all[len(all)-1].High})
		}
		all = append(all, p)
	}
	return all
}

// steps is the line of a distribution within the frame, and the mean, by which names are ordered
// where all lines end at 1.
func (f *frame) steps(sorted []float64, from float64) (line []point, mean float64) {
	level := from
	shares(sorted, func(value, share float64) {
		if value > f.x.scale.to || share <= from {
			return
		}
		x := f.X(value)
		line = append(line, point{x, f.Y(level)}, point{x, f.Y(share)})
		level = share
	})
	if len(line) > 0 {
		line = append(line, point{f.x1, f.Y(level)})
	}
	for _, v := range sorted {
		mean += v / float64(len(sorted))
	}
	return thin(line), mean
}
