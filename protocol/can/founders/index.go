package founders

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/space"
)

// Index finds zones by position. It halves the space recursively until few zones are left in each
// part. A zone is listed in every part that it touches.
type Index struct {
	zones []space.Zone
	parts []part
	found []int32 // scratch
}

type part struct {
	dim       uint8
	at        int32 // coordinates below it are in the low part
	low, high int32 // parts; 0 in a leaf
	items     []int32
}

const leafItems = 12

// NewIndex returns an index of zones, which lie within whole. Their numbers are their places in the
// list.
func NewIndex(whole space.Zone, zones []space.Zone) *Index {
	x := &Index{zones: zones}
	all := make([]int32, len(zones))
	for i := range all {
		all[i] = int32(i)
	}
	x.build(whole, all, 0)
	return x
}

func (x *Index) build(box space.Zone, items []int32, depth int) int32 {
	me := int32(len(x.parts))
	x.parts = append(x.parts, part{})
	dim, at, ok := x.plane(box, items)
	if !ok || depth > 60 {
		x.parts[me].items = items
		return me
	}
	var below, above []int32
	for _, i := range items {
		if x.zones[i].Low[dim] < at {
			below = append(below, i)
		}
		if x.zones[i].High[dim] > at {
			above = append(above, i)
		}
	}
	if len(below) == len(items) && len(above) == len(items) {
		x.parts[me].items = items
		return me
	}
	left, right := box, box
	left.High[dim], right.Low[dim] = at, at
	low := x.build(left, below, depth+1)
	high := x.build(right, above, depth+1)
	x.parts[me] = part{dim: uint8(dim), at: at, low: low, high: high}
	return me
}

// plane selects where to halve a box: at the median border, in the dimension where that cuts the
// fewest zones.
func (x *Index) plane(box space.Zone, items []int32) (dim int, at int32, ok bool) {
	if len(items) <= leafItems {
		return 0, 0, false
	}
	best := 2 * len(items)
	var lows []int32
	for d := range box.Low {
		lows = lows[:0]
		for _, i := range items {
			if low := x.zones[i].Low[d]; low > box.Low[d] {
				lows = append(lows, low)
			}
		}
		if len(lows) == 0 {
			continue
		}
		slices.Sort(lows)
		middle := lows[len(lows)/2]
		worse := 0
		for _, i := range items {
			if x.zones[i].Low[d] < middle {
				worse++
			}
		}
		other := 0
		for _, i := range items {
			if x.zones[i].High[d] > middle {
				other++
			}
		}
		if worst := max(worse, other); worst < best {
			dim, at, ok, best = d, middle, true, worst
		}
	}
	return dim, at, ok
}

// Touching returns the zones that share a point with the box, in ascending order. The list is valid
// until the next call.
func (x *Index) Touching(box space.Zone) []int32 {
	x.found = x.found[:0]
	x.visit(0, box)
	slices.Sort(x.found)
	x.found = slices.Compact(x.found)
	return x.found
}

func (x *Index) visit(at int32, box space.Zone) {
	p := &x.parts[at]
	if p.low == 0 {
		for _, i := range p.items {
			if x.zones[i].Overlaps(box) {
				x.found = append(x.found, i)
			}
		}
		return
	}
	if box.Low[p.dim] < p.at {
		x.visit(p.low, box)
	}
	if box.High[p.dim] > p.at {
		x.visit(p.high, box)
	}
}

// Neighbours lists, for each zone, the zones that abut it.
func (x *Index) Neighbours(dims int) [][]int32 {
	all := make([][]int32, len(x.zones))
	for i, z := range x.zones {
		wider := z
		for k := range dims {
			wider.Low[k]--
			wider.High[k]++
		}
		for _, j := range x.Touching(wider) {
			if _, ok := z.Abuts(x.zones[j]); ok {
				all[i] = append(all[i], j)
			}
		}
	}
	return all
}

// Within2 lists the zones at most two steps from a zone, without itself, in ascending order.
func Within2(neighbours [][]int32, i int32) []int32 {
	near := slices.Clone(neighbours[i])
	for _, j := range neighbours[i] {
		near = append(near, neighbours[j]...)
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return slices.DeleteFunc(near, func(j int32) bool { return j == i })
}
