package latency

import (
	"math"
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
)

// VivaldiKind is a variant of Vivaldi.
type VivaldiKind uint8

// The variants.
const (
	Constant VivaldiKind = iota // five dimensions, a constant timestep, as Jackson ran it
	Adaptive                    // five dimensions, a timestep by the errors of both hosts
	Height                      // two dimensions and a height, adaptive
)

const (
	timestep  = 0.25
	errorGain = 0.25
	worstPeer = 1.5
	minHeight = 10_000.0 // nanoseconds
	space     = 5        // dimensions
)

// Points are hosts in a Euclidean space, some above it by a height. Units are nanoseconds.
type Points struct {
	at     [][space]float64 // unused dimensions are zero
	height []float64        // nil without heights
}

var _ Predictor = (*Points)(nil)

// Nanos is a predicted latency in nanoseconds.
func (p *Points) Nanos(a, b int) float64 {
	d := distance(&p.at[a], &p.at[b])
	if p.height != nil {
		d += p.height[a] + p.height[b]
	}
	return d
}

// distance adds in a fixed order. Each product is rounded before it is added, so that machines with
// a fused instruction get the same sum.
func distance(a, b *[space]float64) float64 {
	sum := 0.0
	for k := range a {
		d := a[k] - b[k]
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// Vivaldi runs the algorithm of Dabek, Cox, Kaashoek and Morris (SIGCOMM 2004). In each round one
// host, in turn, measures another, drawn at random, and moves.
func Vivaldi(in *Input, kind VivaldiKind, rounds int, seed uint64) *Points {
	r := scheduler.Stream(seed, "rounds of Vivaldi")
	p := &Points{at: make([][space]float64, in.Hosts)}
	dims, trust := space, []float64(nil)
	if kind == Height {
		dims, p.height = 2, make([]float64, in.Hosts)
		for i := range p.height {
			p.height[i] = minHeight
		}
	}
	if kind != Constant {
		trust = make([]float64, in.Hosts)
		for i := range trust {
			trust[i] = 1
		}
	}
	if in.Hosts < 2 {
		return p
	}
	for i, host := 0, 0; i < rounds; i, host = i+1, host+1 {
		if host == in.Hosts {
			host = 0
		}
		peer := r.IntN(in.Hosts - 1)
		if peer >= host {
			peer++
		}
		measured := float64(in.Nanos(host, peer))
		step := timestep
		if trust != nil {
			step = trusted(trust, host, peer, measured, p.Nanos(host, peer))
		}
		p.move(host, peer, dims, measured, step, r)
	}
	return p
}

// trusted updates the error of a host and returns its timestep.
func trusted(trust []float64, host, peer int, measured, predicted float64) float64 {
	weight := 0.5
	if sum := trust[host] + trust[peer]; sum > 0 {
		weight = trust[host] / sum
	}
	sample := math.Abs(predicted-measured) / max(measured, 1)
	share := float64(errorGain * weight)
	trust[host] = min(worstPeer, float64(sample*share)+float64(trust[host]*(1-share)))
	return float64(timestep * weight)
}

// move pushes a host away from another, or pulls it there, in proportion to the error.
func (p *Points) move(host, peer, dims int, measured, step float64, r *rand.Rand) {
	at, other := &p.at[host], &p.at[peer]
	flat := distance(at, other)
	predicted := flat
	if p.height != nil {
		predicted += p.height[host] + p.height[peer]
	}
	force := float64(step * (measured - predicted))
	if flat > 0 {
		scale := force / flat
		if p.height != nil {
			scale = force / predicted // the norm of the difference counts the heights
		}
		for k := range dims {
			at[k] += float64(scale * (at[k] - other[k]))
		}
	} else {
		var way [space]float64
		for k := range dims {
			way[k] = normal(r.Uint64())
		}
		length := distance(&way, &[space]float64{})
		for k := range dims {
			at[k] += float64(force * (way[k] / length))
		}
	}
	if p.height != nil {
		up := p.height[host] + float64(force/predicted*(p.height[host]+p.height[peer]))
		p.height[host] = max(minHeight, up)
	}
}
