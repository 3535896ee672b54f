package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
)

// leadsTo checks a single LeadsTo and returns its outcome.
func leadsTo(t *testing.T, m *drawn, trigger, goal []bool) checker.Outcome {
	m.with(checker.LeadsTo, goal, trigger)
	o := outcome(t, check(t, m, everything), "leads to")
	if o.Path != nil {
		requireReplays(t, m, o.Path)
	}
	return o
}

func TestLeadsToFindsACycle(t *testing.T) {
	m := draw(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 1}, [2]int{2, 3})
	o := leadsTo(t, m, set(0), set(3))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 2, 1}, visits(o.Path))
	assert.Equal(t, 1, o.Path.Loop)
	assert.Equal(t, 0, o.Path.Trigger)
}

func TestLeadsToFindsASelfLoop(t *testing.T) {
	m := draw(3, [2]int{0, 1}, [2]int{1, 1}, [2]int{1, 2})
	o := leadsTo(t, m, set(0), set(2))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 1}, visits(o.Path))
	assert.Equal(t, 1, o.Path.Loop)
}

func TestLeadsToFindsADeadEnd(t *testing.T) {
	m := draw(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{2, 3})
	m.terminal = set(1, 3)
	o := leadsTo(t, m, set(0), set(1))
	assert.Equal(t, checker.Violated, o.Verdict, "a quiescent end does not meet an obligation")
	assert.Equal(t, []int{0, 2, 3}, visits(o.Path))
	assert.Equal(t, -1, o.Path.Loop)
}

// A checker that looks only at paths errs here: the run that violates joins a state which another
// run, whose obligation was met, has visited before.
func TestLeadsToFollowsAPathThatJoinsAnother(t *testing.T) {
	// 0 -> 1 (goal) -> 3 -> 4 and 0 -> 2 -> 3: both runs end in 4, only the first by way of the
	// goal.
	m := draw(5, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 3}, [2]int{3, 4})
	o := leadsTo(t, m, set(0), set(1))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2, 3, 4}, visits(o.Path))
}

func TestLeadsToFollowsACycleThatJoinsAnother(t *testing.T) {
	// The same, with a cycle at the end, which is entered first with the obligation met.
	m := draw(6, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3},
		[2]int{2, 5}, [2]int{5, 3}, [2]int{3, 4}, [2]int{4, 3})
	o := leadsTo(t, m, set(0), set(1))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2, 5, 3, 4, 3}, visits(o.Path))
	assert.Equal(t, 3, o.Path.Loop)
}

func TestLeadsToIsMetOnEveryWay(t *testing.T) {
	m := draw(5, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 4})
	o := leadsTo(t, m, set(0), set(3))
	assert.Equal(t, checker.Holds, o.Verdict, "the cycle on 4 comes after the goal")
	assert.EqualValues(t, 1, o.Cases)
	m = draw(2, [2]int{0, 1}, [2]int{1, 1})
	o = leadsTo(t, m, nil, nil)
	assert.Equal(t, checker.Holds, o.Verdict)
	assert.Zero(t, o.Cases, "it holds vacuously, and says so")
}

func TestLeadsToIsMetWhereItBegins(t *testing.T) {
	m := draw(2, [2]int{0, 1}, [2]int{1, 1})
	assert.Equal(t, checker.Holds, leadsTo(t, m, set(0), set(0)).Verdict)
}

func TestLeadsToBeginsAgainAfterTheGoal(t *testing.T) {
	// The cycle 0 -> 1 -> 2 -> 0 meets the goal each time; from 2 there is a way that does not.
	m := draw(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{2, 3}, [2]int{3, 2})
	o := leadsTo(t, m, set(2), set(1))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 2, 3, 2}, visits(o.Path))
	assert.Equal(t, 2, o.Path.Trigger)
	assert.Equal(t, 2, o.Path.Loop)
}

// waiting is a system that may idle forever, although a step to the goal is enabled.
func waiting(fair bool) *drawn {
	m := draw(2)
	m.classes = []checker.Class{{Name: "idle"}, {Name: "work", Fair: fair}}
	m.edges[0] = []arrow{{to: 0, class: 0}, {to: 1, class: 1}}
	m.edges[1] = []arrow{{to: 1, class: 0}}
	return m
}

func TestFairnessExcludesACycle(t *testing.T) {
	assert.Equal(t, checker.Violated, leadsTo(t, waiting(false), set(0), set(1)).Verdict)
	assert.Equal(t, checker.Holds, leadsTo(t, waiting(true), set(0), set(1)).Verdict)
}

func TestWeakFairnessDoesNotExcludeACycleWhereTheClassIsNowAndThenDisabled(t *testing.T) {
	m := draw(3)
	m.classes = []checker.Class{{Name: "swing"}, {Name: "work", Fair: true}}
	m.edges[0] = []arrow{{to: 1, class: 0}, {to: 2, class: 1}}
	m.edges[1] = []arrow{{to: 0, class: 0}}
	m.edges[2] = []arrow{{to: 2, class: 0}}
	o := leadsTo(t, m, set(0), set(2))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 0}, visits(o.Path))
}

func TestLassoGoesWhereFairnessDemands(t *testing.T) {
	// A ring of four on which two fair classes are always enabled; each is taken at one place only
	// and elsewhere leads to the goal. The shortest cycle, between 0 and 1, takes neither.
	m := draw(5)
	m.classes = []checker.Class{{Name: "go"}, {Name: "a", Fair: true}, {Name: "b", Fair: true}}
	m.edges[0] = []arrow{{1, 0}, {4, 1}, {4, 2}}
	m.edges[1] = []arrow{{0, 0}, {2, 1}, {4, 2}}
	m.edges[2] = []arrow{{3, 0}, {4, 1}, {4, 2}}
	m.edges[3] = []arrow{{0, 2}, {4, 1}}
	m.edges[4] = []arrow{{4, 0}}
	o := leadsTo(t, m, set(0), set(4))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 2, 3, 0}, visits(o.Path))
	requireOpen(t, newNaive(m), m.rules[0], o.Path)
}

func TestLassoMayPassAStateTwice(t *testing.T) {
	// Two fair classes are always enabled, but taken only on the way back from 1 and from 2.
	m := draw(4)
	m.classes = []checker.Class{{Name: "go"}, {Name: "a", Fair: true}, {Name: "b", Fair: true}}
	m.edges[0] = []arrow{{1, 0}, {2, 0}, {3, 1}, {3, 2}}
	m.edges[1] = []arrow{{0, 1}, {3, 2}}
	m.edges[2] = []arrow{{0, 2}, {3, 1}}
	m.edges[3] = []arrow{{3, 0}}
	o := leadsTo(t, m, set(0), set(3))
	assert.Equal(t, []int{0, 1, 0, 2, 0}, visits(o.Path))
	requireOpen(t, newNaive(m), m.rules[0], o.Path)
}

func TestTwoEdgesBetweenTheSameStatesDifferByClass(t *testing.T) {
	// Only the second way from 1 to 0 is of the fair class, and the lasso has to take it.
	m := draw(3)
	m.classes = []checker.Class{{Name: "go"}, {Name: "work", Fair: true}}
	m.edges[0] = []arrow{{1, 0}, {2, 1}}
	m.edges[1] = []arrow{{0, 0}, {0, 1}}
	m.edges[2] = []arrow{{2, 0}}
	o := leadsTo(t, m, set(0), set(2))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, 1, o.Path.Steps[2].Action)
	assert.Equal(t, 1, o.Path.Steps[2].Class)
}

func TestReachesAsksOnlyOfTheTrigger(t *testing.T) {
	// From 0 the goal 1 can be reached, but the turn to 2 loses it.
	m := draw(3, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 1}, [2]int{2, 2})
	m.with(checker.Reaches, set(1), set(0)).with(checker.AlmostSurely, set(1), set(0))
	r := check(t, m, everything)
	assert.Equal(t, checker.Holds, outcome(t, r, "reaches").Verdict)
	o := outcome(t, r, "almost surely")
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2}, visits(o.Path))
	assert.Equal(t, 0, o.Path.Trigger)
	m.rules[0].triggers = set(0, 2)
	o = outcome(t, check(t, m, everything), "reaches")
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2}, visits(o.Path))
	assert.Equal(t, 1, o.Path.Trigger)
}

func TestAlmostSurelyLeavesACycleByChance(t *testing.T) {
	m := draw(3, [2]int{0, 1}, [2]int{1, 0}, [2]int{1, 2}, [2]int{2, 2})
	m.with(checker.AlmostSurely, set(2), set(0)).with(checker.LeadsTo, set(2), set(0))
	r := check(t, m, everything)
	assert.Equal(t, checker.Holds, outcome(t, r, "almost surely").Verdict)
	assert.Equal(t, checker.Violated, outcome(t, r, "leads to").Verdict)
}

func TestQuiescentIsCheckedInQuiescentStates(t *testing.T) {
	m := draw(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 3})
	m.quiet = set(1, 3)
	m.with(checker.Quiescent, set(1), nil)
	o := outcome(t, check(t, m, everything), "quiescent")
	assert.Equal(t, []int{0, 1, 2, 3}, visits(o.Path))
	m.rules[0].holds = set(1, 3)
	o = outcome(t, check(t, m, everything), "quiescent")
	assert.Equal(t, checker.Holds, o.Verdict)
	assert.EqualValues(t, 2, o.Cases)
}

// A ring with a long tail: deep recursion would overflow, and most components are single states.
func TestLivenessOnALongRing(t *testing.T) {
	const tail, ring = 30_000, 20_000
	m := draw(tail + ring)
	for i := range m.edges {
		m.edges[i] = []arrow{{to: i + 1}}
	}
	m.edges[tail+ring-1] = []arrow{{to: tail}}
	o := leadsTo(t, m, set(5), set(4))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, tail, o.Path.Loop)
	assert.Len(t, o.Path.Steps, tail+ring+1)
}

func TestLeadsToShowsTheNearestOfTwoViolations(t *testing.T) {
	// The obligation of 0 is lost in 1, one step on; that of 4, three steps deep, is lost at once.
	m := draw(5, [2]int{0, 2}, [2]int{0, 1}, [2]int{2, 3}, [2]int{3, 4})
	o := leadsTo(t, m, set(0, 4), set(2))
	assert.Equal(t, []int{0, 1}, visits(o.Path))
}
