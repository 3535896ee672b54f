package plot

import (
	"math"
	"strconv"
	"strings"
)

// scale maps numbers to the way along an axis.
type scale struct {
	from, to float64 // from may be above to
	log      bool
}

// at is 0 at from and 1 at to. Values that a logarithmic scale cannot show are at its beginning.
func (s scale) at(v float64) float64 {
	if !s.log {
		return (v - s.from) / (s.to - s.from)
	}
	if v <= s.from {
		return 0
	}
	return math.Log(v/s.from) / math.Log(s.to/s.from)
}

// spanning is a scale that shows the numbers with a margin. A linear one begins at 0 if base asks
// for it and no number is below.
func spanning(values []float64, log, base bool) scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) || log && v <= 0 {
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	if log {
		margin := max(math.Pow(high/low, 0.04), 1.05)
		return scale{low / margin, high * margin, true}
	}
	if base {
		low, high = min(low, 0), max(high, 0)
	}
	margin := 0.04 * (high - low)
	if high-low <= 1e-9*max(math.Abs(low), math.Abs(high)) { // equal but for rounding
		margin = max(math.Abs(high), 1) / 2
	}
	s := scale{low - margin, high + margin, false}
	if base && low == 0 {
		s.from = 0
	}
	if base && high == 0 && low < 0 {
		s.to = 0
	}
	return s
}

// tick is a place on an axis with its text.
type tick struct {
	at    float64
	lines []string
	note  string // a further line, muted
}

// ticks chooses round numbers on a scale, about six.
func (s scale) ticks() []tick {
	low, high := min(s.from, s.to), max(s.from, s.to)
	if s.log {
		for _, factors := range [][]float64{{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 6, 8}} {
			if t := logTicks(low, high, factors); len(t) >= 3 {
				return t
			}
		}
	}
	raw := (high - low) / 6
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step >= raw {
			step *= f
			break
		}
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var out []tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step && len(out) < 20; i++ {
		v := i * step
		out = append(out, tick{at: v, lines: []string{Grouped(v, decimals)}})
	}
	return out
}

func logTicks(low, high float64, factors []float64) []tick {
	var out []tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, f := range factors {
			if v := f * math.Pow(10, e); low <= v && v <= high {
				out = append(out, tick{at: v, lines: []string{number(v)}})
			}
		}
	}
	return out
}

// number writes four significant digits, and all digits of whole numbers from 1,000 to a billion.
func number(v float64) string {
	if a := math.Abs(v); a >= 999.95 && a < 1e9 {
		return Grouped(v, 0)
	}
	return minus(strconv.FormatFloat(v, 'g', 4, 64))
}

// Grouped writes a number with separators of thousands.
func Grouped(v float64, decimals int) string {
	if math.Abs(v) >= 1e9 {
		return minus(strconv.FormatFloat(v, 'g', -1, 64))
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 && strings.Trim(whole, "0.,") != "" {
		whole = "-" + whole
	}
	return minus(whole)
}

// minus writes the sign as typographers do.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }
