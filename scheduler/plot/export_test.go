package plot

// Coordinate is a vertex, for the tests of thinning.
type Coordinate = struct{ X, Y float64 }

// Column is the width within which vertices are joined.
const Column = column

// Thin makes thinning testable.
func Thin(points []Coordinate) []Coordinate {
	in := make([]point, len(points))
	for i, p := range points {
		in[i] = point{p.X, p.Y}
	}
	var out []Coordinate
	for _, p := range thin(in) {
		out = append(out, Coordinate{p.x, p.y})
	}
	return out
}

// Wrap makes the breaking of lines testable.
func Wrap(text string, widest float64) []string { return wrap(text, widest) }

// Width is the width of a text of the usual size.
func Width(text string) float64 { return textWidth(textSize, text) }

// Ticks are the places and texts of the ticks of an axis that shows these numbers.
func Ticks(values []float64, log bool) (low, high float64, at []float64, texts []string) {
	s := spanning(values, log, false)
	for _, t := range s.ticks() {
		at, texts = append(at, t.at), append(texts, t.lines[0])
	}
	return s.from, s.to, at, texts
}
