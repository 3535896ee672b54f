package space

import "github.com/canvass-grid/canvass/protocol"

// Decoder decodes the output of an [Encoder]. Errors are kept by the reader.
type Decoder struct {
	*protocol.Reader
	Dims int
}

// Uint32 reads a number of 32 bits.
func (d Decoder) Uint32() uint32 { return uint32(d.Uint(1<<32 - 1)) }

// Point reads a point.
func (d Decoder) Point() (p Point) {
	for k := range d.Dims {
		p[k] = int32(d.Uint(MaxCoordinate))
	}
	return p
}

// Zone reads a zone.
func (d Decoder) Zone() (z Zone) {
	if !d.Bool() {
		return z
	}
	z.Low, z.High = d.Point(), d.Point()
	for k := d.Dims; k < MaxDimensions; k++ {
		z.High[k] = 1
	}
	if z.Empty() {
		d.Fail()
	}
	return z
}

// HalfSpace reads a half-space.
func (d Decoder) HalfSpace() HalfSpace {
	h := HalfSpace{Dim: uint8(d.Uint(uint64(max(d.Dims-1, 0)))), AtLeast: d.Bool()}
	h.At = int32(d.Uint(MaxCoordinate))
	return h
}

// HalfSpaces reads a split list; an empty one is nil.
func (d Decoder) HalfSpaces() []HalfSpace { return protocol.List(d.Reader, d.HalfSpace) }
