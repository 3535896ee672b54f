package main

import (
	"math"
	"strconv"
	"strings"
)

// parseBytes reads a size: 8GiB, 512M, 1.5GB, 1000000. K, M, G, T with or without iB are powers of 1024,
// with B of 1000.
func parseBytes(s string) (uint64, error) {
	number := strings.TrimRight(s, "KMGTkmgtiBb ")
	unit := strings.ToLower(strings.TrimSpace(s[len(number):]))
	factor, ok := map[string]float64{"": 1, "b": 1,
		"k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9, "t": 1 << 40, "tib": 1 << 40, "tb": 1e12}[unit]
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v > 0) || v*factor >= math.MaxInt64 || v*factor < 1 {
		return 0, usagef("--memory-limit %q is not a size; write 8GiB, 512M, 2GB or none", s)
	}
	return uint64(v * factor), nil
}

// grouped writes a number with a comma between thousands.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes a number of bytes for people.
func size(n uint64) string {
	switch {
	case n >= 10<<30:
		return grouped(n>>30) + " GiB"
	case n >= 10<<20:
		return grouped(n>>20) + " MiB"
	}
	return grouped(n>>10) + " KiB"
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(uint64(n)) + " " + noun + "s"
}
