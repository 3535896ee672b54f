package plot

import (
	"fmt"
	"math"
	"strings"
)

// HeatSpec describes a table whose cells are coloured by their numbers.
type HeatSpec struct {
	Title, Caption string
	XLabel, YLabel string      // with their units
	XTicks, YTicks []string    // names of the columns, at most 40, and of the rows, at most 100
	Cells          [][]float64 // Cells[row][column]; row 0 is at the bottom; NaN leaves a cell empty
	Format         string      // of package fmt for one number, such as "%.1f"; empty for four digits
}

// Heat draws the table with the number in each cell.
func Heat(spec HeatSpec) (*Figure, error) {
	c := newCheck("heat", spec.Title, spec.Caption)
	c.text("the label of the x axis", spec.XLabel)
	c.text("the label of the y axis", spec.YLabel)
	c.count(len(spec.XTicks), maxColumns, "columns")
	c.count(len(spec.YTicks), maxGroups, "rows")
	for i, t := range spec.XTicks {
		c.text(fmt.Sprintf("the name of column %d", i+1), t)
	}
	for i, t := range spec.YTicks {
		c.text(fmt.Sprintf("the name of row %d", i+1), t)
	}
	c.require(len(spec.Cells) == len(spec.YTicks), "there are %d rows of cells and %d names of rows",
		len(spec.Cells), len(spec.YTicks))
	filled := 0
	for i, row := range spec.Cells {
		c.require(len(row) == len(spec.XTicks), "row %d has %d cells, but there are %d columns",
			i+1, len(row), len(spec.XTicks))
		for j, v := range row {
			if !math.IsNaN(v) {
				c.number(v, false, "the cell in row %d, column %d", i+1, j+1)
				filled++
			}
		}
	}
	c.require(filled > 0, "all cells are empty; give at least one number")
	sample := cellText(spec.Format, 1.5)
	c.require(!strings.Contains(sample, "%!"), "the format %q does not write one number; use one like %q",
		spec.Format, "%.1f")
	c.text("text in the format", sample)
	return c.finish(spec.Caption, func() (*sheet, *table) { return drawHeat(spec), heatTable(spec) })
}

func cellText(format string, v float64) string {
	if format == "" {
		return number(v)
	}
	return fmt.Sprintf(format, v)
}

func heatTable(spec HeatSpec) *table {
	t := newTable("y", "x", "value")
	for i, row := range spec.Cells {
		for j, v := range row {
			t.add(spec.YTicks[i], spec.XTicks[j], v)
		}
	}
	return t
}

func drawHeat(spec HeatSpec) *sheet {
	low, high := math.Inf(1), math.Inf(-1)
	widest := 0.0
	for _, row := range spec.Cells {
		for _, v := range row {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
				widest = max(widest, textWidth(1, cellText(spec.Format, v)))
			}
		}
	}
	columns, rows := named(spec.XTicks, width), named(spec.YTicks, rowWidth)
	deepest := 1
	for _, t := range rows {
		deepest = max(deepest, len(t.lines))
	}
	f := newFrame(axis{label: spec.XLabel, scale: scale{to: float64(len(columns))}, ticks: columns},
		axis{label: spec.YLabel, scale: scale{to: float64(len(rows))}, ticks: rows},
		float64(len(rows))*max(24, lineHeight*float64(deepest)+4), 0)
	room := (f.x1 - f.x0) / float64(len(columns))
	size := min(textSize, max(5, (room-3)/widest))
	for i, row := range spec.Cells {
		for j, v := range row {
			if math.IsNaN(v) {
				continue
			}
			x, y := float64(j), float64(i)
			step := warmth(low, high, v)
			f.fill(heats[step].ink(), rectangle(f.X(x)+0.5, f.Y(y)+0.5, f.X(x+1)-0.5, f.Y(y+1)-0.5))
			colour := onPale
			if step >= firstDeep {
				colour = onDeep
			}
			f.text(f.X(x+0.5), f.Y(y+0.5), cellText(spec.Format, v), colour.ink(), size, middle)
		}
	}
	return f.sheet
}

// named are ticks in the middle of rows or columns.
func named(names []string, widest float64) []tick {
	var out []tick
	for i, n := range names {
		out = append(out, tick{at: float64(i) + 0.5, lines: wrap(n, widest)})
	}
	return out
}

// warmth is the colour of a number, in equal steps from the lowest to the highest.
func warmth(low, high, v float64) int {
	if high == low {
		return 0
	}
	return min(len(heats)-1, int(float64(len(heats))*(v-low)/(high-low)))
}
