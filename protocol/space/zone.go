package space

// Zone is an axis-aligned box: the points p with Low[k] <= p[k] < High[k] in every dimension k. A
// dimension that the space does not have is [0, 1), so that all boxes have MaxDimensions dimensions
// and no operation needs to know how many are in use. The zero Zone is empty.
type Zone struct {
	Low, High Point
}

// Empty reports whether the zone holds no point.
func (z Zone) Empty() bool {
	for k := range z.Low {
		if z.Low[k] >= z.High[k] {
			return true
		}
	}
	return false
}

// Contains reports whether the point lies in the zone.
func (z Zone) Contains(p Point) bool {
	for k := range p {
		if p[k] < z.Low[k] || p[k] >= z.High[k] {
			return false
		}
	}
	return true
}

// Intersect returns the common part of two zones, which may be empty.
func (z Zone) Intersect(other Zone) Zone {
	for k := range z.Low {
		z.Low[k] = max(z.Low[k], other.Low[k])
		z.High[k] = min(z.High[k], other.High[k])
	}
	return z
}

// Overlaps reports whether the two zones share a point.
func (z Zone) Overlaps(other Zone) bool { return !z.Intersect(other).Empty() }

// Distance returns the square of the Euclidean distance from the point to the nearest point of the
// zone; 0 if the zone contains it.
func (z Zone) Distance(p Point) uint64 {
	var sum uint64
	for k := range p {
		var d int64
		switch {
		case p[k] < z.Low[k]:
			d = int64(z.Low[k]) - int64(p[k])
		case p[k] >= z.High[k]:
			d = int64(p[k]) - int64(z.High[k]) + 1
		}
		sum += uint64(d * d)
	}
	return sum
}

// Face is one side of a zone.
type Face struct {
	Dim  uint8
	High bool // the side at Zone.High[Dim], else the one at Zone.Low[Dim]
}

// Beyond returns the layer of points, one thick, that lies directly outside the face. It may lie
// outside the space.
func (z Zone) Beyond(f Face) Zone {
	if f.High {
		z.Low[f.Dim], z.High[f.Dim] = z.High[f.Dim], z.High[f.Dim]+1
	} else {
		z.Low[f.Dim], z.High[f.Dim] = z.Low[f.Dim]-1, z.Low[f.Dim]
	}
	return z
}

// Abuts reports whether the two zones are adjacent, that is, touch along a face of at least one
// point, and along which face of z. Zones that touch only in an edge or a corner are not adjacent.
func (z Zone) Abuts(other Zone) (Face, bool) {
	for k := range z.Low {
		for _, high := range [2]bool{false, true} {
			f := Face{Dim: uint8(k), High: high}
			touch := z.Low[k] == other.High[k]
			if high {
				touch = z.High[k] == other.Low[k]
			}
			if touch && z.Beyond(f).Overlaps(other) {
				return f, true
			}
		}
	}
	return Face{}, false
}

// Facing returns the part of z that lies straight across from the other zone. If the zones do not
// abut, it returns z.
func (z Zone) Facing(other Zone) Zone {
	f, ok := z.Abuts(other)
	if !ok {
		return z
	}
	for k := range z.Low {
		if k != int(f.Dim) {
			z.Low[k], z.High[k] = max(z.Low[k], other.Low[k]), min(z.High[k], other.High[k])
		}
	}
	return z
}

// Fraction is a part of a whole in one dimension.
type Fraction struct {
	Part, Whole int32
}

// OverlapFractions returns how much of a face of z the other zone covers, dimension by dimension:
// the covered share of the face is the product of the fractions. A product of seven 30-bit numbers
// fits no machine type, so callers that need one number choose their own precision. A face of one
// point has no fractions. The result is nil if the zones do not abut along that face.
func (z Zone) OverlapFractions(f Face, other Zone) []Fraction {
	layer := z.Beyond(f)
	common := layer.Intersect(other)
	if common.Empty() {
		return nil
	}
	parts := []Fraction{}
	for k := range z.Low {
		if whole := layer.High[k] - layer.Low[k]; whole > 1 {
			parts = append(parts, Fraction{Part: common.High[k] - common.Low[k], Whole: whole})
		}
	}
	return parts
}
