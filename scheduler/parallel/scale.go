package parallel

import (
	"fmt"
	"slices"
)

// side is the size of every dimension of the space.
const side = 1 << 20

// scale maps the values of a dimension to coordinates from 0 to side-1, in proportion to the
// largest. Euclidean routing over raw units would follow the dimension with the largest unit.
type scale struct{ largest int64 }

// newScale makes the scale of a dimension on which these values occur, and refuses two that would
// become one coordinate: comparisons of coordinates must be those of the values.
func newScale(dimension string, values []int64) (scale, error) {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	s := scale{max(1, values[len(values)-1])}
	for i := 1; i < len(values); i++ {
		if s.of(values[i-1]) == s.of(values[i]) {
			return s, fmt.Errorf("%s %d and %d become one coordinate, of %d; leave out the largest value, %d",
				dimension, values[i-1], values[i], side, s.largest)
		}
	}
	return s, nil
}

func (s scale) of(value int64) int32 {
	if value >= s.largest {
		return side - 1
	}
	return int32(value * (side - 1) / s.largest)
}
