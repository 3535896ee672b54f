package latency

import (
	"math"

	"github.com/canvass-grid/canvass/scheduler"
)

// Input is the latencies among hosts. Nanos is symmetric and may be called by several goroutines.
type Input struct {
	Name  string
	Hosts int
	Group []int // the true cluster of each host; nil if there are none
	Nanos func(a, b int) int64
}

// mix is a hash of one number: the finaliser of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pairHash is a number for a pair of hosts, equal in both directions.
func pairHash(seed uint64, a, b int) uint64 {
	return mix(seed ^ mix(uint64(min(a, b))<<32|uint64(max(a, b))))
}

// within maps a hash to a number from low to high.
func within(hash uint64, low, high int64) int64 { return low + int64(hash%uint64(high-low+1)) }

// Tree returns the latencies of hosts at the vertices of a random tree: path lengths, in whole
// nanoseconds. Any two hosts are at least a nanosecond apart.
func Tree(hosts int, seed uint64) *Input {
	r := scheduler.Stream(seed, "tree of latencies")
	parent, depth, length := make([]int, hosts), make([]int, hosts), make([]int64, hosts)
	for v := 1; v < hosts; v++ {
		parent[v] = r.IntN(v)
		depth[v] = depth[parent[v]] + 1
		length[v] = 1 + r.Int64N(10_000_000)
	}
	return &Input{Name: "tree", Hosts: hosts, Nanos: func(a, b int) int64 {
		way := int64(0)
		for a != b {
			if depth[a] < depth[b] {
				a, b = b, a
			}
			way += length[a]
			a = parent[a]
		}
		return way
	}}
}

// Umiacs returns 151 hosts of one department, made up to resemble those of Jackson (2015), table
// 5.2: one InfiniBand cluster of 32 and five groups on Ethernet behind two levels of switches, with
// log-normal noise of 10 %. The measured set is not public.
func Umiacs(seed uint64) *Input {
	sizes := []int{32, 12, 20, 23, 24, 40}
	var group []int
	for g, n := range sizes {
		for range n {
			group = append(group, g)
		}
	}
	return &Input{Name: "umiacs-like", Hosts: len(group), Group: group, Nanos: func(a, b int) int64 {
		hash := pairHash(seed, a, b)
		x, y := group[a], group[b]
		base := int64(6_600)
		switch {
		case x == y && x > 0:
			base = within(mix(seed+uint64(x)), 100_000, 150_000)
		case x != y && x > 0 && y > 0 && x%2 == y%2:
			base = within(pairHash(seed+1, x, y), 200_000, 300_000)
		case x != y:
			base = within(pairHash(seed+1, x, y), 400_000, 600_000)
		}
		return max(1, int64(math.Round(float64(float64(base)*exp(float64(0.1*normal(hash)))))))
	}}
}

// normal turns a hash into a variate that is nearly normal: a sum of twelve uniform ones, of five
// bits each, less its mean. It needs no logarithm, so it is equal on all machines.
func normal(hash uint64) float64 {
	sum := 0.0
	for range 12 {
		sum += (float64(hash&31) + 0.5) / 32
		hash >>= 5
	}
	return sum - 6
}

// exp is the exponential function near zero: the first terms of its series, rounded one by one, so
// that it is equal on all machines.
func exp(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; k <= 12; k++ {
		term = float64(term*x) / k
		sum += term
	}
	return sum
}

// First returns the first hosts of a random order.
func First(in *Input, hosts int, seed uint64) *Input {
	chosen := scheduler.Stream(seed, "hosts of a matrix").Perm(in.Hosts)[:min(hosts, in.Hosts)]
	return part(in, chosen)
}

// part is an input of some hosts of another.
func part(in *Input, chosen []int) *Input {
	some := &Input{Name: in.Name, Hosts: len(chosen)}
	some.Nanos = func(a, b int) int64 { return in.Nanos(chosen[a], chosen[b]) }
	if in.Group != nil {
		for _, h := range chosen {
			some.Group = append(some.Group, in.Group[h])
		}
	}
	return some
}
