package generate

import (
	"math"
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
)

// Run times of poisson: exponential, deterministic, hyperexponential.
const (
	serviceExp = iota
	serviceDet
	serviceHyper
)

func services() []string { return []string{"exp", "det", "hyper"} }

// hyperSquared is the squared coefficient of variation of hyper.
const hyperSquared = 4.0

func poisson(v values, seed uint64) (*scheduler.Workload, error) {
	times, runs := scheduler.Stream(seed, "poisson submits"), scheduler.Stream(seed, "poisson runs")
	w := &scheduler.Workload{Nodes: int(v["nodes"]), Jobs: make([]scheduler.Job, int(v["N"]))}
	submit := int64(0) // a sum of whole microseconds, so that late jobs are as exact as early ones
	for i := range w.Jobs {
		submit += micros(exponential(times, 1/v["rate"]))
		w.Jobs[i] = newJob(submit, micros(serviceSeconds(runs, int(v["service"]), v["mean"])), 1)
	}
	return w, nil
}

// serviceSeconds draws a run time. The branches of the hyperexponential distribution have equal
// shares of the work: the more frequent one has the shorter jobs.
func serviceSeconds(r *rand.Rand, service int, mean float64) float64 {
	switch service {
	case serviceDet:
		return mean
	case serviceHyper:
		p := (1 + math.Sqrt((hyperSquared-1)/(hyperSquared+1))) / 2
		if r.Float64() >= p {
			p = 1 - p
		}
		return exponential(r, mean/(2*p))
	default:
		return exponential(r, mean)
	}
}
