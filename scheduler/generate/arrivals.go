package generate

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Weights are whole multiples of 1/weightUnits: their computation may differ between machines in
// the last digit, and rounding makes them equal.
const weightUnits = 1 << 32

// dayWeights returns how much arrives in each half hour of the day, from midnight, relative to the
// mean. The day is a gamma distribution over half hours that begins at dayStart.
func dayWeights(shape, scale float64) [buckets]float64 {
	cdf := func(halfHours float64) float64 { return mathext.GammaIncReg(shape, halfHours/scale) }
	var weights [buckets]float64
	sum := 0.0
	for i := dayStart; i < dayStart+buckets; i++ {
		w := cdf(float64(i)+0.5) - cdf(float64(i)-0.5)
		weights[(i-1)%buckets] = w
		sum += w
	}
	for i, w := range weights {
		weights[i] = math.Round(float64(w/sum*buckets*weightUnits)) / weightUnits
	}
	return weights
}

// arrivals turns times between jobs into times of submission. A bucket holds as many points as its
// weight says. A time of half an hour is a point, so jobs are close where buckets hold much.
type arrivals struct {
	weights [buckets]float64
	bucket  int64   // since midnight of the first day
	points  float64 // of the bucket that are used up
}

// after returns the time of submission of a job that comes the given seconds of work time after the
// job before it.
func (a *arrivals) after(seconds float64) int64 {
	a.points += seconds / bucketSeconds
	weight := a.weights[a.bucket%buckets]
	for a.points > weight {
		a.points -= weight
		a.bucket++
		weight = a.weights[a.bucket%buckets]
	}
	return a.bucket*micros(bucketSeconds) + micros(float64(bucketSeconds*(a.points/weight)))
}
