package dtm

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
)

// Unit is one in the fixed-point numbers of deviations: 2^-20 is the smallest step.
const Unit int64 = 1 << 20

// worst bounds a deviation, so that sums of them fit.
const worst = 1 << 10 * Unit

// Segment is where a host is in the tree. The root has no anchor.
type Segment struct {
	Anchor     protocol.NodeID
	At, Length int64 // as in a [Hop]
}

// Child is a host whose anchor is the host in question.
type Child struct {
	Host       protocol.NodeID
	At, Length int64
}

// Place is where a host can be in the tree: its segment ends at a point of another segment.
type Place struct {
	On     Point
	Length int64 // of the host's segment
}

// Label is the label of a host at this place.
func (p Place) Label(host protocol.NodeID) Label {
	return append(Label{{Host: host, At: p.On.At, Length: p.Length}}, p.On.Label...)
}

// Predict returns the latency between a host at this place and the host of a label.
func (p Place) Predict(other Label) (int64, bool) {
	d, ok := Distance(p.On, Point{Label: other})
	return d + p.Length, ok
}

// Gromov is the Gromov product of x and y at z: how long the ways from z to x and to y are the
// same, given the lengths of the three. A half is rounded down.
func Gromov(xz, yz, xy int64) int64 { return (xz + yz - xy) >> 1 }

// Between places a host x that measured two hosts, on the way between them. The distance from the
// near one is rounded and bounded there, so that the latency to near is exact.
func Between(far, near Label, toFar, toNear int64) (Place, bool) {
	apart, ok := Predict(far, near)
	if !ok {
		return Place{}, false
	}
	off := offset(apart, toFar, toNear)
	return Place{Locate(near, far, off), toNear - off}, true
}

// offset is how far from the near host the segment of x ends.
func offset(apart, toFar, toNear int64) int64 {
	return min(max(Gromov(toNear, apart, toFar), 0), min(apart, toNear))
}

// Deviation is the relative error of a prediction in parts of [Unit], at most 2^30. Both latencies
// are below 2^53, and the measured one is at least zero; zero counts as the smallest latency.
func Deviation(predicted, measured int64) int64 {
	off, measured := max(predicted-measured, measured-predicted), max(measured, 1)
	if off>>10 >= measured {
		return worst
	}
	high, low := bits.Mul64(uint64(off), uint64(Unit))
	quotient, _ := bits.Div64(high, low, uint64(measured))
	return int64(quotient)
}

// Heir returns which of the children takes the place of a host that leaves: the one nearest its
// leaf, and among equals the one with the smallest identity. It is -1 if there are no children.
func Heir(children []Child) int {
	heir := -1
	for i := range children {
		if heir < 0 || children[i].At < children[heir].At ||
			children[i].At == children[heir].At && children[i].Host.Compare(children[heir].Host) < 0 {
			heir = i
		}
	}
	return heir
}

// Leave returns the new segments of the children of a host that leaves, one for each child. The
// heir takes what is left of the host's segment, and the other children attach to the heir. No
// prediction among the remaining hosts changes. Children of children keep their segments.
func Leave(own Segment, children []Child) []Segment {
	heir := Heir(children)
	moved := make([]Segment, len(children))
	for i, c := range children {
		h := children[heir]
		moved[i] = Segment{Anchor: h.Host, At: c.At - h.At + h.Length, Length: c.Length}
		if i == heir {
			moved[i] = Segment{Anchor: own.Anchor, At: own.At, Length: own.Length - h.At + h.Length}
		}
	}
	return moved
}
