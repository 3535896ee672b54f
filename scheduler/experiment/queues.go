package experiment

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// queue is a queue whose mean wait is known: serial jobs, Poisson arrivals, c servers, first come
// first served. The mean service time is one second.
type queue struct {
	name    string
	service string // exp or det
	servers int
}

var knownQueues = []queue{{"M/M/1", "exp", 1}, {"M/D/1", "det", 1}, {"M/M/8", "exp", 8}}

// loads are the offered loads of a server, in hundredths.
var loads = []int{50, 80, 90}

// wait is the mean wait in seconds: that of Pollaczek and Khinchine for one server, that of Erlang
// for several.
func (q queue) wait(load float64) float64 {
	if q.service == "det" {
		return load / (2 * (1 - load))
	}
	c := float64(q.servers)
	offered := float64(c * load)
	// The probability that all of c servers are busy, from the loss formula's recursion.
	loss := 1.0
	for k := 1; k <= q.servers; k++ {
		loss = float64(offered*loss) / (float64(k) + float64(offered*loss))
	}
	busy := loss / (1 - float64(load*(1-loss)))
	return busy / float64(c*(1-load))
}

// workload has the arrivals of a load, in hundredths.
func (q queue) workload(load, jobs int) string {
	return fmt.Sprintf("poisson:N=%d,rate=%d.%02d,service=%s,mean=1,nodes=%d", jobs, q.servers*load/100,
		q.servers*load%100, q.service, q.servers)
}

func (q queue) cell(load, jobs int) lab.Cell {
	return lab.MustCell("workload="+q.workload(load, jobs), fmt.Sprintf("platform=pool:%d", q.servers), "policy=fcfs",
		"estimate=exact", "trim=none", "zero-run=keep")
}

// queueJobs is how many jobs a run has. A mean over ten seeds then has an error of about a percent
// at a load of 0.9.
var queueJobs = map[string]int{"ci": 100_000, "desk": 200_000, "paper": 1_000_000}

// queues compares first come, first served with queueing theory.
func queues() *Experiment {
	e := &Experiment{
		Name: "theory/queues", Chance: true,
		seconds: [3]float64{0.96, 2, 10},
		numbers: []string{"mean_wait_seconds"},
		Doc:     "mean waits of serial jobs are those of queueing theory: M/M/1, M/D/1 and M/M/8",
		Source:  "Pollaczek and Khinchine; Erlang's formula C",
		cells: func(size string) []lab.Cell {
			var all []lab.Cell
			for _, q := range knownQueues {
				for _, load := range loads {
					all = append(all, q.cell(load, queueJobs[size]))
				}
			}
			return all
		},
	}
	for _, q := range knownQueues {
		for _, load := range loads {
			for _, size := range Sizes {
				e.marks = append(e.marks, mark{
					[]string{"workload=" + q.workload(load, queueJobs[size])},
					map[string]float64{"mean_wait_seconds": q.wait(float64(load) / 100)},
				})
			}
			e.Claims = append(e.Claims, q.claim(load))
		}
	}
	return e
}

// tolerated is how far a mean may be from theory.
const tolerated = 0.03

func (q queue) claim(load int) Claim {
	theory := q.wait(float64(load) / 100)
	wait := series{value: func(s seeded) (float64, []*lab.Row, bool) {
		for _, size := range slices.Backward(Sizes) {
			if some := with(s, "workload="+q.workload(load, queueJobs[size])); len(some) > 0 {
				return some[0].Summary.Wait.Mean, some[:1], true
			}
		}
		return 0, nil, false
	}}
	return Claim{
		Text:      fmt.Sprintf("%s at load 0.%02d", q.name, load),
		Metric:    Metric{Name: "mean wait", Unit: " s", Range: metric.AtLeast0, series: []series{wait}},
		Estimator: Mean, Published: states(fmt.Sprintf("mean wait %.4g s, within 3 %%", theory)),
		Relation: within(float64((1-tolerated)*theory), float64((1+tolerated)*theory)),
	}
}
