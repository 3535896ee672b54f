package metric_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Two jobs on one node: the second waits for 50 s and runs for 5 s.
func Example() {
	const second = scheduler.Second
	w := &scheduler.Workload{Jobs: []scheduler.Job{
		{SubmitMicros: 0, RunMicros: 60 * second, Nodes: 1},
		{SubmitMicros: 10 * second, RunMicros: 5 * second, Nodes: 1},
	}}
	p := &scheduler.Platform{Clusters: []scheduler.Cluster{{Name: "desk", Nodes: 1}}}
	records := []scheduler.Record{
		{Job: 0, StartMicros: 0, EndMicros: 60 * second},
		{Job: 1, StartMicros: 60 * second, EndMicros: 65 * second},
	}
	s, err := metric.Summarise(w, p, records, metric.Options{Trim: "none"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("wait: mean %.0f s; bounded slowdown: mean %.2f, largest %.1f; utilisation %.2f\n",
		s.Wait.Mean, s.BoundedSlowdown.Mean, s.BoundedSlowdown.Max, s.Utilisation)

	mean, low, high := metric.Interval([]float64{25, 31, 28, 30})
	fmt.Printf("over four seeds: %.1f s, 95 %% interval %.1f to %.1f s\n", mean, low, high)
	// Output:
	// wait: mean 25 s; bounded slowdown: mean 3.25, largest 5.5; utilisation 1.00
	// over four seeds: 28.5 s, 95 % interval 24.3 to 32.7 s
}
