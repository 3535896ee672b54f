package generate

import (
	"math"
	"math/rand/v2"
)

// tries bounds loops that draw again. Each of them ends at the first draws but once in a while, so
// that this limit is never met.
const tries = 10_000

// uniform draws from [low, high).
func uniform(r *rand.Rand, low, high float64) float64 {
	return low + float64((high-low)*r.Float64())
}

// exponential draws from the exponential distribution of a mean.
func exponential(r *rand.Rand, mean float64) float64 {
	return -float64(mean * log(1-r.Float64()))
}

// normal draws from the standard normal distribution (Marsaglia's polar method). Package rand has
// one, but computes its tails with package math.
func normal(r *rand.Rand) float64 {
	for range tries {
		x, y := uniform(r, -1, 1), uniform(r, -1, 1)
		if s := float64(x*x) + float64(y*y); s > 0 && s < 1 {
			return float64(x * math.Sqrt(-2*log(s)/s))
		}
	}
	return 0
}

// gamma draws from the gamma distribution of a shape of at least 1 and a scale (Marsaglia and Tsang
// 2000). Package distuv of gonum has one, but it computes with package math and lets compilers fuse
// operations. With it, one of 1,000,000 run times in microseconds differed between two machines.
func gamma(r *rand.Rand, shape, scale float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(float64(9*d))
	for range tries {
		x := normal(r)
		t := 1 + float64(c*x)
		if t <= 0 {
			continue
		}
		v := float64(float64(t*t) * t)
		u := 1 - r.Float64()
		if log(u) < float64(0.5*float64(x*x))+d-float64(d*v)+float64(d*log(v)) {
			return float64(float64(d*v) * scale)
		}
	}
	return float64(shape * scale)
}

// gammaBelow draws from a gamma distribution until the result is at most a limit.
func gammaBelow(r *rand.Rand, shape, scale, limit float64) float64 {
	for range tries {
		if x := gamma(r, shape, scale); x <= limit {
			return x
		}
	}
	return limit
}

// micros rounds seconds to whole microseconds.
func micros(seconds float64) int64 { return int64(math.Round(float64(seconds * 1e6))) }
