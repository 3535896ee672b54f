package workload

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// Description has the statistics of a workload. Shares are from 0 to 1. Nodes are processors,
// unless the log was read in units of nodes.
type Description struct {
	Name             string                `json:"name"`
	Digest           string                `json:"digest"`
	Jobs             int                   `json:"jobs"`
	MachineNodes     int                   `json:"machine_nodes,omitempty"` // as the log states
	SpanMicros       int64                 `json:"span_micros"`
	SerialJobs       int                   `json:"serial_jobs"`
	SerialShare      float64               `json:"serial_share"`
	LargestNodes     int                   `json:"largest_nodes"`
	MedianRunMicros  int64                 `json:"median_run_micros"` // the lower one of an even number
	LongestRunMicros int64                 `json:"longest_run_micros"`
	DistinctShapes   int                   `json:"distinct_shapes"` // pairs of size and run time
	RequestedJobs    int                   `json:"requested_jobs"`  // with a requested time
	LoadNodes        int                   `json:"load_nodes,omitempty"`
	OfferedLoad      float64               `json:"offered_load,omitempty"` // on LoadNodes; absent without a span
	Sizes            []SizeClass           `json:"sizes"`
	Runs             []RunClass            `json:"runs"`
	Changes          []scheduler.Change    `json:"changes"`              // changes by reading and selecting
	Header           []scheduler.Statement `json:"header"`               // fields of the log's header that were used
	Partitions       []string              `json:"partitions,omitempty"` // names of the partitions 1, 2 and so on
}

// SizeClass counts jobs of one doubling of sizes: 1, 2 to 3, 4 to 7 and so on.
type SizeClass struct {
	FromNodes int     `json:"from_nodes"`
	ToNodes   int     `json:"to_nodes"`
	Jobs      int     `json:"jobs"`
	Share     float64 `json:"share"`
	AboveFrom int     `json:"above_from_jobs"` // jobs of any class that need more than FromNodes
}

// RunClass counts jobs whose run time is below a bound and not below that of the class before.
type RunClass struct {
	BelowMicros int64   `json:"below_micros,omitempty"` // absent in the last class: no bound
	Jobs        int     `json:"jobs"`
	Share       float64 `json:"share"`
}

// runBounds are the usual classes: 10 seconds, a minute, 10 minutes, an hour, 10 hours.
var runBounds = []int64{
	10 * scheduler.Second, 60 * scheduler.Second, 600 * scheduler.Second, 3_600 * scheduler.Second,
	36_000 * scheduler.Second,
}

// Describe counts. The offered load is that on the given number of nodes; 0 stands for the machine
// of the log.
func Describe(w *scheduler.Workload, nodes int) Description {
	if nodes <= 0 {
		nodes = w.Nodes
	}
	d := Description{
		Name: w.Name, Digest: w.Digest, Jobs: len(w.Jobs), MachineNodes: w.Nodes, SpanMicros: w.SpanMicros(),
		LoadNodes: nodes, OfferedLoad: offeredLoad(w, nodes),
		Changes: append([]scheduler.Change{}, w.Changes...), Header: append([]scheduler.Statement{}, w.Header...),
		Partitions: slices.Clone(w.Partitions),
	}
	type shape struct {
		nodes int
		run   int64
	}
	shapes := map[shape]bool{}
	runs := make([]int64, 0, len(w.Jobs))
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if !isParallel(j) {
			d.SerialJobs++
		}
		if j.RequestMicros >= 0 {
			d.RequestedJobs++
		}
		d.LargestNodes = max(d.LargestNodes, j.Nodes)
		shapes[shape{j.Nodes, j.RunMicros}] = true
		runs = append(runs, j.RunMicros)
	}
	d.DistinctShapes = len(shapes)
	d.SerialShare = share(d.SerialJobs, d.Jobs)
	if len(runs) > 0 {
		slices.Sort(runs)
		d.MedianRunMicros, d.LongestRunMicros = runs[(len(runs)-1)/2], runs[len(runs)-1]
	}
	d.Sizes, d.Runs = sizeClasses(w.Jobs, d.LargestNodes), runClasses(runs)
	return d
}

// sizeClasses lists the classes up to that of the largest job.
func sizeClasses(jobs []scheduler.Job, largest int) []SizeClass {
	classes := make([]SizeClass, bits.Len(uint(largest)))
	for i := range classes {
		classes[i].FromNodes, classes[i].ToNodes = 1<<i, 1<<(i+1)-1
	}
	for i := range jobs {
		nodes := jobs[i].Nodes
		of := bits.Len(uint(nodes)) - 1
		classes[of].Jobs++
		for c := range classes[:of+1] {
			if nodes > classes[c].FromNodes {
				classes[c].AboveFrom++
			}
		}
	}
	for i := range classes {
		classes[i].Share = share(classes[i].Jobs, len(jobs))
	}
	return classes
}

// runClasses counts run times, which are sorted.
func runClasses(runs []int64) []RunClass {
	var classes []RunClass
	before := 0
	for _, bound := range runBounds {
		below, _ := slices.BinarySearch(runs, bound)
		classes = append(classes, RunClass{bound, below - before, share(below-before, len(runs))})
		before = below
	}
	rest := len(runs) - before
	return append(classes, RunClass{0, rest, share(rest, len(runs))})
}

// offeredLoad is 0 if it is undefined.
func offeredLoad(w *scheduler.Workload, nodes int) float64 {
	if nodes <= 0 || w.SpanMicros() == 0 {
		return 0
	}
	supply := new(big.Int).Mul(big.NewInt(int64(nodes)), big.NewInt(w.SpanMicros()))
	load, _ := new(big.Rat).SetFrac(area(w.Jobs), supply).Float64()
	return load
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
