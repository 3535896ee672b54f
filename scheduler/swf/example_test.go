package swf_test

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// A log is read and cleaned, and the schedule of its first two jobs is written as a log.
func Example() {
	w, header, err := swf.ReadFile("testdata/small.swf", swf.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(header.Computer, "with", w.Nodes, "processors:", len(w.Jobs), "jobs")
	for _, c := range w.Changes[1:3] {
		fmt.Println(c.Jobs, c.What)
	}

	first := &scheduler.Workload{Name: w.Name, Digest: w.Digest, Nodes: w.Nodes, Jobs: w.Jobs[:2]}
	err = swf.WriteSchedule(os.Stdout, first, []scheduler.Record{
		{Job: 0, StartMicros: 200 * scheduler.Second, EndMicros: 1470 * scheduler.Second, Cluster: 0},
		{Job: 1, Excluded: "larger than every cluster"},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// a generator with 128 processors: 292 jobs
	// 5 dropped: no run time (zero or unknown)
	// 2 dropped: no processors
	// ; Version: 2.2
	// ; MaxJobs: 2
	// ; MaxRecords: 2
	// ; MaxNodes: 128
	// ; MaxProcs: 128
	// ; Note: made by canvass from small.swf, SHA-256 72a5a59b1ac98435
	// 1 110 90 1270 8 -1 -1 8 1500 -1 1 8 1 -1 0 1 -1 -1
	// 2 206 -1 -1 -1 -1 -1 32 300 -1 5 2 1 -1 1 -1 -1 -1
}
