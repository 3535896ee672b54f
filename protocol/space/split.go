package space

import "slices"

// HalfSpace is an axis-aligned half-space (d, p, b) of Jackson (2015), chapter 6: all points whose
// coordinate in Dim is at least At, or all those where it is below At.
type HalfSpace struct {
	Dim     uint8
	AtLeast bool
	At      int32
}

// Opposite returns the other side of the same plane.
func (h HalfSpace) Opposite() HalfSpace {
	h.AtLeast = !h.AtLeast
	return h
}

// Cut returns the part of the zone that lies in the half-space.
func (h HalfSpace) Cut(z Zone) Zone {
	if h.AtLeast {
		z.Low[h.Dim] = max(z.Low[h.Dim], h.At)
	} else {
		z.High[h.Dim] = min(z.High[h.Dim], h.At)
	}
	return z
}

// FaceOf returns the face of the zone that lies in the half-space's plane with the zone on the
// half-space's side, if there is one.
func (h HalfSpace) FaceOf(z Zone) (Face, bool) {
	if h.AtLeast {
		return Face{Dim: h.Dim}, z.Low[h.Dim] == h.At
	}
	return Face{Dim: h.Dim, High: true}, z.High[h.Dim] == h.At
}

// Split finds the plane between the coordinates of a zone's owner and of a node that joins in its
// zone, and returns the half-space that the owner keeps. The joiner gets the opposite one. It fails
// if the two coordinates are equal.
func (s Space) Split(splits []HalfSpace, owner, joiner Point) (HalfSpace, bool) {
	real := s.Dims - s.Virtual
	k, differ := turn(splits, 0, real, owner, joiner)
	if !differ {
		k, differ = turn(splits, real, s.Dims, owner, joiner)
	}
	if !differ {
		return HalfSpace{}, false
	}
	return between(k, owner, joiner), true
}

// turn returns which of the dimensions from one on and below another is split: the first in which
// two coordinates differ, from the one after the last of them that was split.
func turn(splits []HalfSpace, from, below int, owner, joiner Point) (int, bool) {
	next := 0
	for _, h := range splits {
		if k := int(h.Dim); from <= k && k < below {
			next = k + 1 - from
		}
	}
	for i := range below - from {
		k := from + (next+i)%(below-from)
		if owner[k] != joiner[k] {
			return k, true
		}
	}
	return 0, false
}

func between(k int, owner, joiner Point) HalfSpace {
	low, high := min(owner[k], joiner[k]), max(owner[k], joiner[k])
	return HalfSpace{Dim: uint8(k), At: low + (high-low+1)/2, AtLeast: owner[k] == high}
}

// TakeoverEntry returns the index of the takeover face in the split list of a zone: the last entry
// that is still a face of it. It fails for a zone that was never split.
func TakeoverEntry(z Zone, splits []HalfSpace) (int, bool) {
	for i := len(splits) - 1; i >= 0; i-- {
		if _, ok := splits[i].FaceOf(z); ok {
			return i, true
		}
	}
	return 0, false
}

// Share returns the part of a departing zone that a taker gets: the slice behind the taker's side
// of the takeover face. It fails if the taker is not across that face, or if its zone would not be
// a box any more.
func Share(departing Zone, splits []HalfSpace, taker Zone) (Zone, bool) {
	entry, ok := TakeoverEntry(departing, splits)
	if !ok {
		return Zone{}, false
	}
	face, _ := splits[entry].FaceOf(departing)
	if f, ok := departing.Abuts(taker); !ok || f != face {
		return Zone{}, false
	}
	share := departing
	for k := range share.Low {
		if k == int(face.Dim) {
			continue
		}
		if taker.Low[k] < departing.Low[k] || taker.High[k] > departing.High[k] {
			return Zone{}, false
		}
		share.Low[k], share.High[k] = taker.Low[k], taker.High[k]
	}
	return share, true
}

// Join returns the smallest box around two zones. That is their union if one is the [Share] of the
// other.
func Join(a, b Zone) Zone {
	for k := range a.Low {
		a.Low[k] = min(a.Low[k], b.Low[k])
		a.High[k] = max(a.High[k], b.High[k])
	}
	return a
}

// MergeSplits returns a taker's split list after it took its share of a departing zone.
func MergeSplits(departing Zone, departed, taker []HalfSpace) []HalfSpace {
	entry, ok := TakeoverEntry(departing, departed)
	if !ok {
		return taker
	}
	own := taker
	opposing := departed[entry].Opposite()
	for i := len(taker) - 1; i >= 0; i-- {
		if taker[i] == opposing {
			own = taker[i+1:]
			break
		}
	}
	return slices.Concat(departed[:entry], own)
}
