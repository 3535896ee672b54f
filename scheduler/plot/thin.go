package plot

import "math"

// column is the width in points within which the vertices of a line are joined.
const column = 0.5

// thin leaves out invisible vertices: of each column it keeps the first, the lowest, the highest
// and the last. The vertices go from left to right.
func thin(points []point) []point {
	var out []point
	for i := 0; i < len(points); {
		end := i + 1
		for end < len(points) && math.Floor(points[end].x/column) == math.Floor(points[i].x/column) {
			end++
		}
		out = append(out, outline(points[i:end])...)
		i = end
	}
	return out
}

func outline(points []point) []point {
	if len(points) <= 4 {
		return points
	}
	low, high := 0, 0
	for i, p := range points {
		if p.y < points[low].y {
			low = i
		}
		if p.y > points[high].y {
			high = i
		}
	}
	last := len(points) - 1
	out := []point{points[0]}
	for _, i := range []int{min(low, high), max(low, high), last} {
		if points[i] != out[len(out)-1] {
			out = append(out, points[i])
		}
	}
	return out
}
