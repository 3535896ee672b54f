package checker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// everything asks for the whole state space.
var everything = checker.Options{ContinueAfterViolation: true}

// TestTwoPhaseCommitCounts pins the numbers that TLC finds for the TLA+ module TwoPhase. TLC also
// counts the initial state as generated.
func TestTwoPhaseCommitCounts(t *testing.T) {
	for _, c := range []struct {
		managers            int
		states, transitions uint64
		depth               int
	}{
		{3, 288, 1_145, 10},
		{5, 8_832, 58_145, 16},
		{7, 296_448, 2_744_705, 22},
	} {
		t.Run(fmt.Sprint(c.managers), func(t *testing.T) {
			r := check(t, newTwoPhase(c.managers), everything)
			assert.Equal(t, c.states, r.States)
			assert.Equal(t, c.transitions, r.Transitions)
			assert.Equal(t, c.depth, r.Depth)
			assert.True(t, r.Complete)
			assert.Equal(t, checker.NotStopped, r.Stopped)
			sum := uint64(0)
			for _, n := range r.ClassCounts {
				sum += n
			}
			assert.Equal(t, r.Transitions, sum)
			assert.EqualValues(t, 1, r.ClassCounts[classTMCommit])
			assert.Equal(t, checker.Holds, outcome(t, r, "consistent").Verdict)
			assert.Equal(t, c.states, outcome(t, r, "consistent").Cases)
			assert.Equal(t, checker.Holds, outcome(t, r, checker.Deadlock).Verdict)
			commits := outcome(t, r, "commits")
			assert.Equal(t, checker.Holds, commits.Verdict)
			assert.Len(t, commits.Path.Steps, 3*c.managers+2)
		})
	}
}

// TestSameReportHoweverRun requires that a report depends neither on the number of workers nor on
// the ids that they happen to assign.
func TestSameReportHoweverRun(t *testing.T) {
	const managers = 6
	want := meaning(t, newTwoPhase(managers), 1)
	require.Contains(t, want, "violated")
	assert.Equal(t, want, meaning(t, newTwoPhase(managers), 3), "3 workers")
	for _, workers := range []int{1, 2, 3, 7, 7} {
		assert.Equal(t, want, meaning(t, newInternedTwoPhase(managers), workers), "%d workers, interned", workers)
	}
}

// meaning renders a report without what may differ between runs.
func meaning(t *testing.T, m *twoPhase, workers int) string {
	r := check(t, m, checker.Options{Workers: workers, ContinueAfterViolation: true})
	var b strings.Builder
	fmt.Fprintln(&b, r.States, r.Transitions, r.Depth, r.Complete, r.Stopped, r.ClassCounts)
	for _, o := range r.Outcomes {
		fmt.Fprintln(&b, o.Property.Name, o.Verdict, o.Cases)
		if o.Path == nil {
			continue
		}
		requireReplays(t, m, o.Path)
		for _, s := range o.Path.Steps {
			fmt.Fprintln(&b, "  ", s.Action, s.Class, m.show(s.State))
		}
	}
	return b.String()
}

func TestStopsWithTheLevelOfTheFirstViolation(t *testing.T) {
	// A binary tree: state i has the children 2i+1 and 2i+2. State 4, on level 2, is bad; so is 5.
	m := draw(1 << 6)
	for i := 0; 2*i+2 < len(m.edges); i++ {
		m.edges[i] = []arrow{{to: 2*i + 1}, {to: 2*i + 2}}
	}
	good := set(0, 1, 2, 3)
	m.with(checker.Always, good, nil).with(checker.Sometimes, set(6), nil).with(checker.LeadsTo, set(40), set(0))
	r := check(t, m, checker.Options{})
	assert.EqualValues(t, 7, r.States)
	assert.Equal(t, 2, r.Depth)
	assert.False(t, r.Complete)
	assert.Equal(t, checker.StoppedByViolation, r.Stopped)
	assert.Equal(t, checker.Violated, r.Verdict())
	bad := outcome(t, r, "always")
	assert.Equal(t, checker.Violated, bad.Verdict)
	assert.Equal(t, []int{0, 1, 4}, visits(bad.Path), "the first of the level")
	assert.Equal(t, checker.Holds, outcome(t, r, "sometimes").Verdict, "found on the same level")
	assert.Equal(t, checker.Inconclusive, outcome(t, r, "leads to").Verdict)
	assert.Equal(t, checker.Inconclusive, outcome(t, r, checker.Deadlock).Verdict)
}

func TestGoesOnAfterAViolationUntilAllIsDecided(t *testing.T) {
	m := draw(6, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 4}, [2]int{3, 5}, [2]int{5, 0})
	m.with(checker.Always, set(0), nil).with(checker.Sometimes, set(3), nil)
	r := check(t, m, everything)
	assert.Equal(t, []int{0, 1}, visits(outcome(t, r, "always").Path))
	assert.Equal(t, []int{0, 1, 2, 3}, visits(outcome(t, r, "sometimes").Path))
	assert.Equal(t, []int{0, 4}, visits(outcome(t, r, checker.Deadlock).Path))
	assert.Equal(t, checker.StoppedByViolation, r.Stopped, "nothing was left to decide")
	assert.False(t, r.Complete)
	assert.EqualValues(t, 5, r.States)
}

func TestViolationOnTheLastLevelLeavesACompleteReport(t *testing.T) {
	m := draw(2, [2]int{0, 1}, [2]int{1, 0})
	m.with(checker.Always, set(0), nil).with(checker.Sometimes, set(7), nil)
	r := check(t, m, checker.Options{})
	assert.False(t, r.Complete, "the level after the violation is not expanded")
	m = draw(1, [2]int{0, 0})
	m.with(checker.Sometimes, set(7), nil)
	r = check(t, m, checker.Options{})
	assert.True(t, r.Complete)
	assert.Equal(t, checker.Violated, r.Verdict())
	assert.Nil(t, outcome(t, r, "sometimes").Path)
}

func TestDeadlockIsAStateWithoutSuccessorsThatIsNoEnd(t *testing.T) {
	m := draw(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{2, 3})
	m.terminal = set(1)
	o := outcome(t, check(t, m, everything), checker.Deadlock)
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2, 3}, visits(o.Path))
	m.terminal = set(1, 3)
	o = outcome(t, check(t, m, everything), checker.Deadlock)
	assert.Equal(t, checker.Holds, o.Verdict)
	assert.EqualValues(t, 2, o.Cases)
}

func TestManyInitialStatesMayRepeat(t *testing.T) {
	m := draw(5, [2]int{0, 1}, [2]int{3, 4}, [2]int{4, 4}, [2]int{1, 1}, [2]int{2, 2})
	m.initial = []int{2, 3, 2, 0, 3}
	m.with(checker.Always, set(0, 1, 2, 3), nil).with(checker.Sometimes, set(1), nil)
	r := check(t, m, everything)
	assert.EqualValues(t, 5, r.States)
	assert.Equal(t, []int{3, 4}, visits(outcome(t, r, "always").Path))
	assert.Equal(t, 1, outcome(t, r, "always").Path.Initial)
	assert.Equal(t, 3, outcome(t, r, "sometimes").Path.Initial)
}
