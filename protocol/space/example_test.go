package space_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol/space"
)

// A node with 8 cores and 32 GB owns the whole space. One with 4 cores and 16 GB joins, and the
// zone is split half-way between the two. When the first node departs, the second takes over.
func Example() {
	s, err := space.New(0, 16, 64) // cores, GB
	if err != nil {
		panic(err)
	}
	owner, joiner := space.Point{8, 32}, space.Point{4, 16}
	keep, _ := s.Split(nil, owner, joiner)
	mine, theirs := keep.Cut(s.Whole()), keep.Opposite().Cut(s.Whole())
	fmt.Println("the owner keeps", zoneText(s, mine), splitsText([]space.HalfSpace{keep}))
	fmt.Println("the joiner gets", zoneText(s, theirs), splitsText([]space.HalfSpace{keep.Opposite()}))

	share, ok := space.Share(mine, []space.HalfSpace{keep}, theirs)
	fmt.Println("the joiner takes over", ok, zoneText(s, space.Join(theirs, share)))

	// Output:
	// the owner keeps [6,16)x[0,64) {x>=6}
	// the joiner gets [0,6)x[0,64) {x<6}
	// the joiner takes over true [0,16)x[0,64)
}

// Three zones around a fourth: whether they cover its border, and how much of a face each of them
// takes.
func ExampleZone_OverlapFractions() {
	s, err := space.New(0, 8, 8)
	if err != nil {
		panic(err)
	}
	box := func(x0, y0, x1, y1 int32) space.Zone {
		return space.Zone{Low: space.Point{x0, y0}, High: space.Point{x1, y1, 1, 1, 1, 1, 1, 1}}
	}
	z := box(0, 0, 4, 8)
	neighbours := []space.Zone{box(4, 0, 8, 2), box(4, 2, 8, 6), box(4, 6, 8, 8)}
	fmt.Println("all three cover the border:", s.BorderCovered(z, neighbours))
	fmt.Println("two of them do:", s.BorderCovered(z, neighbours[1:]))
	for _, n := range neighbours {
		face, _ := z.Abuts(n)
		for _, f := range z.OverlapFractions(face, n) {
			fmt.Printf("%s covers %d/%d\n", zoneText(s, n), f.Part, f.Whole)
		}
	}

	// Output:
	// all three cover the border: true
	// two of them do: false
	// [4,8)x[0,2) covers 2/8
	// [4,8)x[2,6) covers 4/8
	// [4,8)x[6,8) covers 2/8
}

// Routing goes to the neighbour that is nearest to the target.
func ExampleZone_Distance() {
	z := space.Zone{Low: space.Point{2, 2}, High: space.Point{5, 5, 1, 1, 1, 1, 1, 1}}
	fmt.Println(z.Distance(space.Point{3, 4}), z.Distance(space.Point{7, 3}), z.Distance(space.Point{7, 8}))
	// Output: 0 9 25
}
