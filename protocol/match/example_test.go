package match_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// A grid describes nodes by memory, operating system and a virtual dimension.
func Example() {
	classes := match.Classes{match.AtLeast, match.Equal, match.Ignored}
	job := space.Point{512, 3, 900}
	for _, node := range []space.Point{{1024, 3, 17}, {256, 3, 950}, {1024, 4, 950}} {
		fmt.Println(match.Satisfies(&classes, &job, &node, 3))
	}
	small, large := space.Point{512, 3, 800}, space.Point{1024, 3, 17}
	fmt.Println(match.Less(false, &classes, &small, &large, 3))
	// Output:
	// true
	// false
	// false
	// true
}

// Only C has enough memory for a job. The search goes up from A and ends there.
func ExampleSearch() {
	line, err := space.New(0, 3000)
	if err != nil {
		panic(err)
	}
	zone := func(low, high int32) space.Zone {
		z := line.Whole()
		z.Low[0], z.High[0] = low, high
		return z
	}
	id := func(i int) protocol.NodeID { return protocol.NodeID{Address: protocol.Address(i), Incarnation: 1} }
	places := []match.Place{
		{ID: id(0), Coordinate: space.Point{500}, Zone: zone(0, 1000)},
		{ID: id(1), Coordinate: space.Point{1000}, Zone: zone(1000, 2000)},
		{ID: id(2), Coordinate: space.Point{2048}, Zone: zone(2000, 3000)},
	}
	goal := match.NewGoal(&match.Classes{}, &line, space.Point{1024})
	neighbours := [][]match.Place{places[1:2], {places[0], places[2]}, places[1:2]}
	search, outcome := match.Begin(id(0)), match.Onward
	for outcome == match.Onward && !goal.Satisfied(&places[search.At().Address].Coordinate) {
		search, outcome = search.Next(&goal, neighbours[search.At().Address], 256)
	}
	fmt.Println(search.At(), "after", len(search.Steps), "visits")
	// Output:
	// C after 3 visits
}
