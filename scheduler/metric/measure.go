package metric

import (
	"math"
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// shortMicros is the threshold of bounded slowdown: shorter run times count as ten seconds.
const shortMicros = 10 * scheduler.Second

// bounded is the run time that slowdowns divide by.
func (j *job) bounded() int64 { return max(j.run(), shortMicros) }

func (j *job) bsld() float64 {
	return max(1, float64(j.response())/float64(j.bounded()))
}

func (j *job) jackson() float64 {
	return 1 + float64(j.wait())/float64(j.bounded())
}

func (j *job) perProcessor() float64 {
	return max(1, float64(j.response())/float64(float64(j.nodes)*float64(j.bounded())))
}

// measure describes jobs by each measure.
func measure(jobs []job) Measures {
	return Measures{
		Counted:              len(jobs),
		Wait:                 Wait(ofTimes(jobs, (*job).wait)),
		Response:             Response(ofTimes(jobs, (*job).response)),
		BoundedSlowdown:      BoundedSlowdown(ofRatios(jobs, (*job).bsld)),
		JacksonSlowdown:      JacksonSlowdown(ofRatios(jobs, (*job).jackson)),
		PerProcessorSlowdown: PerProcessorSlowdown(ofRatios(jobs, (*job).perProcessor)),
	}
}

// ofTimes describes a time in seconds. Its sums are those of integers.
func ofTimes(jobs []job, micros func(*job) int64) Distribution {
	var total, weighted, area sum
	values := make([]float64, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		x := micros(j)
		values[i] = seconds(x)
		total.add(x)
		weighted.add(x, j.nodes, j.run())
		area.add(j.nodes, j.run())
	}
	mean := total.over(int64(len(jobs)), scheduler.Second)
	byArea := mean
	if area.total.Sign() > 0 {
		area.total.Mul(&area.total, area.factor.SetInt64(scheduler.Second))
		byArea = quotient(&weighted.total, &area.total)
	}
	return describe(values, mean, byArea)
}

// ofRatios describes a ratio. Jobs come by index, so equal runs give equal sums.
func ofRatios(jobs []job, ratio func(*job) float64) Distribution {
	total, weighted, areas := 0.0, 0.0, 0.0
	values := make([]float64, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		x := ratio(j)
		values[i] = x
		total += x
		area := float64(float64(j.nodes) * float64(j.run()))
		weighted += float64(area * x)
		areas += area
	}
	mean := total / float64(len(jobs))
	byArea := mean
	if areas > 0 {
		byArea = weighted / areas
	}
	return describe(values, mean, byArea)
}

// describe sorts the values.
func describe(values []float64, mean, byArea float64) Distribution {
	squares := 0.0
	for _, x := range values {
		d := x - mean
		squares += float64(d * d)
	}
	slices.Sort(values)
	d := Distribution{
		Mean: mean, AreaMean: byArea, Max: values[len(values)-1],
		Median: Percentile(values, 50), P90: Percentile(values, 90),
		P95: Percentile(values, 95), P99: Percentile(values, 99),
	}
	if len(values) > 1 {
		d.SD = math.Sqrt(squares / float64(len(values)-1))
	}
	return d
}

// Percentile returns the value with index ceil(percent n / 100), counted from 1, of n sorted values
// (nearest rank). A percentage below 1 gives the first value, one above 100 the last. Without
// values, the result is not a number.
func Percentile(sorted []float64, percent int) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	percent = min(max(percent, 0), 100)
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(rank, 1)-1]
}

// jacksonTable returns the most frequent slowdown of Jackson, rounded up, and the share below 1.01.
// Jackson's table 4.1 has the first; it hides that most slowdowns are near 1.
func jacksonTable(jobs []job) (mode int64, nearOne float64) {
	counts := map[int64]int{}
	near, best := 0, 0
	for i := range jobs {
		wait, bounded := jobs[i].wait(), jobs[i].bounded()
		if wait <= (bounded-1)/100 { // 100 wait < bounded, without overflow
			near++
		}
		ceil := 1 + wait/bounded
		if wait%bounded > 0 {
			ceil++
		}
		counts[ceil]++
	}
	for ceil, count := range counts {
		if count > best || count == best && ceil < mode {
			mode, best = ceil, count
		}
	}
	return mode, float64(near) / float64(len(jobs))
}
