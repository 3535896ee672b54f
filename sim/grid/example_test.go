package grid_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim/grid"
)

// Two jobs on four nodes: the second waits for the first. No cluster is large enough for the third.
func Example() {
	p := &scheduler.Platform{Name: "small", Clusters: []scheduler.Cluster{
		{Name: "c0", Nodes: 4, ProcessorsPerNode: 1, DiameterNanos: 8_000, SpeedPermille: 1000},
	}}
	w := &scheduler.Workload{Name: "three jobs", Jobs: []scheduler.Job{
		{Nodes: 3, RunMicros: 60 * scheduler.Second},
		{Nodes: 2, RunMicros: 60 * scheduler.Second, SubmitMicros: scheduler.Second},
		{Nodes: 5, RunMicros: 60 * scheduler.Second, SubmitMicros: 2 * scheduler.Second},
	}}
	g, err := parallel.NewGrid(p, nil, 1, 1)
	if err != nil {
		panic(err)
	}
	r, err := grid.Run(context.Background(), w, g, grid.Options{Options: parallel.Defaults()})
	if err != nil {
		panic(err)
	}
	for i, x := range r.Records {
		if x.Excluded != "" {
			fmt.Println(i, x.Excluded)
			continue
		}
		fmt.Println(i, "starts at", x.StartMicros/scheduler.Second, "s")
	}
	fmt.Println(r.Cores.Messages["Start"], "messages that start tasks")
	// Output:
	// 0 starts at 0 s
	// 1 starts at 60 s
	// 2 its client is notified: nobody can run it
	// 3 messages that start tasks
}
