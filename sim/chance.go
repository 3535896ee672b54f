package sim

import (
	"math/bits"
	"math/rand/v2"
)

// Chance is a stream of random numbers. Each node has its own stream, so that draws at one node do
// not depend on events at another. All arithmetic uses integers: a seed means the same on every
// machine.
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

// The functions below draw parts of plans that scenarios of several protocols share: how long
// messages take, which faults they suffer, and when operations happen. The result of a seed depends
// on the order of the draws, so that order must not change.

// DrawLatency draws how long messages take.
func DrawLatency(c *Chance) string {
	all := []string{
		"constant 50000",
		"uniform 1000 200000",
		"exponential 50000",
		"exponential 50000",
		"exponential 400000",
		"exponential 50000 asymmetric 3000",
		"uniform 1 2000000",
	}
	return all[c.Below(uint64(len(all)))]
}

// DrawRates draws the rates of message faults, and how much clocks drift. Some rates are zero.
func DrawRates(p *Plan, c *Chance) {
	rate := func() uint32 {
		if c.Of(1, 3) {
			return 0
		}
		return uint32(c.Below([]uint64{1_000, 20_000, 200_000}[c.Below(3)]))
	}
	p.Drop, p.Duplicate, p.Delay = rate(), rate(), rate()
	p.DelayMicros = c.Between(1, 10*million)
	if c.Of(1, 2) {
		p.DriftPPM = c.Between(0, 50_000)
	}
}

// DrawHarshRates is [DrawRates] for small networks: faults are as frequent as they can be while the
// protocol still makes progress.
func DrawHarshRates(p *Plan, c *Chance) {
	rate := func() uint32 { return []uint32{0, 10_000, 100_000, 300_000}[c.Below(4)] }
	p.Drop, p.Duplicate, p.Delay = rate(), rate(), rate()
	p.DelayMicros = []int64{1, 5, 20}[c.Below(3)] * million
	p.DriftPPM = []int64{0, 50_000, 300_000}[c.Below(3)]
}

// DrawDelays draws message faults of which some delay a message by a bounded time: as long as it
// takes to detect a failure, and longer. In half of the runs only some nodes' messages suffer them,
// and only for a while. Then rounds succeed while old messages are still in flight.
func DrawDelays(p *Plan, c *Chance, most int64) {
	p.DelayMicros = []int64{million, most / 2, most}[c.Below(3)]
	p.DriftPPM = []int64{0, 50_000, 300_000}[c.Below(3)]
	if c.Of(1, 2) {
		rate := func() uint32 { return []uint32{0, 50_000, 200_000}[c.Below(3)] }
		p.Drop, p.Duplicate, p.Delay = rate(), rate(), rate()
		return
	}
	p.Faults = drawStretches(p.Nodes, c)
}

// DrawDuplicates draws message faults that drop nothing, so that rounds and requests succeed while
// copies and old messages are still in flight. The longest delay and the rates of duplicated and of
// delayed messages are each one of those given. In a quarter of the runs it is [DrawDelays].
func DrawDuplicates(p *Plan, c *Chance, delays []int64, duplicate, delay []uint32) {
	if c.Of(1, 4) {
		DrawDelays(p, c, 20*million)
		return
	}
	p.DelayMicros = delays[c.Below(uint64(len(delays)))]
	p.Duplicate = duplicate[c.Below(uint64(len(duplicate)))]
	p.Delay = delay[c.Below(uint64(len(delay)))]
}

// drawStretches draws faults of messages that one to three nodes send one after the other.
func drawStretches(nodes int, c *Chance) []Fault {
	met := map[[2]uint32]bool{}
	var list []Fault
	for range 1 + c.Below(3) {
		node, from := uint32(c.Below(uint64(nodes))), uint32(c.Below(16))
		length := []uint64{4, 16, 64}[c.Below(3)]
		kinds := [][]string{
			{FaultDelay}, {FaultDelay, FaultDuplicate}, {FaultDrop, FaultDelay}, {FaultDuplicate}, {FaultDrop},
		}[c.Below(5)]
		part, end := 1+c.Below(4), from+1+uint32(c.Below(length))
		for number := from; number < end; number++ {
			if at := [2]uint32{node, number}; c.Of(part, 4) && !met[at] {
				met[at] = true
				list = append(list, Fault{Node: node, Number: number, Kind: kinds[c.Below(uint64(len(kinds)))]})
			}
		}
	}
	return list
}

// DrawEvents draws a Poisson process of one kind of operation, with a mean interval from least to
// most microseconds. In some runs there are no such operations.
func DrawEvents(p *Plan, c *Chance, do string, least, most int64) {
	if c.Of(1, 5) {
		return
	}
	mean := c.Between(least, most)
	for t := c.Exponential(mean); t < p.UntilMicros && len(p.Ops) < 400; t += c.Exponential(mean) {
		p.Ops = append(p.Ops, Op{AtMicros: t, Do: do, Node: int(c.Below(uint64(p.Nodes))), Arg: c.Below(1 << 32)})
	}
}

// DrawBursts draws the times of bursts of two to four operations each, and calls add for each
// operation. The length of the bursts is drawn too. Faults stop with the last operation.
func DrawBursts(p *Plan, c *Chance, bursts int, add func(at int64)) {
	within := []int64{1, million / 10, million, 5 * million}[c.Below(4)]
	t := int64(0)
	for range bursts {
		t += c.Between(1, 20) * million
		for range 2 + c.Below(3) {
			at := t + c.Exponential(within)
			add(at)
			p.UntilMicros = max(p.UntilMicros, at)
		}
	}
}
