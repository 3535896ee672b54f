package latency

import (
	"math"
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// Latencies inside a cluster, in nanoseconds (Jackson 2015, section 5.2.2, with his diameters).
const (
	myrinetLow, myrinetHigh   = 7_000, 8_000
	ethernetLow, ethernetHigh = 100_000, 150_000
)

// Grid is a platform with latencies: each cluster is at a random site of a matrix.
type Grid struct {
	*Input
	Sites *Input // the latencies among the clusters, one host each
	Sizes []int  // of the clusters
}

// Place puts the clusters of a platform at different random sites. Inside a cluster, each pair
// draws its latency uniformly: 7 to 8 microseconds, or 100 to 150 where the platform says Ethernet.
// Each pair of two clusters has the latency of their sites. Of each cluster only one in every hosts
// is kept, at least one, if every is above one.
func Place(p *scheduler.Platform, sites *Input, every int, seed uint64) *Grid {
	g := &Grid{Sites: First(sites, len(p.Clusters), seed), Sizes: make([]int, len(p.Clusters))}
	var group []int
	ethernet := make([]bool, len(p.Clusters))
	for c, cluster := range p.Clusters {
		g.Sizes[c] = (cluster.Nodes + every - 1) / every
		ethernet[c] = cluster.DiameterNanos > platform.MyrinetNanos
		for range g.Sizes[c] {
			group = append(group, c)
		}
	}
	between := make([][]int64, len(p.Clusters))
	for a := range between {
		for b := range p.Clusters {
			between[a] = append(between[a], g.Sites.Nanos(a%g.Sites.Hosts, b%g.Sites.Hosts))
		}
	}
	g.Input = &Input{Name: p.Name + "-latency", Hosts: len(group), Group: group, Nanos: func(a, b int) int64 {
		switch x, y := group[a], group[b]; {
		case a == b:
			return 0
		case x != y:
			return between[x][y]
		case ethernet[x]:
			return within(pairHash(seed, a, b), ethernetLow, ethernetHigh)
		default:
			return within(pairHash(seed, a, b), myrinetLow, myrinetHigh)
		}
	}}
	return g
}

// Rounded returns an input whose latencies above 64 microseconds are the nearest powers of two
// nanoseconds: the variant "Round" of Jackson (2015), table 5.5.
func Rounded(in *Input) *Input {
	c := *in
	c.Nanos = func(a, b int) int64 {
		d := in.Nanos(a, b)
		if d <= 64_000 {
			return d
		}
		low := int64(1)
		for 2*low <= d {
			low *= 2
		}
		if d-low <= 2*low-d {
			return low
		}
		return 2 * low
	}
	return &c
}

// planeSites is how many sites the plane has, and planeMillis its width.
const (
	planeSites  = 200
	planeMillis = 200
)

// Plane returns made-up latencies among sites, for use where no measured ones are at hand: random
// points in a square of 200 ms, each behind an access line of up to 5 ms, with log-normal noise of
// 20 % for each pair.
func Plane(seed uint64) *Input {
	r := scheduler.Stream(seed, "sites in the plane")
	points := &Points{at: make([][space]float64, planeSites), height: make([]float64, planeSites)}
	for i := range points.at {
		points.at[i][0], points.at[i][1] = uniform(r, planeMillis*1e6), uniform(r, planeMillis*1e6)
		points.height[i] = uniform(r, 5e6)
	}
	return &Input{Name: "plane", Hosts: planeSites, Nanos: func(a, b int) int64 {
		if a == b {
			return 0
		}
		noise := exp(float64(0.2 * normal(pairHash(seed, a, b))))
		return max(1, int64(math.Round(float64(points.Nanos(a, b)*noise))))
	}}
}

func uniform(r *rand.Rand, below float64) float64 { return float64(r.Float64() * below) }
