package checker_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/checker"
)

// explore measures a complete check of a model. Bytes a state are the peak of the counted memory.
func explore(b *testing.B, m func() checker.Model, o checker.Options) {
	var states, transitions, bytes uint64
	o.ContinueAfterViolation = true
	for b.Loop() {
		r, err := checker.Check(context.Background(), m(), o)
		if err != nil || !r.Complete && o.Storage != checker.Bitstate {
			b.Fatal(r, err)
		}
		states += r.States
		transitions += r.Transitions
		bytes += r.MemoryBytes
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
	b.ReportMetric(float64(bytes)/float64(states), "B/state")
}

// BenchmarkTwoPhaseCommit explores two-phase commit with eight resource managers. Expand costs
// almost nothing there, so the benchmark measures the engine.
func BenchmarkTwoPhaseCommit(b *testing.B) {
	explore(b, func() checker.Model { return newTwoPhase(8) }, checker.Options{})
}

// BenchmarkTwoPhaseCommitNine has six times the states: 10,340,352.
func BenchmarkTwoPhaseCommitNine(b *testing.B) {
	explore(b, func() checker.Model { return newTwoPhase(9) }, checker.Options{})
}

// BenchmarkTwoPhaseCommitStorage compares the state storages.
func BenchmarkTwoPhaseCommitStorage(b *testing.B) {
	for s := checker.Exact; s <= checker.Bitstate; s++ {
		b.Run(s.String(), func(b *testing.B) {
			explore(b, func() checker.Model { return newTwoPhase(8) }, checker.Options{Storage: s})
		})
	}
}

// BenchmarkTwoPhaseCommitAlone has one worker: compare it with BenchmarkTwoPhaseCommitNine.
func BenchmarkTwoPhaseCommitAlone(b *testing.B) {
	explore(b, func() checker.Model { return newTwoPhase(9) }, checker.Options{Workers: 1})
}

// BenchmarkCarousel explores a model with two successors a state and twelve words, which do not fit
// into a key side by side: 10,629,366 states.
func BenchmarkCarousel(b *testing.B) {
	for s := checker.Exact; s <= checker.Fingerprint64; s++ {
		b.Run(s.String(), func(b *testing.B) {
			explore(b, func() checker.Model { return carousel{phases: 11} }, checker.Options{Storage: s})
		})
	}
}

// BenchmarkHundredMillion explores 100,663,296 states. It takes minutes and runs only if
// CHECKER_LARGE is set.
func BenchmarkHundredMillion(b *testing.B) {
	if os.Getenv("CHECKER_LARGE") == "" {
		b.Skip("set CHECKER_LARGE=1")
	}
	explore(b, func() checker.Model { return carousel{phases: 16} }, checker.Options{})
}

// BenchmarkSpec explores a model of functions, whose states have slices behind them or not: what
// [checker.Of] does to each state counts here.
func BenchmarkSpec(b *testing.B) {
	b.Run("plain", func(b *testing.B) { explore(b, func() checker.Model { return counters() }, checker.Options{}) })
	b.Run("slices", func(b *testing.B) { explore(b, func() checker.Model { return tokens(false) }, checker.Options{}) })
	b.Run("symmetric", func(b *testing.B) {
		explore(b, func() checker.Model { return tokens(true) }, checker.Options{Reduce: true})
	})
}

// counters are six counters in an array, with an encoding of their own.
func counters() checker.Model {
	type state [6]byte
	return checker.Of(checker.Spec[state]{
		Init: []state{{}},
		Next: func(s state, yield func(int, state)) {
			for i := range s {
				if s[i] < 6 {
					next := s
					next[i]++
					yield(0, next)
				}
			}
		},
		Encode:       func(dst []byte, s state) []byte { return append(dst, s[:]...) },
		QuiescentEnd: func(state) bool { return true },
		Properties: []checker.Predicate[state]{
			{Property: checker.Property{Name: "Small", Shape: checker.Always}, Holds: func(s state) bool { return s[0] < 9 }},
			{Property: checker.Property{Name: "Even", Shape: checker.Always}, Holds: func(s state) bool { return s[1] < 9 }},
		},
	})
}

// tokens are six counters in a slice, in any order if they are symmetric.
func tokens(symmetric bool) checker.Model {
	spec := checker.Spec[[]byte]{
		Init: [][]byte{make([]byte, 6)},
		Next: func(s []byte, yield func(int, []byte)) {
			for i := range s {
				if s[i] < 6 {
					next := slices.Clone(s)
					next[i]++
					yield(0, next)
				}
			}
		},
		Encode:       func(dst []byte, s []byte) []byte { return append(dst, s...) },
		QuiescentEnd: func([]byte) bool { return true },
		Properties: []checker.Predicate[[]byte]{
			{Property: checker.Property{Name: "Small", Shape: checker.Always}, Holds: func(s []byte) bool { return s[0] < 9 }},
			{Property: checker.Property{Name: "Even", Shape: checker.Always}, Holds: func(s []byte) bool { return s[1] < 9 }},
		},
	}
	if symmetric {
		spec.Canonical = func(s []byte) []byte {
			s = slices.Clone(s)
			slices.Sort(s)
			return s
		}
	}
	return checker.Of(spec)
}
