package check

import (
	"math"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/cli"
)

// parseBytes reads a size: 8GiB, 512M, 1.5GB, 1000000. K, M, G, T with or without iB are powers of
// 1024, with B of 1000.
func parseBytes(s string) (uint64, error) {
	number := strings.TrimRight(s, "KMGTkmgtiBb ")
	unit := strings.ToLower(strings.TrimSpace(s[len(number):]))
	factor, ok := map[string]float64{"": 1, "b": 1,
		"k": 1 << 10, "kib": 1 << 10, "kb": 1e3, "m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
		"g": 1 << 30, "gib": 1 << 30, "gb": 1e9, "t": 1 << 40, "tib": 1 << 40, "tb": 1e12}[unit]
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(v > 0) || v*factor >= math.MaxInt64 || v*factor < 1 {
		return 0, cli.Usagef("--memory-limit %q is not a size; write 8GiB, 512M, 2GB or none", s)
	}
	return uint64(v * factor), nil
}

// size writes a number of bytes for people.
func size(n uint64) string {
	switch {
	case n >= 10<<30:
		return english.Grouped(n>>30) + " GiB"
	case n >= 10<<20:
		return english.Grouped(n>>20) + " MiB"
	}
	return english.Grouped(n>>10) + " KiB"
}
