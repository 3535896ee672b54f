package central_test

import (
	"context"
	"fmt"
	"slices"

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

// A policy from outside the package: any job that fits starts, the narrowest first.
func ExampleRunBy() {
	const s = scheduler.Second
	w := &scheduler.Workload{Jobs: []scheduler.Job{
		{RunMicros: 60 * s, Nodes: 6}, {RunMicros: 30 * s, Nodes: 8}, {RunMicros: 20 * s, Nodes: 4},
	}}
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Name: "lab", Nodes: 10}}}
	narrowest := func(v *central.View) central.Decider {
		return func() error {
			waiting := slices.SortedFunc(v.Queue(), func(a, b central.Job) int { return a.Nodes - b.Nodes })
			for _, j := range waiting {
				if c := v.Choose(j.Nodes); c >= 0 {
					v.Start(j.Index, c)
				}
			}
			return nil
		}
	}
	r, err := central.RunBy(context.Background(), w, p, scheduler.Policy{Name: "narrowest"}, narrowest,
		central.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range r.Records {
		fmt.Println("a job starts at", x.StartMicros/s, "s")
	}
	// Output:
	// a job starts at 0 s
	// a job starts at 60 s
	// a job starts at 0 s
}
