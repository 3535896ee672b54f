package space

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrSpace is wrapped by every error about an impossible space.
var ErrSpace = errors.New("impossible space")

// Space is the number of dimensions and their sizes: dimension k has the coordinates from 0 to
// Size[k]-1. The last dimensions, as many as Virtual says, are virtual: their coordinates have no
// meaning and are drawn at random, to keep nodes of equal capabilities apart.
type Space struct {
	Dims    int
	Virtual int
	Size    [MaxDimensions]int32
}

// New returns a space with the given sizes, one a dimension. The last ones, as many as virtual
// says, are those of virtual dimensions.
func New(virtual int, sizes ...int32) (Space, error) {
	s := Space{Dims: len(sizes), Virtual: virtual}
	if len(sizes) < 1 || len(sizes) > MaxDimensions {
		return Space{}, errors.Join(ErrSpace, errors.New("a space has 1 to 8 dimensions"))
	}
	if virtual < 0 || virtual > len(sizes) {
		return Space{}, errors.Join(ErrSpace, errors.New("at least 0 dimensions are virtual, and at most all"))
	}
	for k, size := range sizes {
		if size < 1 || size > MaxCoordinate {
			return Space{}, errors.Join(ErrSpace, errors.New("the size of a dimension is 1 to 2^30"))
		}
		s.Size[k] = size
	}
	return s, nil
}

// IsVirtual reports whether a dimension is virtual.
func (s Space) IsVirtual(dim int) bool { return s.Dims-s.Virtual <= dim && dim < s.Dims }

// Spread returns a point with its virtual coordinates made from one number, which is drawn below
// the size of the last dimension. That one gets the number itself, and others get hashes of it.
func (s Space) Spread(p Point, drawn uint32) Point {
	for k := s.Dims - s.Virtual; k < s.Dims; k++ {
		hash := protocol.Hash(protocol.AppendUint(protocol.AppendUint(nil, uint64(k)), uint64(drawn)))
		p[k] = int32(hash % uint64(s.Size[k]))
	}
	if s.Virtual > 0 {
		p[s.Dims-1] = int32(drawn)
	}
	return p
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
