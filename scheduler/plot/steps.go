package plot

import "fmt"

// StepsSpec describes quantities over time, such as the length of a queue or the busy nodes.
type StepsSpec struct {
	Title, Caption string
	XLabel, YLabel string  // with their units
	XTo            float64 // where the last values end; at least the last X of every series
	Series         []Track // at most 12
}

// Track is a quantity that has the value Y[i] from X[i] on, until X[i+1] or XTo.
type Track struct {
	Name string
	X, Y []float64 // equally many; X does not fall
}

// Steps draws each quantity as steps.
func Steps(spec StepsSpec) (*Figure, error) {
	c := newCheck("steps", spec.Title, spec.Caption)
	c.text("the label of the x axis", spec.XLabel)
	c.text("the label of the y axis", spec.YLabel)
	c.number(spec.XTo, false, "the end of the x axis")
	c.count(len(spec.Series), maxSeries, "series")
	for i, s := range spec.Series {
		c.text(fmt.Sprintf("the name of series %d", i+1), s.Name)
		c.require(len(s.X) == len(s.Y), "series %q has %d times and %d values; give a value for each time",
			s.Name, len(s.X), len(s.Y))
		c.count(len(s.X), maxValues, fmt.Sprintf("values in series %q", s.Name))
		if c.err != nil {
			return nil, c.err
		}
		for j := range s.X {
			c.number(s.X[j], false, "time %d of series %q", j+1, s.Name)
			c.number(s.Y[j], false, "value %d of series %q", j+1, s.Name)
			c.require(j == 0 || s.X[j-1] <= s.X[j], "time %d of series %q is before the one ahead of it; sort them",
				j+1, s.Name)
		}
		c.require(s.X[len(s.X)-1] <= spec.XTo, "series %q goes on until %g, after the end of the x axis at %g",
			s.Name, s.X[len(s.X)-1], spec.XTo)
	}
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawSteps(spec), stepsTable(spec) })
}

func stepsTable(spec StepsSpec) *table {
	t := newTable("series", "x", "y")
	for _, s := range spec.Series {
		for i := range s.X {
			t.add(s.Name, s.X[i], s.Y[i])
		}
	}
	return t
}

func drawSteps(spec StepsSpec) *sheet {
	low := spec.XTo
	var ys []float64
	var names []string
	for _, s := range spec.Series {
		low = min(low, s.X[0])
		ys = append(ys, s.Y...)
		names = append(names, s.Name)
	}
	x := scale{from: low, to: spec.XTo}
	if x.from == x.to {
		x = spanning([]float64{low}, false, false)
	}
	room, height, wrapped := endRoom(names)
	f := newFrame(numeric(spec.XLabel, x), numeric(spec.YLabel, spanning(ys, false, true)),
		max(areaHeight, height), room)
	var ends []ending
	for i, s := range spec.Series {
		var line []point
		for j := range s.X {
			if j > 0 {
				line = append(line, f.at(s.X[j], s.Y[j-1]))
			}
			line = append(line, f.at(s.X[j], s.Y[j]))
		}
		end := f.at(spec.XTo, s.Y[len(s.Y)-1])
		f.line(stroke(i), 1.4, dash(i), append(thin(line), end)...)
		ends = append(ends, ending{wrapped[i], end, float64(i), i})
	}
	f.ends(ends)
	return f.sheet
}
