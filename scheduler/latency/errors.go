package latency

import (
	"math"
	"slices"
)

// Predictor predicts latencies.
type Predictor interface {
	Nanos(a, b int) float64 // in nanoseconds
}

// Errors says how far predictions are from an input, over all unordered pairs of hosts.
type Errors struct {
	Pairs int `json:"pairs"`
	// Percentiles of the relative error, and the largest one with its pair.
	P50       float64 `json:"p50"`
	P95       float64 `json:"p95"`
	P99       float64 `json:"p99"`
	Max       float64 `json:"max"`
	MaxFirst  int     `json:"max_first"`
	MaxSecond int     `json:"max_second"`
	Zero      int     `json:"zero_pairs,omitempty"` // without a relative error
	// The share of pairs whose relative error is below 1. Beyond that percentile a pair is predicted
	// to be at least twice as far apart as it is.
	BelowOne float64 `json:"share_below_1"`
	// Shares of wrong answers to "is this pair at most so far apart": of the pairs that are farther,
	// those predicted to be near, and of the pairs that are near, those predicted to be farther.
	Far      int     `json:"far_pairs"`
	Positive float64 `json:"positive_error"`
	Near     int     `json:"near_pairs"`
	Negative float64 `json:"negative_error"`
}

// Compare computes the errors of all pairs. Latencies up to the limit, in nanoseconds, count as
// near. A latency of zero that is predicted otherwise has no relative error: such pairs are only
// counted.
func Compare(in *Input, p Predictor, limitNanos int64) Errors {
	e, relative := Errors{MaxFirst: -1, MaxSecond: -1}, make([]float64, 0, in.Hosts*max(0, in.Hosts-1)/2)
	var falseNear, falseFar int
	for a := range in.Hosts {
		for b := range a {
			measured, predicted := in.Nanos(a, b), p.Nanos(a, b)
			if measured == 0 && predicted != 0 {
				e.Zero++
			} else {
				off := math.Abs(predicted-float64(measured)) / float64(max(1, measured))
				relative = append(relative, off)
				if off > e.Max {
					e.Max, e.MaxFirst, e.MaxSecond = off, b, a
				}
			}
			near := predicted <= float64(limitNanos)
			switch {
			case measured <= limitNanos:
				e.Near++
				if !near {
					falseFar++
				}
			default:
				e.Far++
				if near {
					falseNear++
				}
			}
		}
	}
	e.Pairs = len(relative)
	if e.Pairs == 0 {
		return e
	}
	slices.Sort(relative)
	e.P50, e.P95, e.P99 = percentile(relative, 50), percentile(relative, 95), percentile(relative, 99)
	below, _ := slices.BinarySearch(relative, 1)
	e.BelowOne = float64(below) / float64(e.Pairs)
	e.Positive = float64(falseNear) / float64(max(1, e.Far))
	e.Negative = float64(falseFar) / float64(max(1, e.Near))
	return e
}

// percentile is the smallest value that the given per cent of the sorted values do not exceed.
func percentile(sorted []float64, percent int) float64 {
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}
