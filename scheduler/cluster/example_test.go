package cluster_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// The clusters of a grid at made-up sites, of which one host in twenty is there.
func ExampleFind() {
	grid, err := latency.Parse("sharcnet-latency:sites=plane,every=20", "", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := cluster.Find(context.Background(), grid.Input, cluster.Defaults(8), 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := found.Quality(grid.Input)
	fmt.Println("hosts:", q.Hosts, "bound:", q.Size, "pairs beyond the diameter:", q.FarPairs)
	fmt.Printf("mean size %.1f, with symmetry %.1f\n", q.Own.MeanSize, q.Advertised.MeanSize)
	// Output:
	// hosts: 109 bound: 8 pairs beyond the diameter: 0
	// mean size 5.4, with symmetry 7.0
}
