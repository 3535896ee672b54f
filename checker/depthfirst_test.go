package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

// deepOrders are the orders that visit every state, but not level by level.
var deepOrders = []checker.Order{checker.DepthFirst, checker.IterativeBound}

// Every order that visits all states gives the same verdicts and counts, and its evidence replays.
func TestDeepOrdersAgreeWithTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		n := newNaive(m)
		o := everything
		o.Order = rapid.SampledFrom(deepOrders).Draw(t, "order")
		o.BoundStep = rapid.IntRange(1, 4).Draw(t, "step")
		o.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		r := check(t, m, o)
		if r.Complete {
			require.EqualValues(t, len(n.dist), r.States)
			require.EqualValues(t, n.edges, r.Transitions)
		} else {
			require.Equal(t, checker.StoppedByViolation, r.Stopped)
		}
		deadlock := checker.Property{Name: checker.Deadlock, Shape: checker.DeadlockFree}
		for i, rule := range append(m.rules, rule{Property: deadlock}) {
			verdict, steps := n.answer(rule)
			require.Equal(t, verdict, r.Outcomes[i].Verdict, rule.Name)
			if p := r.Outcomes[i].Path; steps >= 0 {
				requireReplays(t, m, p)
				if rule.triggers != nil {
					requireOpen(t, n, rule, p)
				}
			} else {
				require.Nil(t, p)
			}
		}
	})
}

// twoLanes is a chain of n+1 states from 0 to n, and one of as many from 0 to 2n.
func twoLanes(n int) *drawn {
	m := draw(2*n + 1)
	m.edges[0] = []arrow{{to: 1}, {to: n + 1}}
	for i := 1; i < 2*n; i++ {
		if i != n {
			m.edges[i] = []arrow{{to: i + 1}}
		}
	}
	m.terminal = set(n, 2*n)
	return m
}

// In a wide tree with a long tail on its last leaf, a depth-first search finds the end of the tail
// with most of the tree unseen.
func TestDepthFirstGoesDeepSoon(t *testing.T) {
	const tree, tail = 1 << 12, 200
	m := draw(tree + tail)
	for i := 0; 2*i+2 < tree; i++ {
		m.edges[i] = []arrow{{to: 2*i + 1}, {to: 2*i + 2}}
	}
	first := tree / 2 // a leaf that is among the first found on its level
	m.edges[first] = []arrow{{to: tree}}
	for i := tree; i < tree+tail-1; i++ {
		m.edges[i] = []arrow{{to: i + 1}}
	}
	m.with(checker.Always, allBut(tree+tail, tree+tail-1), nil)
	m.terminal = allBut(tree+tail, -1)
	deep := check(t, m, checker.Options{Order: checker.DepthFirst})
	broad := check(t, m, checker.Options{})
	assert.Equal(t, checker.Violated, deep.Outcomes[0].Verdict)
	assert.Less(t, deep.States, broad.States)
	assert.Equal(t, tail+11, deep.Depth)
	requireReplays(t, m, deep.Outcomes[0].Path)
}

// With a bound, near states of one lane are found before deep states of the other.
func TestIterativeBoundVisitsNearStatesFirst(t *testing.T) {
	const n = 400
	m := twoLanes(n).with(checker.Always, allBut(2*n+1, n+20), nil)
	r := check(t, m, checker.Options{Order: checker.IterativeBound, BoundStep: 30})
	assert.Equal(t, checker.Violated, r.Outcomes[0].Verdict)
	assert.LessOrEqual(t, r.Depth, 30)
	assert.Less(t, r.States, uint64(2*30+2))
}

func TestDeepOrdersStopAtLimits(t *testing.T) {
	m := twoLanes(100).with(checker.Always, nil, nil)
	m.rules[0].holds = allBut(201, 500)
	for _, order := range deepOrders {
		r := check(t, m, checker.Options{Order: order, MaxDepth: 10})
		assert.Equal(t, checker.StoppedByDepth, r.Stopped, "%v", order)
		assert.EqualValues(t, 21, r.States)
		assert.Equal(t, checker.Inconclusive, r.Outcomes[0].Verdict)
		r = check(t, m, checker.Options{Order: order, MaxStates: 50})
		assert.Equal(t, checker.StoppedByStates, r.Stopped)
		r = check(t, m, checker.Options{Order: order, Storage: checker.Bitstate})
		assert.Equal(t, checker.StoppedByOmission, r.Stopped)
		r = check(t, m, checker.Options{Order: order})
		assert.True(t, r.Complete)
		assert.Equal(t, checker.Holds, r.Verdict())
		assert.Equal(t, 100, r.Depth)
	}
}

func TestDeepOrdersDoNotDependOnTheWorkers(t *testing.T) {
	for _, order := range deepOrders {
		var first *checker.Report
		for workers := 1; workers <= 3; workers++ {
			m := newTwoPhase(5)
			r := check(t, m, checker.Options{Order: order, Workers: workers, ContinueAfterViolation: true})
			r.Elapsed, r.MemoryBytes, r.BytesPerState, r.ModelBytes = 0, 0, 0, 0
			if first == nil {
				first = r
			}
			assert.EqualValues(t, 8832, r.States)
			assert.Equal(t, first, r, "%v, %d workers", order, workers)
		}
	}
}

func TestDeepOrdersCannotBeCheckpointed(t *testing.T) {
	for _, order := range deepOrders {
		_, err := checker.Check(t.Context(), ladder(3), checker.Options{Order: order, Checkpoint: "file"})
		assert.ErrorContains(t, err, order.String())
	}
	_, err := checker.Check(t.Context(), ladder(3), checker.Options{BoundStep: -1})
	assert.ErrorContains(t, err, "BoundStep")
}
