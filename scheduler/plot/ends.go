package plot

import (
	"cmp"
	"slices"
)

// ending is the end point and the name of a line.
type ending struct {
	lines  []string
	end    point
	rank   float64 // of endings at one height, the lowest is on top
	series int
}

const (
	leader   = 14.0 // from the end of a line to the sample beside its name
	sample   = 18.0
	endWidth = 110.0 // of a name
)

// endRoom is the room that names on the right need, and the height of all names together.
func endRoom(names []string) (room, height float64, wrapped [][]string) {
	for _, n := range names {
		lines := wrap(n, endWidth)
		wrapped = append(wrapped, lines)
		room = max(room, textWidth(textSize, lines...))
		height += lineHeight*float64(len(lines)) + 2
	}
	return room + leader + sample + 2*gap, height, wrapped
}

// ends names the lines at their ends. Names that would overlap are moved apart.
func (f *frame) ends(list []ending) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b ending) int {
		return cmp.Or(cmp.Compare(b.end.y, a.end.y), cmp.Compare(a.rank, b.rank))
	})
	half := func(i int) float64 { return (lineHeight*float64(len(list[i].lines)) + 2) / 2 }
	at := make([]float64, len(list))
	for i := range list {
		at[i] = min(list[i].end.y, f.y1+gap-half(i))
		if i > 0 {
			at[i] = min(at[i], at[i-1]-half(i-1)-half(i))
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		lowest := f.y0 - gap + half(i)
		if i < len(list)-1 {
			lowest = at[i+1] + half(i+1) + half(i)
		}
		at[i] = max(at[i], lowest)
	}
	for i, e := range list {
		x := f.x1 + leader
		f.line(stroke(e.series).over(150), 0.8, nil, e.end, point{x, at[i]})
		f.line(stroke(e.series), 2, dash(e.series), point{x, at[i]}, point{x + sample, at[i]})
		f.lines(x+sample+gap/2, at[i], e.lines, ink.ink(), left)
	}
}
