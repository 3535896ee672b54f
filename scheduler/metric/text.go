package metric

import (
	"fmt"
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

// Count counts things: "1 job", "1,204 jobs".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Thousands(int64(n)) + " " + noun
}

// Thousands writes a number with commas: "1,204".
func Thousands(n int64) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
