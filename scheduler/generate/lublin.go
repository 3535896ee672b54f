package generate

import (
	"math"
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
)

const (
	bucketSeconds = 1_800
	buckets       = 48
	dayStart      = 11 // the bucket at which the program cuts the day
)

// Bounds of two logarithms of seconds; values beyond them are drawn again.
const (
	maxLogRun     = 12 // 45 hours
	maxLogArrival = 13 // 5 days
)

// modelLog2 is the logarithm of the 128 nodes that the published bounds of sizes are for.
const modelLog2 = 7

// A class has the parameters of one kind of job, by the names of lublin99.c.
type class struct {
	name                                string
	queue                               int64
	serialProb, pow2Prob                float64
	uLow, uMed, uHi, uProb              float64
	a1, b1, a2, b2, pa, pb              float64
	arrivalShape, arrivalScale, arar    float64 // aarr, barr, ARAR
	dayShape, dayScale                  float64 // anum, bnum
	sizeStream, runStream, submitStream string
}

// classes returns the one class for all jobs, or batch and interactive jobs.
func classes(count int) []class {
	list := []class{{
		name: "all", queue: scheduler.Unknown, serialProb: 0.244, pow2Prob: 0.576,
		uLow: 0.8, uMed: 4.5, uHi: 7, uProb: 0.86,
		a1: 4.2, b1: 0.94, a2: 312, b2: 0.03, pa: -0.0054, pb: 0.78,
		arrivalShape: 10.2303, arrivalScale: 0.4871, arar: 1.0225, dayShape: 8.1737, dayScale: 3.9631,
	}}
	if count == 2 {
		list = []class{{
			name: "batch", queue: 1, serialProb: 0.2927, pow2Prob: 0.6686,
			uLow: 1.2, uMed: 5, uHi: 7, uProb: 0.875,
			a1: 6.57, b1: 0.823, a2: 639.1, b2: 0.0156, pa: -0.003, pb: 0.6986,
			arrivalShape: 6.0415, arrivalScale: 0.8531, arar: 1.0519, dayShape: 6.1271, dayScale: 5.2740,
		}, {
			name: "interactive", queue: 0, serialProb: 0.1541, pow2Prob: 0.625,
			uLow: 1, uMed: 3, uHi: 5.5, uProb: 0.705,
			a1: 3.8351, b1: 0.6605, a2: 7.073, b2: 0.6856, pa: -0.0118, pb: 0.9156,
			arrivalShape: 6.5510, arrivalScale: 0.6621, arar: 0.9797, dayShape: 8.9186, dayScale: 3.6680,
		}}
	}
	for i := range list {
		c := &list[i]
		c.sizeStream, c.runStream, c.submitStream =
			"lublin sizes "+c.name, "lublin runs "+c.name, "lublin submits "+c.name
	}
	return list
}

// on moves the bounds of sizes to another machine.
func (c class) on(nodes int) class {
	shift := log2(float64(nodes)) - modelLog2
	c.uMed += shift
	c.uHi += shift
	return c
}

// size draws a number of nodes. One draw decides both whether a job is serial and whether its size
// is a power of two, so pow2Prob is a share of all jobs.
func (c class) size(r *rand.Rand) int {
	u := r.Float64()
	if u <= c.serialProb {
		return 1
	}
	v := c.log2Size(r)
	if u <= c.serialProb+c.pow2Prob {
		v = math.Round(v)
	}
	return int(math.Round(exp2(v)))
}

// log2Size draws from the two-stage uniform distribution.
func (c class) log2Size(r *rand.Rand) float64 {
	if r.Float64() < c.uProb {
		return uniform(r, c.uLow, c.uMed)
	}
	return uniform(r, c.uMed, c.uHi)
}

// runSeconds draws the run time of a job. Larger jobs draw from the second distribution more often,
// that of the long jobs.
func (c class) runSeconds(r *rand.Rand, nodes int) float64 {
	p := min(1, max(0, float64(c.pa*float64(nodes))+c.pb))
	shape, scale := c.a2, c.b2
	if r.Float64() < p {
		shape, scale = c.a1, c.b1
	}
	return exp(gammaBelow(r, shape, scale, maxLogRun))
}

// lublin merges the jobs of the classes by time.
func lublin(v values, seed uint64) (*scheduler.Workload, error) {
	nodes, count := int(v["nodes"]), int(v["classes"])
	if count == 2 && nodes < 32 {
		return nil, &SettingError{"lublin", "nodes", plain(v["nodes"]), "at least 32 with classes=2"}
	}
	var sources []*source
	for _, c := range classes(count) {
		sources = append(sources, newSource(c.on(nodes), nodes, seed))
	}
	w := &scheduler.Workload{Nodes: nodes, Jobs: make([]scheduler.Job, int(v["N"]))}
	for i := range w.Jobs {
		first := sources[0]
		for _, s := range sources[1:] {
			if s.next.SubmitMicros < first.next.SubmitMicros {
				first = s
			}
		}
		w.Jobs[i] = first.next
		first.advance()
	}
	return w, nil
}

// A source makes the jobs of one class in the order of submission.
type source struct {
	class              class
	nodes              int
	sizes, runs, times *rand.Rand
	clock              arrivals
	next               scheduler.Job
}

func newSource(c class, nodes int, seed uint64) *source {
	s := &source{
		class: c, nodes: nodes, clock: arrivals{weights: dayWeights(c.dayShape, c.dayScale)},
		sizes: scheduler.Stream(seed, c.sizeStream), runs: scheduler.Stream(seed, c.runStream),
		times: scheduler.Stream(seed, c.submitStream),
	}
	s.advance()
	return s
}

func (s *source) advance() {
	size := min(s.class.size(s.sizes), s.nodes)
	run := s.class.runSeconds(s.runs, size)
	x := gammaBelow(s.times, float64(s.class.arrivalShape*s.class.arar), s.class.arrivalScale, maxLogArrival)
	s.next = newJob(s.clock.after(exp(x)), micros(run), size)
	s.next.Queue = s.class.queue
}
