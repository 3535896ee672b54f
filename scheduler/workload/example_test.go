package workload_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// The densest 20 parallel jobs of a log within 60 seconds, for two clusters of 32 nodes.
func Example() {
	w, _, err := swf.ReadFile("../swf/testdata/small.swf", swf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	grid := &scheduler.Platform{Name: "pair", Clusters: []scheduler.Cluster{{Nodes: 32}, {Nodes: 32}}}
	w, err = workload.Select(w, "filter:parallel,window:densest:20,compress:to=60", grid.Nodes(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, excluded := workload.Exclude(w, grid)
	for _, e := range excluded {
		fmt.Printf("job %d of %d nodes: %s\n", e.Number, e.Nodes, e.Reason)
	}
	if w, err = workload.Estimate(w, "requested", 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(workload.Describe(w, grid.Nodes()))
	// Output:
	// job 9 of 64 nodes: larger than every cluster: the largest of pair has 32 nodes
	// job 13 of 64 nodes: larger than every cluster: the largest of pair has 32 nodes
	// job 21 of 64 nodes: larger than every cluster: the largest of pair has 32 nodes
	// job 26 of 64 nodes: larger than every cluster: the largest of pair has 32 nodes
	// workload  small.swf 72a5a59b1ac98435
	// jobs      16, of which 0 serial (0.0 %)
	// machine   128 nodes
	// header    MaxProcs: 128
	// span      52.576531 s
	// size      at most 32 nodes
	// run time  median 514 s, longest 2,647 s
	// shapes    16 distinct pairs of size and run time
	// requests  16 jobs with a requested time
	// load      51.382 offered to 64 nodes
	//
	//   nodes  jobs   share      larger
	//       1     0   0.0 %  16 above 1
	//     2-3     3  18.8 %  13 above 2
	//     4-7     3  18.8 %  10 above 4
	//    8-15     5  31.2 %   5 above 8
	//   16-31     2  12.5 %  3 above 16
	//   32-63     3  18.8 %  0 above 32
	//
	//         run time  jobs   share
	//       below 10 s     0   0.0 %
	//       below 60 s     1   6.2 %
	//      below 600 s     7  43.8 %
	//    below 3,600 s     8  50.0 %
	//   below 36,000 s     0   0.0 %
	//    from 36,000 s     0   0.0 %
	//
	// left out or changed
	//     1 dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has its own line
	//     5 dropped: no run time (zero or unknown)
	//     2 dropped: no processors
	//     1 used: allocated processors for the size, since none are requested
	//     1 changed: a requested time of zero counts as unknown
	//     3 changed: killed at the requested time
	//     1 sorted: submitted before the job ahead of it in the log
	//    36 left out by filter:parallel
	//   236 left out by window:densest:20
	//    20 moved by window:densest:20 to a clock that begins with the window
	//    20 submission rescaled by compress:to=60
	//     4 excluded: larger than every cluster
}
