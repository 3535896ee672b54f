package can

import "github.com/canvass-grid/canvass/protocol/space"

// layout is an initial map: a space, and the nodes whose joins, one after another, make the map.
// The first node creates the network; the others ask it to let them in. Nodes are named A, B, C… in
// that order.
type layout struct {
	name    string
	virtual int
	sizes   []int32
	nodes   []space.Point
}

func at(coordinates ...int32) (p space.Point) {
	copy(p[:], coordinates)
	return p
}

// The initial maps. The comments show the zones; a wide gap between two names is the first split.
func row1() layout { return layout{"row1", 0, []int32{16}, []space.Point{at(2)}} }

// A  B
func row2() layout { return layout{"row2", 0, []int32{16}, []space.Point{at(2), at(10)}} }

// A B  C
func row3() layout { return layout{"row3", 0, []int32{16}, []space.Point{at(2), at(6), at(12)}} }

// A  B  C D, the zones of figure 6.4.
func row4() layout {
	return layout{"row4", 0, []int32{16}, []space.Point{at(2), at(6), at(10), at(14)}}
}

// A  B  C  D  E
func row5() layout {
	return layout{"row5", 0, []int32{20}, []space.Point{at(2), at(6), at(10), at(14), at(18)}}
}

// A  B  C  D  E  F: the ends share no neighbour, direct or indirect.
func row6() layout {
	return layout{"row6", 0, []int32{24}, []space.Point{at(2), at(6), at(10), at(14), at(18), at(22)}}
}

// tee is the map of figure 6.2: B and C side by side on A, whose zone falls to both.
func tee() layout {
	return layout{"tee", 0, []int32{8, 8}, []space.Point{at(1, 1), at(1, 6), at(6, 6)}}
}

// halves is A B, each of which a node above it splits.
func halves() layout {
	return layout{"halves", 0, []int32{8, 8}, []space.Point{at(1, 1), at(6, 1)}}
}

// square is C D above A B.
func square() layout {
	return layout{"square", 0, []int32{8, 8}, []space.Point{at(1, 1), at(6, 1), at(1, 6), at(6, 6)}}
}

// long is C above A, and B as high as both to their right.
func long() layout {
	return layout{"long", 0, []int32{8, 8}, []space.Point{at(1, 1), at(6, 3), at(1, 6)}}
}

// cube has three dimensions: B beside A, C behind, D above.
func cube() layout {
	return layout{"cube", 0, []int32{4, 4, 4}, []space.Point{at(0, 0, 0), at(3, 0, 0), at(0, 3, 0)}}
}

// clones has a virtual dimension: all nodes are alike in the real one.
func clones() layout {
	return layout{"clones", 1, []int32{4, 3}, []space.Point{at(1)}}
}

// C A  B D: the middle was there first.
func outward() layout {
	return layout{"outward", 0, []int32{16}, []space.Point{at(6), at(10), at(2), at(14)}}
}

// far has G at one end, and at the other B with two takers, only one of which is near enough for G
// to know.
func far() layout {
	return layout{"far", 0, []int32{4, 64}, []space.Point{
		at(1, 52), at(3, 26), at(3, 46), at(0, 19), at(1, 32), at(2, 52), at(0, 4),
	}}
}
