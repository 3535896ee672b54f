package central_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// serial draws serial jobs that come at random to servers, with a mean run time of a second.
func serial(jobs, servers int, load float64, run func(*rand.Rand) float64) *scheduler.Workload {
	r := scheduler.Stream(7, fmt.Sprintf("serial jobs, %d servers, load %v", servers, load))
	w := &scheduler.Workload{Jobs: make([]scheduler.Job, jobs)}
	now := 0.0
	for i := range w.Jobs {
		now += r.ExpFloat64() / (load * float64(servers))
		w.Jobs[i] = scheduler.Job{SubmitMicros: int64(now * 1e6), RunMicros: int64(run(r) * 1e6), Nodes: 1}
	}
	return w
}

// erlangC is the probability that a job has to wait in M/M/c.
func erlangC(servers int, load float64) float64 {
	offered := load * float64(servers)
	term, sum := 1.0, 0.0
	for k := range servers {
		sum += term
		term *= offered / float64(k+1)
	}
	return term / (1 - load) / (sum + term/(1-load))
}

func TestQueueingTheory(t *testing.T) {
	exponential := func(r *rand.Rand) float64 { return r.ExpFloat64() }
	constant := func(*rand.Rand) float64 { return 1 }
	for _, load := range []float64{0.5, 0.8} {
		for _, test := range []struct {
			name    string
			servers int
			run     func(*rand.Rand) float64
			want    float64 // mean wait in seconds
		}{
			{"M/M/1", 1, exponential, load / (1 - load)},
			{"M/D/1, Pollaczek-Khinchine", 1, constant, load / (2 * (1 - load))},
			{"M/M/2, Erlang C", 2, exponential, erlangC(2, load) / (2 * (1 - load))},
			{"M/M/5, Erlang C", 5, exponential, erlangC(5, load) / (5 * (1 - load))},
		} {
			w := serial(500_000, test.servers, load, test.run)
			var sum float64
			for _, x := range run(t, w, grid(test.servers), central.Options{Policy: "fcfs"}).Records {
				sum += float64(x.StartMicros - w.Jobs[x.Job].SubmitMicros)
			}
			mean := sum / 1e6 / float64(len(w.Jobs))
			t.Logf("%s, load %.1f: mean wait %.4f s, in theory %.4f s", test.name, load, mean, test.want)
			assert.InEpsilon(t, test.want, mean, 0.03, "%s, load %.1f", test.name, load)
		}
	}
}
