package match_test

import (
	"fmt"

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
