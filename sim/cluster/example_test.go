package cluster_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim/cluster"
)

// Two pairs of nodes find each other.
func ExampleRefine() {
	near := func(a, b int) int64 {
		if a/2 == b/2 {
			return 8
		}
		return 50_000
	}
	candidates := [][]int{{0, 1}, {0, 1}, {2, 3}, {2, 3}}
	r, err := cluster.Refine(context.Background(), refine.DefaultConfig(2, 2, 200), candidates, near, 1)
	fmt.Println(r.Own, r.Advertised, err)
	// Output: [[0 1] [0 1] [2 3] [2 3]] [0 1 2 3] <nil>
}
