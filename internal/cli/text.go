package cli

import (
	"math"
	"strings"
	"time"
)

// OneLine is a text on one line, with single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// FileName turns a name into a file name that every file system accepts.
func FileName(s string) string {
	return strings.Map(func(r rune) rune {
		if isWordly(r) || strings.ContainsRune("-_@+", r) {
			return r
		}
		return '-'
	}, s)
}

func isWordly(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Shell writes words such that a shell takes them for these words.
func Shell(words ...string) string {
	special := func(r rune) bool { return !isWordly(r) && !strings.ContainsRune("-_./@+:=,%", r) }
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, special) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted[i] = w
	}
	return strings.Join(quoted, " ")
}

// Rounded keeps as many decimal places as the unit has zeros.
func Rounded(v, unit float64) float64 { return math.Round(v*unit) / unit }

// Rate is a number per second.
func Rate(n uint64, elapsed time.Duration) float64 {
	if elapsed <= 0 {
		return 0
	}
	return float64(n) / elapsed.Seconds()
}
