package workload

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/canvass-grid/canvass/scheduler"
)

// Comparison says how far two workloads differ. Distances are those of Kolmogorov and Smirnov: the
// largest difference between two distribution functions, from 0 to 1, or NaN without values. Times
// count in whole seconds, as most logs have them. Shares are from 0 to 1.
type Comparison struct {
	Jobs               [2]int     `json:"jobs"`
	RunTimeDistance    float64    `json:"run_time_distance"`
	SizeDistance       float64    `json:"size_distance"`
	SubmissionDistance float64    `json:"submission_distance"` // of the times between submissions
	SerialShares       [2]float64 `json:"serial_shares"`
	PowerOfTwoShares   [2]float64 `json:"power_of_two_shares"` // sizes that are powers of two, 1 among them
}

// Compare compares two workloads, neither of which is changed.
func Compare(a, b *scheduler.Workload) Comparison {
	run := func(j, _ *scheduler.Job) int64 { return j.RunMicros / scheduler.Second }
	size := func(j, _ *scheduler.Job) int64 { return int64(j.Nodes) }
	between := func(j, before *scheduler.Job) int64 {
		if before == nil {
			return -1
		}
		return j.SubmitMicros/scheduler.Second - before.SubmitMicros/scheduler.Second
	}
	c := Comparison{
		Jobs: [2]int{len(a.Jobs), len(b.Jobs)}, RunTimeDistance: distanceOf(a, b, run),
		SizeDistance: distanceOf(a, b, size), SubmissionDistance: distanceOf(a, b, between),
	}
	for i, w := range []*scheduler.Workload{a, b} {
		serial, powers := 0, 0
		for j := range w.Jobs {
			n := w.Jobs[j].Nodes
			if n == 1 {
				serial++
			}
			if n&(n-1) == 0 {
				powers++
			}
		}
		c.SerialShares[i], c.PowerOfTwoShares[i] = share(serial, len(w.Jobs)), share(powers, len(w.Jobs))
	}
	return c
}

// distanceOf compares a measure of jobs. The measure also sees the job before, or nil; negative
// results do not count.
func distanceOf(a, b *scheduler.Workload, measure func(j, before *scheduler.Job) int64) float64 {
	values := func(w *scheduler.Workload) []float64 {
		var all []float64
		var before *scheduler.Job
		for i := range w.Jobs {
			if v := measure(&w.Jobs[i], before); v >= 0 {
				all = append(all, float64(v))
			}
			before = &w.Jobs[i]
		}
		slices.Sort(all)
		return all
	}
	return kolmogorovSmirnov(values(a), values(b))
}

// kolmogorovSmirnov is the largest difference between the distribution functions of two samples in
// ascending order; 1 if only one is empty.
func kolmogorovSmirnov(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return float64(min(1, len(a)+len(b)))
	}
	most := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at := min(a[i], b[j])
		for i < len(a) && a[i] == at {
			i++
		}
		for j < len(b) && b[j] == at {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// String is the comparison as a table for people.
func (c Comparison) String() string {
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "\tfirst\tsecond\tdistance\n")
	fmt.Fprintf(out, "jobs\t%s\t%s\n", thousands(c.Jobs[0]), thousands(c.Jobs[1]))
	fmt.Fprintf(out, "run time\t\t\t%.4f\n", c.RunTimeDistance)
	fmt.Fprintf(out, "size\t\t\t%.4f\n", c.SizeDistance)
	fmt.Fprintf(out, "time between submissions\t\t\t%.4f\n", c.SubmissionDistance)
	fmt.Fprintf(out, "serial jobs\t%s\t%s\n", percent(c.SerialShares[0]), percent(c.SerialShares[1]))
	fmt.Fprintf(out, "sizes that are powers of two\t%s\t%s\n", percent(c.PowerOfTwoShares[0]),
		percent(c.PowerOfTwoShares[1]))
	out.Flush()
	return b.String()
}
