package latency

import (
	"math/rand/v2"

	"github.com/canvass-grid/canvass/scheduler"
)

// The effort of GNP: starts and evaluations for the landmarks and for each other host.
const (
	landmarkStarts      = 20
	landmarkEvaluations = 8_000
	hostStarts          = 2
	hostEvaluations     = 600
	sweeps              = 40 // over the landmarks, one after the other
	mostUnknowns        = 40
)

// GNP places hosts in five dimensions (Ng and Zhang, INFOCOM 2002). Some random hosts are landmarks
// and measure each other; all others measure the landmarks. Both minimise the sum of the squared
// relative errors by the downhill simplex method. All hosts try the same random starts. With
// separate starts, each host of a cluster may end in another of several equally good places, since
// few landmarks are near: then the 95th percentile of the error was in the thousands on some grids.
func GNP(in *Input, landmarks int, seed uint64) *Points {
	r := scheduler.Stream(seed, "landmarks and starts of GNP")
	order := r.Perm(in.Hosts)
	chosen := order[:min(landmarks, in.Hosts)]
	p := &Points{at: make([][space]float64, in.Hosts)}
	far := 0.0
	for _, a := range chosen {
		for _, b := range chosen {
			far = max(far, float64(in.Nanos(a, b)))
		}
	}
	if far == 0 {
		return p
	}
	p.landmarks(in, chosen, far, r)
	goal := newGoal(in, p, chosen)
	var starts [hostStarts][]float64
	for i := range starts {
		starts[i] = around(r, space, far)
	}
	for _, h := range order[len(chosen):] {
		goal.host(h)
		best, least := [space]float64{}, -1.0
		for _, start := range starts {
			if x, y := goal.simplex.minimise(start, far/4, hostEvaluations); least < 0 || y < least {
				copy(best[:], x)
				least = y
			}
		}
		p.at[h] = best
	}
	return p
}

// around is a random start.
func around(r *rand.Rand, dims int, far float64) []float64 {
	x := make([]float64, dims)
	for k := range x {
		x[k] = uniform(r, far)
	}
	return x
}

// landmarks places the landmarks: all at once if the unknowns are few, since the method fails in
// many dimensions. Then each is moved alone, in sweeps, with ever smaller simplexes.
func (p *Points) landmarks(in *Input, chosen []int, far float64, r *rand.Rand) {
	if len(chosen)*space > mostUnknowns {
		for _, h := range chosen {
			copy(p.at[h][:], around(r, space, far))
		}
	} else {
		p.together(in, chosen, far, r)
	}
	for sweep := range sweeps {
		for i, h := range chosen {
			others := append(append([]int(nil), chosen[:i]...), chosen[i+1:]...)
			goal := newGoal(in, p, others)
			goal.host(h)
			edge := far / float64(int(4)<<(sweep/2))
			x, _ := goal.simplex.minimise(append([]float64(nil), p.at[h][:]...), edge, hostEvaluations)
			copy(p.at[h][:], x)
		}
	}
}

// together places all landmarks at once, from several starts.
func (p *Points) together(in *Input, chosen []int, far float64, r *rand.Rand) {
	at := make([][space]float64, len(chosen))
	unpack := func(x []float64) {
		for i := range at {
			copy(at[i][:], x[i*space:])
		}
	}
	s := newSimplex(len(chosen)*space, func(x []float64) float64 {
		unpack(x)
		sum := 0.0
		for i := range at {
			for j := range i {
				sum += squared(distance(&at[i], &at[j]), in.Nanos(chosen[i], chosen[j]))
			}
		}
		return sum
	})
	least := -1.0
	for range landmarkStarts {
		if x, y := s.minimise(around(r, len(chosen)*space, far), far/4, landmarkEvaluations); least < 0 || y < least {
			unpack(x)
			least = y
			for i, h := range chosen {
				p.at[h] = at[i]
			}
		}
	}
}

// squared is the square of a relative error.
func squared(predicted float64, measured int64) float64 {
	m := float64(max(1, measured))
	e := (predicted - m) / m
	return float64(e * e)
}

// goal is the function that a host minimises: its errors to the landmarks.
type goal struct {
	in       *Input
	p        *Points
	chosen   []int
	measured []int64
	simplex  *simplex
}

func newGoal(in *Input, p *Points, chosen []int) *goal {
	g := &goal{in: in, p: p, chosen: chosen, measured: make([]int64, len(chosen))}
	var at [space]float64
	g.simplex = newSimplex(space, func(x []float64) float64 {
		copy(at[:], x)
		sum := 0.0
		for i, l := range g.chosen {
			sum += squared(distance(&at, &g.p.at[l]), g.measured[i])
		}
		return sum
	})
	return g
}

// host measures the landmarks from a host.
func (g *goal) host(h int) {
	for i, l := range g.chosen {
		g.measured[i] = g.in.Nanos(h, l)
	}
}
