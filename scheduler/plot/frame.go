package plot

// axis is one side of a frame.
type axis struct {
	label string
	scale scale
	ticks []tick
	lines bool // a faint line across the frame at each tick
}

// numeric is an axis of numbers.
func numeric(label string, s scale) axis { return axis{label, s, s.ticks(), true} }

// frame is a drawing area with an axis below and one on the left.
type frame struct {
	*sheet
	x, y           axis
	x0, y0, x1, y1 float64 // of the area, in points
	labelLines     []string
	below          float64 // room for the texts of the lower axis
	steep          bool    // whether these texts read upwards
}

const (
	gap      = 6.0  // between things and their labels
	rowWidth = 130. // of labels on the left
)

// newFrame makes a frame whose area is so high, with room for labels on its right.
func newFrame(x, y axis, height, onRight float64) *frame {
	f := &frame{x: x, y: y}
	leftRoom := 0.0
	for _, t := range y.ticks {
		leftRoom = max(leftRoom, textWidth(textSize, t.lines...), textWidth(smallSize, t.note))
	}
	f.x0, f.x1 = leftRoom+2*gap, width-max(onRight, 16)
	f.below = 2*gap + lineHeight
	if f.crowded() {
		f.steep = true
		f.below = 2 * gap
		for _, t := range x.ticks {
			f.below = max(f.below, textWidth(textSize, t.lines...)+2*gap)
		}
	}
	below := wrap(x.label, width-2*gap)
	f.y0 = f.below + lineHeight*float64(len(below)) + gap
	f.y1 = f.y0 + height
	f.labelLines = wrap(y.label, width-2*gap)
	f.sheet = newSheet(f.y1 + 2*gap + lineHeight*float64(len(f.labelLines)) + gap)
	for i, l := range below {
		y := f.y0 - f.below - lineHeight*(float64(i)+0.5)
		f.text((f.x0+f.x1)/2, y, l, ink.ink(), textSize, f.alignIn(l))
	}
	f.axes()
	return f
}

// alignIn centres a line under the area unless it would leave the sheet on the right.
func (f *frame) alignIn(line string) float64 {
	w := textWidth(textSize, line)
	centre := (f.x0 + f.x1) / 2
	if over := centre + w/2 - (width - gap); over > 0 {
		return middle - over/w
	}
	return middle
}

// crowded reports whether names, each of which must be shown, do not fit below the area.
func (f *frame) crowded() bool {
	if f.x.lines {
		return false
	}
	room := (f.x1 - f.x0) / float64(len(f.x.ticks))
	for _, t := range f.x.ticks {
		if textWidth(textSize, t.lines...) > room-2 {
			return true
		}
	}
	return false
}

// X and Y turn data into points on the sheet.
func (f *frame) X(v float64) float64 { return f.x0 + f.x.scale.at(v)*(f.x1-f.x0) }
func (f *frame) Y(v float64) float64 { return f.y0 + f.y.scale.at(v)*(f.y1-f.y0) }

func (f *frame) at(x, y float64) point { return point{f.X(x), f.Y(y)} }

func (f *frame) axes() {
	for i, l := range f.labelLines {
		f.text(gap, f.height-gap-lineHeight*(float64(i)+0.5), l, ink.ink(), textSize, left)
	}
	last := 0.0
	for i, t := range f.x.ticks {
		x := f.X(t.at)
		if f.x.lines {
			f.line(grid.ink(), 0.8, nil, point{x, f.y0}, point{x, f.y1})
		}
		if f.steep {
			f.upright(x, f.y0-gap, t.lines[0], ink.ink())
			continue
		}
		half := textWidth(textSize, t.lines...) / 2
		if i > 0 && x-half < last+gap && f.x.lines {
			continue
		}
		f.text(x, f.y0-gap-lineHeight/2, t.lines[0], ink.ink(), textSize, middle)
		last = x + half
	}
	for _, t := range f.y.ticks {
		y := f.Y(t.at)
		if f.y.lines {
			f.line(grid.ink(), 0.8, nil, point{f.x0, y}, point{f.x1, y})
		}
		f.row(y, t)
	}
	f.line(ink.ink(), 0.8, nil, point{f.x0, f.y0}, point{f.x1, f.y0})
}

// row writes the text of a tick on the left, with its note beneath.
func (f *frame) row(y float64, t tick) {
	if t.note == "" {
		f.lines(f.x0-gap, y, t.lines, ink.ink(), right)
		return
	}
	f.lines(f.x0-gap, y+lineHeight/2, t.lines, ink.ink(), right)
	y -= lineHeight * float64(len(t.lines)) / 2
	f.text(f.x0-gap, y, t.note, muted.ink(), smallSize, right)
}

// key explains a mark at the upper right; mark draws it around a point.
func (f *frame) key(text string, mark func(x, y float64)) {
	y := f.height - gap - lineHeight/2
	f.text(width-gap, y, text, ink.ink(), textSize, right)
	mark(width-2*gap-textWidth(textSize, text)-4, y)
}
