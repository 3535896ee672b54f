package parallel_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// Two jobs need both nodes of a cluster, and the third, a single node, must not delay the second.
func Example() {
	grid, err := parallel.NewGrid(&scheduler.Platform{Name: "pair", Clusters: []scheduler.Cluster{
		{Name: "a", Nodes: 2, ProcessorsPerNode: 1, DiameterNanos: 8_000},
	}}, nil, 1, 1)
	if err != nil {
		panic(err)
	}
	w := &scheduler.Workload{Jobs: []scheduler.Job{
		{RunMicros: 10 * scheduler.Second, Nodes: 2},
		{SubmitMicros: scheduler.Second, RunMicros: 10 * scheduler.Second, Nodes: 2},
		{SubmitMicros: 2 * scheduler.Second, RunMicros: scheduler.Second, Nodes: 1},
	}}
	o := parallel.Defaults()
	o.LatencyMicros = 1
	result, err := parallel.Run(context.Background(), w, grid, o)
	if err != nil {
		panic(err)
	}
	for _, r := range result.Records {
		fmt.Printf("job %d starts at %d s\n", r.Job, r.StartMicros/scheduler.Second)
	}
	// Output:
	// job 0 starts at 0 s
	// job 1 starts at 10 s
	// job 2 starts at 20 s
}
