package main

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol/space"
)

// layout is a map at the beginning of a measurement, and the node that joins or goes.
type layout struct {
	name    string
	space   space.Space
	coords  []space.Point // of the members, in the order in which they joined
	subject int           // the node that admits the joiner, leaves or crashes
	takers  int           // of the subject's zone
	joiner  space.Point
}

// cell is how many points a side of a grid's cell has.
const cell = 8

// grid is a square of equal zones. Its side is a power of two of them, and the subject is in the
// middle.
func grid(side int32) layout {
	g := layout{
		name: fmt.Sprintf("grid of %d", side*side), space: plane(side*cell, side*cell),
		coords: []space.Point{{cell / 2, cell / 2}}, takers: 1,
	}
	for width := side; width > 1; width /= 2 {
		for dim := range 2 {
			for _, at := range g.coords {
				g.coords = append(g.coords, mirrored(at, dim, width))
			}
		}
	}
	middle := space.Point{side/2*cell - cell/2, side/2*cell - cell/2}
	for i, at := range g.coords {
		if at == middle {
			g.subject = i
		}
	}
	g.joiner = space.Point{middle[0] + 1, middle[1] + 1}
	return g
}

// mirrored is the middle of a cell in the block of cells around a point, opposite to the point
// across the centre of the block. A split between the two halves the block.
func mirrored(at space.Point, dim int, width int32) space.Point {
	block := width * cell
	low := at[dim] / block * block
	at[dim] = 2*low + block - at[dim]
	return at
}

// comb is the example of section 6.3: one zone along the whole left side, its back, and many along
// the right one, its teeth. The back has an unbounded number of neighbours, and all teeth know each
// other through it.
func comb(teeth int32, atBack bool) layout {
	c := layout{
		name: fmt.Sprintf("comb of %d, a tooth", teeth), space: plane(2*cell, teeth*cell),
		coords:  []space.Point{{cell / 2, cell / 2}, {cell + cell/2, cell / 2}},
		subject: int(teeth / 2), takers: 1,
	}
	for width := teeth; width > 1; width /= 2 {
		for _, at := range c.coords[1:] {
			c.coords = append(c.coords, mirrored(at, 1, width))
		}
	}
	at := c.coords[c.subject]
	c.joiner = space.Point{at[0] + 1, at[1] + 1}
	if atBack {
		c.name, c.subject, c.takers = fmt.Sprintf("comb of %d, its back", teeth), 0, int(teeth)
		c.joiner = mirrored(c.coords[0], 1, teeth)
	}
	return c
}

func plane(width, height int32) space.Space {
	s, err := space.New(0, width, height)
	if err != nil {
		panic(err)
	}
	return s
}

// layouts are the maps that the table shows.
func layouts() []layout {
	var all []layout
	for _, side := range []int32{2, 4, 8, 16} {
		all = append(all, grid(side))
	}
	for _, teeth := range []int32{4, 16, 64} {
		all = append(all, comb(teeth, false))
	}
	for _, teeth := range []int32{4, 8, 16} {
		all = append(all, comb(teeth, true))
	}
	return all
}
