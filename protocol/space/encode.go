package space

import "github.com/canvass-grid/canvass/protocol"

// Encoder appends canonical encodings of points, zones and split lists to Dst. It writes only the
// dimensions that are in use.
type Encoder struct {
	Dst  []byte
	Dims int
}

// Uint appends an unsigned number.
func (e *Encoder) Uint(v uint64) { e.Dst = protocol.AppendUint(e.Dst, v) }

// Bool appends a truth value.
func (e *Encoder) Bool(v bool) { e.Dst = protocol.AppendBool(e.Dst, v) }

// ID appends an identity.
func (e *Encoder) ID(id protocol.NodeID) { e.Dst = protocol.AppendNodeID(e.Dst, id) }

// Point appends the coordinates of a point.
func (e *Encoder) Point(p Point) {
	for _, v := range p[:e.Dims] {
		e.Uint(uint64(uint32(v)))
	}
}

// Zone appends whether a zone is not empty, and its corners if so.
func (e *Encoder) Zone(z Zone) {
	e.Bool(!z.Empty())
	if !z.Empty() {
		e.Point(z.Low)
		e.Point(z.High)
	}
}

// HalfSpace appends a half-space.
func (e *Encoder) HalfSpace(h HalfSpace) {
	e.Uint(uint64(h.Dim))
	e.Bool(h.AtLeast)
	e.Uint(uint64(uint32(h.At)))
}

// HalfSpaces appends a split list with its length.
func (e *Encoder) HalfSpaces(hs []HalfSpace) {
	e.Uint(uint64(len(hs)))
	for _, h := range hs {
		e.HalfSpace(h)
	}
}
