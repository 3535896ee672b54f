package scheduler

import (
	"math"
	"math/bits"
)

// Worth has measures of jobs whose tasks have an order, by names that end with the unit: the mean
// stretch of the jobs that are done and, with curves, the share of the highest value that was
// reached. It is empty if jobs have no tasks.
func Worth(w *Workload, records []Record) map[string]int64 {
	counts := map[string]int64{}
	if w.Tasks == nil {
		return counts
	}
	paths := w.Tasks.CriticalPaths()
	var done, stretches, value, most uint64
	for job := range records {
		if w.Curves != nil {
			most += uint64(w.Curves.Most(job))
		}
		r := &records[job]
		if r.Outcome != Done {
			continue
		}
		stretch := StretchPPM(r.EndMicros-w.Jobs[job].SubmitMicros, paths[job])
		done, stretches = done+1, stretches+uint64(stretch)
		if w.Curves != nil {
			value += uint64(w.Curves.ValuePPM(job, stretch) / Million)
		}
	}
	if done > 0 {
		counts["mean_stretch_ppm"] = int64(stretches / done)
	}
	if most > 0 {
		counts["value_ppm"] = partPPM(value, most)
	}
	return counts
}

// StretchPPM is the time that a job has taken divided by its critical path, in millionths, at most
// 10^12. A path of less than a microsecond counts as one.
func StretchPPM(tookMicros, pathMicros int64) int64 {
	return min(partPPM(uint64(tookMicros), uint64(max(1, pathMicros))), mostStretch)
}

// partPPM is a/b in millionths, rounded down, or the largest number if that is too large.
func partPPM(a, b uint64) int64 {
	high, low := bits.Mul64(a, Million)
	if high >= b {
		return math.MaxInt64
	}
	q, _ := bits.Div64(high, low, b)
	return int64(min(q, math.MaxInt64))
}
