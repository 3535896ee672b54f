package checker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

// scheduler offers a turn to two processes alternately. Process 0 takes it. Process 1 may take it
// or be passed over, and the goal is that it takes one.
func scheduler(starved checker.Class) *drawn {
	// In state 0 process 0 has the turn, in state 1 process 1, which has run in state 2.
	m := draw(3)
	starved.Name = "run 1"
	m.classes = []checker.Class{{Name: "run 0", Fair: true}, starved, {Name: "pass over", Fair: true}}
	m.edges[0] = []arrow{{to: 1, class: 0}}
	m.edges[1] = []arrow{{to: 2, class: 1}, {to: 0, class: 2}}
	m.edges[2] = []arrow{{to: 2, class: 2}}
	return m
}

func TestOnlyStrongFairnessKeepsASchedulerFromStarvingAProcess(t *testing.T) {
	for class, want := range map[checker.Class]checker.Verdict{
		{}:                         checker.Violated,
		{Fair: true}:               checker.Violated,
		{Strong: true}:             checker.Holds,
		{Fair: true, Strong: true}: checker.Holds,
	} {
		o := leadsTo(t, scheduler(class), set(0), set(2))
		assert.Equal(t, want, o.Verdict, "%+v", class)
		if want == checker.Violated {
			assert.Equal(t, []int{0, 1, 0}, visits(o.Path))
		}
	}
}

func TestStrongFairnessIsNoLessThanWeakFairness(t *testing.T) {
	m := waiting(false)
	m.classes[1].Strong = true
	assert.Equal(t, checker.Holds, leadsTo(t, m, set(0), set(1)).Verdict)
}

// There is a large cycle, where a strong class is enabled and never taken, and inside it a small
// one where the class is disabled. A run may stay in the small one, and only there.
func TestAFairPartOfAnUnfairComponentIsFound(t *testing.T) {
	m := draw(6)
	m.classes = []checker.Class{{Name: "go"}, {Name: "work", Strong: true}}
	m.edges[0] = []arrow{{1, 0}, {5, 1}}
	m.edges[1] = []arrow{{2, 0}}
	m.edges[2] = []arrow{{3, 0}}
	m.edges[3] = []arrow{{2, 0}, {4, 0}}
	m.edges[4] = []arrow{{0, 0}}
	m.edges[5] = []arrow{{5, 0}}
	o := leadsTo(t, m, set(0), set(5))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 2, 3, 2}, visits(o.Path), "the prefix is the shortest to a state of a fair cycle")
	assert.Equal(t, 2, o.Path.Loop)
	m.rules, m.classes[1].Strong = nil, false
	o = leadsTo(t, m, set(0), set(5))
	assert.Equal(t, 0, o.Path.Loop, "if the class need not be fair, the large cycle is nearer")
}

// staircase is a row of n+1 states, neighbours linked both ways, with a goal after the last. Of n
// strong classes number i is enabled in state i, from which it leads to the goal, and taken on the
// way there from the state before. So each is found unfair only after the state before has been
// removed.
func staircase(n int) *drawn {
	m := draw(n + 2)
	m.classes = []checker.Class{{Name: "go"}}
	goal := n + 1
	for i := range n {
		m.classes = append(m.classes, checker.Class{Name: fmt.Sprint("work ", i), Strong: true})
		m.edges[i] = append(m.edges[i], arrow{goal, i + 1}, arrow{i + 1, (i + 2) % (n + 1)})
		m.edges[i+1] = append(m.edges[i+1], arrow{i, 0})
	}
	m.edges[goal] = []arrow{{goal, 0}}
	return m
}

func TestComponentsAreDecomposedAsOftenAsNeedBe(t *testing.T) {
	const n = 9
	m := staircase(n)
	assert.Equal(t, checker.Holds, leadsTo(t, m, set(0), set(n+1)).Verdict)
	m = staircase(n)
	m.edges[n] = append(m.edges[n], arrow{n, 0})
	o := leadsTo(t, m, set(0), set(n+1))
	assert.Equal(t, checker.Violated, o.Verdict, "staying in the last state is fair: no class is enabled there")
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9}, visits(o.Path))
}

func TestALassoTakesWhatItsWayHomeEnables(t *testing.T) {
	// The cycle is 0 -> 1 -> 2 -> 0. Class work is enabled in 2 only, where it leads to 3 and back
	// through 4.
	m := draw(6)
	m.classes = []checker.Class{{Name: "go"}, {Name: "work", Strong: true}}
	m.edges[0] = []arrow{{1, 0}}
	m.edges[1] = []arrow{{2, 0}}
	m.edges[2] = []arrow{{0, 0}, {3, 1}}
	m.edges[3] = []arrow{{4, 0}}
	m.edges[4] = []arrow{{0, 0}}
	o := leadsTo(t, m, set(0), set(5))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 1, 2, 0, 1, 2, 3, 4, 0}, visits(o.Path))
	requireOpen(t, newNaive(m), m.rules[0], o.Path)
}

// A checker that looks only at paths errs here, under strong fairness: the fair cycle is entered
// first with the obligation met, and the run that violates joins it later.
func TestStrongFairnessOnACycleThatJoinsAnother(t *testing.T) {
	m := draw(6)
	m.classes = []checker.Class{{Name: "go"}, {Name: "work", Strong: true}}
	m.edges[0] = []arrow{{1, 0}, {2, 0}}
	m.edges[1] = []arrow{{3, 0}}
	m.edges[2] = []arrow{{5, 0}}
	m.edges[5] = []arrow{{3, 0}}
	m.edges[3] = []arrow{{4, 1}}
	m.edges[4] = []arrow{{3, 0}}
	o := leadsTo(t, m, set(0), set(1))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 2, 5, 3, 4, 3}, visits(o.Path))
	assert.Equal(t, 3, o.Path.Loop)
}

// TestStrongFairnessAgreesWithTheDefinitions draws graphs in which no run ends and almost every
// state is open, so that almost all that matters is which cycles are fair.
func TestStrongFairnessAgreesWithTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 7).Draw(t, "states")
		classes := rapid.IntRange(1, 5).Draw(t, "classes")
		m := &drawn{initial: []int{rapid.IntRange(0, n-1).Draw(t, "initial")}, edges: make([][]arrow, n)}
		for c := range classes {
			m.classes = append(m.classes, checker.Class{
				Name:   string(rune('a' + c)),
				Fair:   rapid.Bool().Draw(t, "fair"),
				Strong: rapid.Bool().Draw(t, "strong"),
			})
		}
		for s := range m.edges {
			m.edges[s] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) arrow {
				return arrow{rapid.IntRange(0, n-1).Draw(t, "to"), rapid.IntRange(0, classes-1).Draw(t, "class")}
			}), 1, 4).Draw(t, "edges")
		}
		goal := set(rapid.IntRange(0, n-1).Draw(t, "goal"))
		m.with(checker.LeadsTo, goal, states(t, n, "trigger"))
		o := everything
		o.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		r := check(t, m, o)
		require.True(t, r.Complete)
		compare(t, newNaive(m), m.rules[0], r.Outcomes[0])
	})
}
