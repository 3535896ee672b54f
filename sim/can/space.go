package can

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// crowded is one over the share of spaces that have so few points that nodes often draw the same
// coordinates.
const crowded = 8

// shaper computes the space of a plan, and the coordinates of all nodes in it.
type shaper func(p *sim.Plan) (space.Space, []space.Point, error)

// drawnSpace draws them, for a limited number of dimensions.
func drawnSpace(dims int) shaper {
	return func(p *sim.Plan) (space.Space, []space.Point, error) { return DrawSpace(p.Shape, p.Nodes, dims) }
}

// DrawSpace draws a space of bounded dimensions, and different coordinates for all nodes.
func DrawSpace(shape uint64, nodes, dimensions int) (space.Space, []space.Point, error) {
	c := sim.NewChance(shape, 1)
	dims := 1 + int(c.Below(uint64(dimensions)))
	virtual := 0
	if c.Of(1, 3) {
		virtual, dims = 1, max(dims, 2)
	}
	sizes := make([]int32, dims)
	for k := range sizes {
		sizes[k] = 1 << (2 + c.Below(18))
	}
	room := 1
	for _, size := range sizes {
		room = min(room*int(size), 1<<30)
	}
	if last := dims - 1; virtual > 0 || dims == 1 || room < 4*nodes {
		sizes[last] = 1 << 20 // room for all nodes
	}
	if shape%crowded == 0 && dims > 1 {
		virtual, sizes = 1, crowd(nodes, dims)
	}
	s, err := space.New(virtual, sizes...)
	if err != nil {
		return s, nil, fmt.Errorf("%w: %w", sim.ErrPlan, err)
	}
	coords, err := drawApart(s, c, nodes)
	return s, coords, err
}

// drawApart draws a different point for each node.
func drawApart(s space.Space, c *sim.Chance, nodes int) ([]space.Point, error) {
	taken := map[space.Point]bool{}
	var coords []space.Point
	for range nodes {
		at := DrawPoint(s, c)
		for tries := 0; taken[at]; tries++ {
			if tries > 1000 {
				return nil, fmt.Errorf("%w: no room for %d nodes", sim.ErrPlan, nodes)
			}
			at = DrawPoint(s, c)
		}
		taken[at] = true
		coords = append(coords, at)
	}
	return coords, nil
}

// crowd returns the sizes of a space of few kinds of machines, in which about half of the points
// are taken if all nodes are members.
func crowd(nodes, dims int) []int32 {
	sizes := make([]int32, dims)
	for k := range sizes {
		sizes[k] = 1
	}
	sizes[0] = 2
	for sizes[dims-1] = 4; int(sizes[dims-1]) < nodes; sizes[dims-1] *= 2 {
	}
	return sizes
}

// DrawPoint draws a point.
func DrawPoint(s space.Space, c *sim.Chance) (at space.Point) {
	for k := range s.Dims {
		at[k] = int32(c.Below(uint64(s.Size[k])))
	}
	return at
}
