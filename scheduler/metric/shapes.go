package metric

import (
	"fmt"
	"math/bits"

	"github.com/canvass-grid/canvass/scheduler"
)

// Shapes counts jobs by size and run time, in bins that double: 1, 2-3, 4-7 and so on, of nodes and
// of seconds. Jobs below a second come before the bin 1.
type Shapes struct {
	Nodes   []string // names of the bins, from that of the smallest job to that of the largest
	Seconds []string
	Jobs    [][]int // Jobs[run time][size]
}

// CountShapes counts the jobs of a workload.
func CountShapes(jobs []scheduler.Job) Shapes {
	var s Shapes
	if len(jobs) == 0 {
		return s
	}
	type bin struct{ nodes, run int }
	of := func(j scheduler.Job) bin {
		return bin{bits.Len64(uint64(j.Nodes)), bits.Len64(uint64(j.RunMicros / scheduler.Second))}
	}
	counts := map[bin]int{}
	low, high := of(jobs[0]), of(jobs[0])
	for _, j := range jobs {
		b := of(j)
		counts[b]++
		low = bin{min(low.nodes, b.nodes), min(low.run, b.run)}
		high = bin{max(high.nodes, b.nodes), max(high.run, b.run)}
	}
	for n := low.nodes; n <= high.nodes; n++ {
		s.Nodes = append(s.Nodes, binName(n))
	}
	for r := low.run; r <= high.run; r++ {
		s.Seconds = append(s.Seconds, binName(r))
		line := make([]int, len(s.Nodes))
		for n := range line {
			line[n] = counts[bin{low.nodes + n, r}]
		}
		s.Jobs = append(s.Jobs, line)
	}
	return s
}

// binName is the range of numbers with b binary digits.
func binName(b int) string {
	if b == 0 {
		return "below 1"
	}
	first := uint64(1) << (b - 1)
	if first == 1 {
		return "1"
	}
	return fmt.Sprintf("%d-%d", first, 2*first-1)
}

// Mode is the bin with the most jobs, among equal ones the bin of the shortest and then smallest
// jobs.
func (s Shapes) Mode() (nodes, seconds string, jobs int) {
	for r, line := range s.Jobs {
		for n, count := range line {
			if count > jobs {
				nodes, seconds, jobs = s.Nodes[n], s.Seconds[r], count
			}
		}
	}
	return nodes, seconds, jobs
}
