package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// race is two processes of n steps each. It is broken if one has made all its steps before the other makes its first.
func race(n int) checker.Model {
	return checker.Of(checker.Spec[[2]int]{
		Init:    [][2]int{{}},
		Encode:  func(dst []byte, s [2]int) []byte { return append(dst, byte(s[0]), byte(s[1])) },
		Classes: []checker.Class{{Name: "a"}, {Name: "b"}},
		Next: func(s [2]int, add func(int, [2]int)) {
			for class := range s {
				if next := s; s[class] < n {
					next[class]++
					add(class, next)
				}
			}
		},
		Terminal: func(s [2]int) bool { return s == [2]int{n, n} },
		Properties: []checker.Predicate[[2]int]{{
			Property: checker.Property{Name: "mixed", Shape: checker.Always},
			Holds:    func(s [2]int) bool { return s != [2]int{n, 0} },
		}},
	})
}

// An even draw runs one of two processes through before the other begins once in 2^20 walks; an order of priorities does it in
// every other one.
func TestPrioritiesFindWhatAnEvenDrawDoesNot(t *testing.T) {
	for order, want := range map[checker.Order]checker.Verdict{checker.PCT: checker.Violated, checker.RandomWalk: checker.Inconclusive} {
		r := check(t, race(20), checker.Options{Order: order, PCTDepth: 1, MaxWalks: 64})
		assert.Equal(t, want, outcome(t, r, "mixed").Verdict, order)
		assert.Equal(t, uint64(64), max(r.Walks, 64), order)
	}
}

// baton is broken only if a makes a step, then b all of its, then a the rest: one change of priority.
func baton(n int) checker.Model {
	return checker.Of(checker.Spec[[3]int]{
		Init:    [][3]int{{}},
		Encode:  func(dst []byte, s [3]int) []byte { return append(dst, byte(s[0]), byte(s[1]), byte(s[2])) },
		Classes: []checker.Class{{Name: "a"}, {Name: "b"}},
		Next: func(s [3]int, add func(int, [3]int)) {
			if s[0] < n {
				add(0, [3]int{s[0] + 1, s[1], s[2]})
			}
			if next := s; s[1] < n {
				if next[1]++; s[0] > 0 && s[0] < n && (s[1] == 0 || s[2] == s[0]) {
					next[2] = s[0] // where a stood all the time
				} else {
					next[2] = 0
				}
				add(1, next)
			}
		},
		Terminal: func(s [3]int) bool { return s[0] == n && s[1] == n },
		Properties: []checker.Predicate[[3]int]{{
			Property: checker.Property{Name: "together", Shape: checker.Always},
			Holds:    func(s [3]int) bool { return s[1] < n || s[2] == 0 },
		}},
	})
}

func TestDepthIsHowManyEventsMustBeOrdered(t *testing.T) {
	for depth, want := range map[int]checker.Verdict{1: checker.Inconclusive, 2: checker.Violated} {
		r := check(t, baton(15), checker.Options{Order: checker.PCT, PCTDepth: depth, MaxWalks: 512})
		assert.Equal(t, want, outcome(t, r, "together").Verdict, depth)
	}
}

func TestPCTDoesNotDependOnWorkers(t *testing.T) {
	one := check(t, baton(10), checker.Options{Order: checker.PCT, PCTDepth: 3, MaxWalks: 300, Workers: 1, ContinueAfterViolation: true})
	many := check(t, baton(10), checker.Options{Order: checker.PCT, PCTDepth: 3, MaxWalks: 300, Workers: 4, ContinueAfterViolation: true})
	require.Equal(t, one.Walks, many.Walks)
	assert.Equal(t, one.Outcomes, many.Outcomes)
	assert.Equal(t, one.ClassCounts, many.ClassCounts)
}
