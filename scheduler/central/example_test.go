package central_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// The second job has to wait for the first one. With EASY the third runs in the meantime, since it
// ends before the second can start.
func Example() {
	const s = scheduler.Second
	w := &scheduler.Workload{Jobs: []scheduler.Job{
		{SubmitMicros: 0, RunMicros: 60 * s, EstimateMicros: 60 * s, Nodes: 6},
		{SubmitMicros: 1 * s, RunMicros: 30 * s, EstimateMicros: 40 * s, Nodes: 8},
		{SubmitMicros: 2 * s, RunMicros: 20 * s, EstimateMicros: 50 * s, Nodes: 4},
	}}
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Name: "lab", Nodes: 10}}}
	for _, policy := range []string{"fcfs", "easy"} {
		r, err := central.Run(context.Background(), w, p, central.Options{Policy: policy})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(policy, " starts at")
		for _, x := range r.Records {
			fmt.Print(" ", x.StartMicros/s)
		}
		fmt.Println(" s")
	}
	// Output:
	// fcfs starts at 0 60 90 s
	// easy starts at 0 60 2 s
}
