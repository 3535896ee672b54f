package space

import "strconv"

// Text appends one line for people to Dst, with the dimensions that are in use. Different values
// have different lines.
type Text struct {
	Dst  []byte
	Dims int
}

// Str adds a string.
func (t *Text) Str(s string) { t.Dst = append(t.Dst, s...) }

// Num adds a number behind a label.
func (t *Text) Num(label string, v int64) {
	t.Str(label)
	t.Dst = strconv.AppendInt(t.Dst, v, 10)
}

// Point adds a point: (1,3)
func (t *Text) Point(p Point) {
	for k := range t.Dims {
		sep := ","
		if k == 0 {
			sep = "("
		}
		t.Num(sep, int64(p[k]))
	}
	t.Str(")")
}

// Zone adds a zone: [0,4)x[0,8), or [] if it is empty
func (t *Text) Zone(z Zone) {
	if z.Empty() {
		t.Str("[]")
		return
	}
	for k := range t.Dims {
		if k > 0 {
			t.Str("x")
		}
		t.Num("[", int64(z.Low[k]))
		t.Num(",", int64(z.High[k]))
		t.Str(")")
	}
}

// HalfSpace adds a half-space: /0<4 or /1>=2
func (t *Text) HalfSpace(h HalfSpace) {
	t.Num("/", int64(h.Dim))
	if h.AtLeast {
		t.Num(">=", int64(h.At))
	} else {
		t.Num("<", int64(h.At))
	}
}

// ZoneText writes a zone of the space as states do.
func (s Space) ZoneText(z Zone) string {
	t := Text{Dims: s.Dims}
	t.Zone(z)
	return string(t.Dst)
}

// PointText writes a point of the space as states do.
func (s Space) PointText(p Point) string {
	t := Text{Dims: s.Dims}
	t.Point(p)
	return string(t.Dst)
}
