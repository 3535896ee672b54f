package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// race is a grid of the progress of two processes: one takes some steps of class 0, the other some
// of class 1. State x*(other+1)+y is that after x steps of the one and y of the other.
func race(one, other int) *drawn {
	m := draw((one + 1) * (other + 1))
	at := func(x, y int) int { return x*(other+1) + y }
	for x := range one + 1 {
		for y := range other + 1 {
			if x < one {
				m.edges[at(x, y)] = append(m.edges[at(x, y)], arrow{to: at(x+1, y), class: 0})
			}
			if y < other {
				m.edges[at(x, y)] = append(m.edges[at(x, y)], arrow{to: at(x, y+1), class: 1})
			}
		}
	}
	m.classes = []checker.Class{{Name: "one"}, {Name: "other"}}
	m.terminal = set(at(one, other))
	return m
}

// Priorities find a violation that needs one process to wait for long; uniform draws never do.
func TestPCTDelaysForLong(t *testing.T) {
	m := race(2, 60).with(checker.Always, allBut(3*61, 60), nil) // the other ends before the one begins
	o := checker.Options{Order: checker.PCT, MaxStates: 3000}
	r := check(t, m, o)
	assert.Equal(t, checker.Violated, r.Outcomes[0].Verdict)
	requireReplays(t, m, r.Outcomes[0].Path)
	o.Order = checker.RandomWalk
	assert.Equal(t, checker.Inconclusive, check(t, m, o).Outcomes[0].Verdict)
}

// The one process takes a step, then waits while the other takes thirty: that takes a change of
// priorities.
func TestPCTFindsBugsOfItsDepth(t *testing.T) {
	m := race(2, 60).with(checker.Always, allBut(3*61, 61+30), nil)
	for depth, want := range map[int]checker.Verdict{1: checker.Inconclusive, 2: checker.Violated} {
		r := check(t, m, checker.Options{Order: checker.PCT, BugDepth: depth, MaxStates: 30_000})
		assert.Equal(t, want, r.Outcomes[0].Verdict, "depth %d", depth)
	}
}

func TestPCTDoesNotDependOnTheWorkers(t *testing.T) {
	m := ladder(40).with(checker.Always, allBut(41, 40), nil).with(checker.Sometimes, set(17), nil)
	var first *checker.Report
	for workers := 1; workers <= 3; workers++ {
		r := check(t, m, checker.Options{Order: checker.PCT, Workers: workers, MaxDepth: 300, MaxStates: 20_000})
		r.Elapsed, r.MemoryBytes = 0, 0
		if workers == 1 {
			first = r
		}
		require.Equal(t, first, r)
	}
	assert.Contains(t, first.Assurance(), "pct")
}

func TestPCTRefusesANegativeDepth(t *testing.T) {
	_, err := checker.Check(t.Context(), ladder(3), checker.Options{BugDepth: -1})
	assert.ErrorContains(t, err, "BugDepth")
}
