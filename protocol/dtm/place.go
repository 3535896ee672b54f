package dtm

import (
	"math/bits"

	"github.com/canvass-grid/canvass/protocol"
)

// Unit is one in the fixed-point numbers of deviations: 2^-20 is the smallest step.
const Unit int64 = 1 << 20

// worst bounds a deviation, so that sums of them fit.
const worst = 1 << 10 * Unit

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
