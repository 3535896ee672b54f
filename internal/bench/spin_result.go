package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Verdict is the outcome of a search.
type Verdict string

// The verdicts. Only the first means that all states were seen.
const (
	Holds        Verdict = "holds"
	Assertion    Verdict = "assertion violated"
	Deadlock     Verdict = "invalid end state"
	Cycle        Verdict = "acceptance cycle"
	Inconclusive Verdict = "inconclusive"
)

// Result has the verdict, the counts and the cost of a search.
type Result struct {
	Verdict     Verdict
	States      uint64 // stored
	Transitions uint64 // stored and matched: the initial state is counted as one; see Printed
	Wall, CPU   time.Duration
	PeakBytes   uint64
}

// digits is how many digits of a number are printed. Of larger ones the rest is lost.
const digits = 8

// Printed returns a number as SPIN prints it.
func Printed(n uint64) uint64 {
	printed, err := strconv.ParseFloat(strconv.FormatFloat(float64(n), 'g', digits, 64), 64)
	if err != nil {
		panic(err) // a formatted number
	}
	return uint64(printed)
}

// ErrOutput is wrapped by every error about an output that is not that of a search.
var ErrOutput = errors.New("not the output of a verifier of SPIN")

var (
	stored    = regexp.MustCompile(`(?m)^\s*(\S+) states, stored`)
	taken     = regexp.MustCompile(`(?m)^\s*(\S+) transitions \(=`)
	errorsAre = regexp.MustCompile(`errors: (\d+)`)
	cutShort  = regexp.MustCompile(`(?i)not completed|too small|out of memory|interrupted`)
	found     = regexp.MustCompile(`(?m)^pan:1: (assertion violated|invalid end state|acceptance cycle)`)
)

// Parse reads the output of a verifier.
func Parse(output string) (Result, error) {
	var r Result
	for at, into := range map[*regexp.Regexp]*uint64{stored: &r.States, taken: &r.Transitions} {
		m := at.FindStringSubmatch(output)
		if m == nil {
			return r, fmt.Errorf("%w: it says nothing about %v", ErrOutput, at)
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil || n < 0 {
			return r, fmt.Errorf("%w: %q is no number", ErrOutput, m[1])
		}
		*into = uint64(n)
	}
	count := errorsAre.FindStringSubmatch(output)
	kind := found.FindStringSubmatch(output)
	switch {
	case kind != nil:
		r.Verdict = Verdict(kind[1])
	case count != nil && count[1] == "0" && !cutShort.MatchString(output):
		r.Verdict = Holds
	default:
		r.Verdict = Inconclusive
	}
	return r, nil
}
