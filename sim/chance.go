package sim

import (
	"math/bits"
	"math/rand/v2"
)

// Chance is a stream of random numbers. Each node has its own stream, so that draws at one node do
// not depend on what happens at another. All arithmetic uses integers: a seed means the same on
// every machine.
type Chance struct{ source rand.PCG }

// NewChance returns the stream with that number under a seed.
func NewChance(seed, stream uint64) *Chance {
	c := new(Chance)
	c.seed(seed, stream)
	return c
}

func (c *Chance) seed(seed, stream uint64) { c.source.Seed(mix(seed), mix(stream^0x6a09e667f3bcc908)) }

// Below draws uniformly from 0 to n-1; n must not be 0.
func (c *Chance) Below(n uint64) uint64 {
	high, _ := bits.Mul64(c.source.Uint64(), n)
	return high
}

// Between draws uniformly from low to high, both included.
func (c *Chance) Between(low, high int64) int64 {
	if high <= low {
		return low
	}
	return low + int64(c.Below(uint64(high-low)+1))
}

// Of reports true with probability part/whole.
func (c *Chance) Of(part, whole uint64) bool { return c.Below(whole) < part }

// Exponential draws from the exponential distribution with that mean, by von Neumann's method: a
// falling run of uniform numbers that starts at u has odd length with probability exp(-u).
func (c *Chance) Exponential(mean int64) int64 {
	for whole := int64(0); ; whole++ {
		first := c.source.Uint64()
		last, length := first, 1
		for {
			u := c.source.Uint64()
			if u >= last {
				break
			}
			last = u
			length++
		}
		if length%2 == 1 {
			high, _ := bits.Mul64(first, uint64(mean))
			return whole*mean + int64(high)
		}
	}
}

// mix spreads a number over 64 bits (the finisher of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
