package trials

import (
	"slices"
	"strconv"
	"time"
)

// Repeated lists the values of repeated calls.
func Repeated(times int, f func() float64) (all []float64) {
	for range times {
		all = append(all, f())
	}
	return all
}

// Percentile is the value at a percentile.
func Percentile(values []float64, percent int) float64 {
	all := slices.Sorted(slices.Values(values))
	return all[min(len(all)-1, len(all)*percent/100)]
}

// Met is the word for a goal of time or size that is met or missed.
func Met(met bool) string {
	if met {
		return "met"
	}
	return "missed"
}

// ResidentMiB lists the resident memory of the processes whose command line contains a text.
func ResidentMiB(text string) (all []float64) {
	for _, p := range WithText(text) {
		if u, ok := UsageOf(p.PID); ok && u.RSSBytes > 0 {
			all = append(all, float64(u.RSSBytes)/(1<<20))
		}
	}
	return all
}

// ProcessorTime is the processor time of the processes whose command line contains a text, and of
// the children that they have waited for.
func ProcessorTime(text string) (all time.Duration) {
	const ticksPerSecond = 100
	for _, p := range WithText(text) {
		words := statOf(p.PID)
		if words == nil {
			continue
		}
		for _, w := range words[11:15] {
			ticks, _ := strconv.Atoi(w)
			all += time.Duration(ticks) * time.Second / ticksPerSecond
		}
	}
	return all
}
