package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Hop is one host of a label: where its segment meets that of its anchor, the next host.
type Hop struct {
	Host   protocol.NodeID
	At     int64 // where its segment ends, on the anchor's segment, measured from the anchor's leaf
	Length int64 // of the host's segment
}

// Label lists the hosts from one host, the first, over its anchor and the anchor's anchor to the
// root, the last. At of the root has no meaning. A label is never empty.
type Label []Hop

// Point is a point of the tree: on the segment of the label's first host, At from its leaf.
type Point struct {
	Label Label
	At    int64
}

// Predict returns the predicted latency of two hosts. Labels of different trees have no prediction.
func Predict(a, b Label) (int64, bool) { return Distance(Point{Label: a}, Point{Label: b}) }

// Distance returns the length of the path between two points of one tree.
func Distance(a, b Point) (int64, bool) {
	i, j, ok := meet(a.Label, b.Label)
	if !ok {
		return 0, false
	}
	up, from := climb(a, i)
	down, to := climb(b, j)
	return up + down + max(from-to, to-from), true
}

// meet returns where in the two labels the first common host is. Labels lead to the root, so what
// they have in common stands at their ends.
func meet(a, b Label) (i, j int, ok bool) {
	i, j = len(a), len(b)
	for i > 0 && j > 0 && a[i-1].Host == b[j-1].Host {
		i--
		j--
	}
	return i, j, i < len(a)
}

// agree reports whether two labels can be of the same time: a host that is in both leads to the
// root on the same path.
func agree(a, b Label) bool {
	i, j, ok := meet(a, b)
	if !ok || !slices.Equal(a[i:], b[j:]) {
		return false
	}
	return !slices.ContainsFunc(a[:i], func(h Hop) bool {
		return slices.ContainsFunc(b[:j], func(other Hop) bool { return other.Host == h.Host })
	})
}

// climb goes from a point to the segment of the host at index i of its label. It returns how long
// the way is and where on that segment it arrives.
func climb(p Point, i int) (length, at int64) {
	at = p.At
	for k := range i {
		length += p.Label[k].Length - at
		at = p.Label[k].At
	}
	return length, at
}

// Locate returns the point that is a distance away from the host of one label, on the way to the
// host of another. It ends at the second host if the distance is longer than the way. A point where
// a segment ends is given as one of the anchor's segment, so it has one form.
func Locate(from, to Label, distance int64) Point {
	i, j, ok := meet(from, to)
	if !ok {
		panic("dtm: the labels are of different trees")
	}
	at := int64(0)
	for k := range i {
		leg := from[k].Length - at
		if distance <= leg {
			return normal(Point{from[k:], at + distance})
		}
		distance -= leg
		at = from[k].At
	}
	_, end := climb(Point{Label: to}, j)
	if span := max(end-at, at-end); distance <= span {
		if end < at {
			distance = -distance
		}
		return normal(Point{from[i:], at + distance})
	} else {
		distance -= span
	}
	for k := j - 1; k >= 0; k-- {
		low := int64(0)
		if k > 0 {
			low = to[k-1].At
		}
		leg := to[k].Length - low
		if distance <= leg {
			return normal(Point{to[k:], to[k].Length - distance})
		}
		distance -= leg
	}
	return normal(Point{Label: to})
}

// normal gives a point where a segment ends as one of the anchor's segment.
func normal(p Point) Point {
	for len(p.Label) > 1 && p.At == p.Label[0].Length {
		p = Point{p.Label[1:], p.Label[0].At}
	}
	return p
}
