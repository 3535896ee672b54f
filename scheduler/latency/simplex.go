package latency

// simplex is Nelder and Mead's downhill simplex method. It is written out here, since package
// optimize of gonum spends some microseconds and several allocations on each evaluation, thousands
// of times for each host, and lets a compiler fuse products into sums, so that machines would
// disagree about coordinates.
type simplex struct {
	value func(x []float64) float64
	x     [][]float64
	y     []float64
	mean  []float64
	trial [2][]float64
}

func newSimplex(dims int, value func(x []float64) float64) *simplex {
	s := &simplex{value: value, mean: make([]float64, dims), y: make([]float64, dims+1)}
	for range dims + 1 {
		s.x = append(s.x, make([]float64, dims))
	}
	for i := range s.trial {
		s.trial[i] = make([]float64, dims)
	}
	return s
}

// minimise starts around a point, with edges of a length, and evaluates about so often. It returns
// the best point, which the next call overwrites, and its value.
func (s *simplex) minimise(from []float64, edge float64, evaluations int) ([]float64, float64) {
	dims := len(from)
	for i := range s.x {
		copy(s.x[i], from)
		if i > 0 {
			s.x[i][i-1] += edge
		}
		s.y[i] = s.value(s.x[i])
	}
	for n := dims + 1; n < evaluations; {
		s.sort()
		for k := range s.mean {
			s.mean[k] = 0
			for i := range dims {
				s.mean[k] += s.x[i][k]
			}
			s.mean[k] /= float64(dims)
		}
		reflected := s.try(0, -1)
		n++
		switch {
		case reflected < s.y[0]:
			n++
			if expanded := s.try(1, -2); expanded < reflected {
				s.replace(1, expanded)
				continue
			}
			s.replace(0, reflected)
		case reflected < s.y[dims-1]:
			s.replace(0, reflected)
		default:
			n++
			factor := 0.5
			if reflected < s.y[dims] {
				factor = -0.5
			}
			if contracted := s.try(1, factor); contracted < min(reflected, s.y[dims]) {
				s.replace(1, contracted)
				continue
			}
			for i := 1; i <= dims; i++ {
				for k := range s.x[i] {
					s.x[i][k] = (s.x[i][k] + s.x[0][k]) / 2
				}
				s.y[i] = s.value(s.x[i])
			}
			n += dims
		}
	}
	s.sort()
	return s.x[0], s.y[0]
}

// try evaluates the point on the line through the mean and the worst point.
func (s *simplex) try(at int, factor float64) float64 {
	worst := s.x[len(s.x)-1]
	for k := range s.mean {
		s.trial[at][k] = s.mean[k] + float64(factor*(worst[k]-s.mean[k]))
	}
	return s.value(s.trial[at])
}

func (s *simplex) replace(at int, y float64) {
	worst := len(s.x) - 1
	s.x[worst], s.trial[at] = s.trial[at], s.x[worst]
	s.y[worst] = y
}

// sort puts the best point first; equal ones keep their order.
func (s *simplex) sort() {
	for i := 1; i < len(s.y); i++ {
		for j := i; j > 0 && s.y[j] < s.y[j-1]; j-- {
			s.y[j], s.y[j-1] = s.y[j-1], s.y[j]
			s.x[j], s.x[j-1] = s.x[j-1], s.x[j]
		}
	}
}
