package platform_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/platform"
)

// DAS2 cut into groups of 30 nodes: each group of the small clusters leaves two nodes over.
func Example() {
	p, err := platform.Parse("das2")
	if err != nil {
		panic(err)
	}
	cut, err := platform.Disjoint(p, 30)
	if err != nil {
		panic(err)
	}
	for _, c := range cut.Clusters[:5] {
		fmt.Println(c.Name, c.Nodes, c.DiameterNanos)
	}
	_, err = platform.Parse("dsa2")
	fmt.Println(err)
	// Output:
	// fs0/0 30 8000
	// fs0/1 30 8000
	// fs0/2 12 8000
	// fs1/0 30 8000
	// fs1/1 2 8000
	// there is no platform "dsa2"; did you mean "das2"?
}
