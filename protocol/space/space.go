package space

import "errors"

// ErrSpace is wrapped by every error about an impossible space.
var ErrSpace = errors.New("impossible space")

// Space is the number of dimensions and their sizes: dimension k has the coordinates from 0 to
// Size[k]-1. If Virtual is set, the last dimension is the virtual one: its coordinates have no
// meaning and are drawn at random, to keep nodes of equal capabilities apart.
type Space struct {
	Dims    int
	Virtual bool
	Size    [MaxDimensions]int32
}

// New returns a space with the given sizes, one a dimension.
func New(virtual bool, sizes ...int32) (Space, error) {
	s := Space{Dims: len(sizes), Virtual: virtual}
	if len(sizes) < 1 || len(sizes) > MaxDimensions {
		return Space{}, errors.Join(ErrSpace, errors.New("a space has 1 to 8 dimensions"))
	}
	for k, size := range sizes {
		if size < 1 || size > MaxCoordinate {
			return Space{}, errors.Join(ErrSpace, errors.New("the size of a dimension is 1 to 2^30"))
		}
		s.Size[k] = size
	}
	return s, nil
}

// Whole returns the zone that is the whole space.
func (s Space) Whole() Zone {
	var z Zone
	for k := range z.High {
		z.High[k] = 1
		if k < s.Dims {
			z.High[k] = s.Size[k]
		}
	}
	return z
}
