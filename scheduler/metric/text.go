package metric

import (
	"math"
	"strconv"
	"strings"
)

// Text writes a number with the given number of significant digits. It has an exponent only if the
// number is very large or very small: half of an interval is 100, not 1e+02.
func Text(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if a := math.Abs(v); !strings.Contains(text, "e") || a < 1e-4 || a >= 1e15 {
		return text
	}
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // a text that FormatFloat has just written
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
