package workload

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// maxMicros is the latest time and the longest duration: the limit of the Standard Workload Format
// of package swf.
const maxMicros = 1 << 60

// factor is an exact decimal number above 0.
type factor struct {
	num, den int64
}

// atLeast1 reports whether a factor is at least 1.
func (f factor) atLeast1() bool { return f.num >= f.den }

// parseFactor reads digits, or digits, a point and at most 9 digits; 18 digits in all.
func parseFactor(text string) (f factor, ok bool) {
	left, right, point := strings.Cut(text, ".")
	if left == "" || point && right == "" || len(left)+len(right) > 18 || len(right) > 9 {
		return factor{}, false
	}
	f.den = 1
	for _, c := range left + right {
		if c < '0' || c > '9' {
			return factor{}, false
		}
		f.num = f.num*10 + int64(c-'0')
	}
	for range right {
		f.den *= 10
	}
	return f, f.num > 0
}

const factorForm = "a decimal number above 0 with at most 9 decimals and 18 digits in all"

// units of durations. A number alone is in seconds.
var units = []struct {
	name   string
	micros int64
}{
	{"ms", 1_000}, {"s", scheduler.Second}, {"m", 60 * scheduler.Second}, {"h", 3_600 * scheduler.Second},
	{"d", 86_400 * scheduler.Second},
}

// parseDuration reads a duration above 0 that is a whole number of microseconds.
func parseDuration(text string) (micros int64, ok bool) {
	unit, number := scheduler.Second, text
	for _, u := range units {
		if n, found := strings.CutSuffix(text, u.name); found {
			unit, number = u.micros, n
			break
		}
	}
	f, ok := parseFactor(number)
	if !ok {
		return 0, false
	}
	micros, rest, ok := multiplyDivide(unit, f.num, f.den)
	return micros, ok && rest == 0 && micros > 0
}

const durationForm = "a duration above 0 such as 90, 1.5h or 30d, in whole microseconds and at most 2^60 of them"

// parseCount reads a whole number from 1 on.
func parseCount(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && text[0] != '+'
}

// multiplyDivide returns value times num over den, rounded down, and the remainder. It is not ok if
// the result is above [maxMicros]. All three are at least 0, and den above 0.
func multiplyDivide(value, num, den int64) (quotient, rest int64, ok bool) {
	high, low := bits.Mul64(uint64(value), uint64(num))
	if high >= uint64(den) {
		return 0, 0, false
	}
	q, r := bits.Div64(high, low, uint64(den))
	return int64(q), int64(r), q <= maxMicros
}

// scaled returns value times num over den, rounded to the nearest whole number, halves up.
func scaled(value, num, den int64) (int64, bool) {
	q, r, ok := multiplyDivide(value, num, den)
	if ok && r >= den-r {
		q++
	}
	return q, ok && q <= maxMicros
}
