package checker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

// ladder is a row of n+1 states with steps both ways, so that a walk returns to most of them.
func ladder(n int) *drawn {
	m := draw(n + 1)
	for i := range n {
		m.edges[i] = append(m.edges[i], arrow{to: i + 1})
		m.edges[i+1] = append(m.edges[i+1], arrow{to: i})
	}
	return m
}

// allBut is all states below n but one.
func allBut(n, bad int) []bool {
	s := make([]bool, n)
	for i := range s {
		s[i] = i != bad
	}
	return s
}

func TestARandomWalkShowsAPathWithoutDetours(t *testing.T) {
	m := ladder(12).with(checker.Always, allBut(13, 12), nil)
	for seed := range uint64(5) {
		r := check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: seed})
		assert.Equal(t, checker.StoppedByViolation, r.Stopped)
		o := outcome(t, r, "always")
		require.Equal(t, checker.Violated, o.Verdict)
		requireReplays(t, m, o.Path)
		assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, visits(o.Path))
		assert.False(t, r.Complete)
	}
}

func TestRandomWalksProveNothing(t *testing.T) {
	m := ladder(3).with(checker.Always, set(0, 1, 2, 3), nil).with(checker.Sometimes, set(3), nil)
	m.with(checker.Quiescent, nil, nil).with(checker.LeadsTo, nil, nil).with(checker.Reaches, set(3), set(0))
	r := check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 5000})
	assert.Equal(t, checker.Inconclusive, r.Verdict())
	assert.Equal(t, checker.StoppedBySampling, r.Stopped)
	for _, o := range r.Outcomes {
		want := checker.Inconclusive
		if o.Property.Shape == checker.Sometimes {
			want = checker.Holds
			assert.Equal(t, []int{0, 1, 2, 3}, visits(o.Path))
		}
		assert.Equal(t, want, o.Verdict, o.Property.Name)
	}
	assert.GreaterOrEqual(t, r.States, uint64(5000))
	assert.Equal(t, 1000, r.Depth)
	assert.Contains(t, r.Assurance(), "random walks")
	assert.Zero(t, r.Coverage)
	assert.InDelta(t, 1, r.CollisionBound, 0)
}

func TestAWalkEndsAtMaxDepth(t *testing.T) {
	m := draw(7, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 6}, [2]int{6, 6})
	m.with(checker.Always, allBut(7, 5), nil)
	for depth, want := range map[int]checker.Verdict{4: checker.Inconclusive, 5: checker.Violated} {
		r := check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 1000, MaxDepth: depth})
		assert.Equal(t, want, r.Outcomes[0].Verdict)
		assert.Equal(t, depth, r.Depth)
	}
}

func TestRandomWalksFindDeadEnds(t *testing.T) {
	m := draw(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3})
	m.terminal = set(1, 2)
	o := outcome(t, check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 1000}), checker.Deadlock)
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, []int{0, 3}, visits(o.Path))
	m.terminal = set(1, 2, 3)
	o = outcome(t, check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 1000}), checker.Deadlock)
	assert.Equal(t, checker.Inconclusive, o.Verdict)
	assert.NotZero(t, o.Cases)
}

// Everything that can be drawn is drawn: initial states and successors.
func TestRandomWalksDrawEveryChoice(t *testing.T) {
	m := draw(9, [2]int{0, 3}, [2]int{0, 4}, [2]int{1, 5}, [2]int{1, 6}, [2]int{2, 7}, [2]int{2, 8})
	m.initial = []int{0, 1, 2}
	for i := range 9 {
		m.with(checker.Sometimes, set(i), nil)
		m.rules[i].Name = string(rune('a' + i))
	}
	m.terminal = set(3, 4, 5, 6, 7, 8)
	r := check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 500})
	for _, o := range r.Outcomes[:9] {
		assert.Equal(t, checker.Holds, o.Verdict, o.Property.Name)
		requireReplays(t, m, o.Path)
	}
}

func TestRandomWalksDoNotDependOnTheWorkers(t *testing.T) {
	m := ladder(40).with(checker.Always, allBut(41, 40), nil).with(checker.Sometimes, set(17), nil)
	results := map[uint64]*checker.Report{}
	for seed := range uint64(4) {
		for workers := 1; workers <= 4; workers++ {
			o := checker.Options{Order: checker.RandomWalk, WalkSeed: 1000 * seed, Workers: workers, MaxDepth: 300}
			r := check(t, m, o)
			r.Elapsed, r.MemoryBytes = 0, 0
			if workers == 1 {
				results[seed] = r
			}
			require.Equal(t, results[seed], r)
		}
	}
	assert.NotEqual(t, results[0].Transitions, results[1].Transitions)
}

// Walk i is drawn with the seed plus i, so checks whose seeds differ by one have all walks but one
// in common.
func TestWalksAreDrawnWithConsecutiveSeeds(t *testing.T) {
	m := draw(8, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3}, [2]int{0, 4}, [2]int{0, 5}, [2]int{0, 6}, [2]int{0, 7})
	m.with(checker.Always, allBut(8, 7), nil)
	m.terminal = set(1, 2, 3, 4, 5, 6, 7)
	first := func(seed uint64) bool { // whether its first walk finds the violation
		r := check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: seed, MaxDepth: 1, MaxStates: 1})
		require.EqualValues(t, 1, r.Walks)
		return r.Outcomes[0].Verdict == checker.Violated
	}
	seed := uint64(0)
	for !first(seed) {
		seed++
		require.Less(t, seed, uint64(100))
	}
	require.NotZero(t, seed)
	r := check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: 0, MaxDepth: 1, MaxStates: 2*seed - 1})
	assert.Equal(t, checker.Inconclusive, r.Outcomes[0].Verdict)
	require.Less(t, seed, uint64(64), "in the first batch, which is judged under any limit")
	all := check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: 0, MaxDepth: 1, MaxStates: 1000})
	assert.Equal(t, seed, all.Outcomes[0].Walk)
	r = check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: 0, MaxDepth: 1, MaxStates: 2 * seed})
	assert.Equal(t, checker.Violated, r.Outcomes[0].Verdict)
}

func TestRandomWalksShowWhereAModelPanics(t *testing.T) {
	m := ladder(9)
	m.width = 1
	_, err := checker.Check(context.Background(), fragile{m, 7}, checker.Options{Order: checker.RandomWalk})
	var p *checker.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7}, visits(p.Path))
}

// fragile is a model that panics where one state is expanded.
type fragile struct {
	*drawn
	at uint32
}

func (m fragile) NewWorker() checker.Worker { return m }

func (m fragile) Expand(state []uint32, out *checker.Successors) {
	if state[0] == m.at {
		panic("it broke")
	}
	m.drawn.Expand(state, out)
}

func TestRandomWalksEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := checker.Check(ctx, ladder(3), checker.Options{Order: checker.RandomWalk})
	require.NoError(t, err)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Zero(t, r.Walks)
}

func TestRandomWalksRefuseWhatTheyCannotDo(t *testing.T) {
	for _, o := range []checker.Options{
		{Order: checker.RandomWalk, Storage: checker.Bitstate},
		{Order: checker.RandomWalk, Checkpoint: "file"},
		{Order: checker.PCT + 1},
	} {
		_, err := checker.Check(context.Background(), ladder(3), o)
		assert.ErrorContains(t, err, "checker: ")
	}
	r := check(t, pair(false), checker.Options{Order: checker.RandomWalk, Reduce: true, MaxStates: 100})
	assert.Empty(t, r.Reductions)
	assert.Len(t, r.Declined, 1)
}

func TestOrdersAreKnownByName(t *testing.T) {
	for _, o := range []checker.Order{checker.BreadthFirst, checker.RandomWalk, checker.DepthFirst,
		checker.IterativeBound, checker.PCT} {
		parsed, err := checker.ParseOrder(o.String())
		require.NoError(t, err)
		assert.Equal(t, o, parsed)
	}
	_, err := checker.ParseOrder("sideways")
	assert.ErrorContains(t, err, "breadth-first, random-walk, depth-first, iterative-bound, pct")
}

// TestRandomWalksFindOnlyWhatThereIs checks what walks find against the definitions.
func TestRandomWalksFindOnlyWhatThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		n := newNaive(m)
		r := check(t, m, checker.Options{
			Order: checker.RandomWalk, WalkSeed: rapid.Uint64().Draw(t, "seed"), MaxStates: 300, MaxDepth: 20,
			ContinueAfterViolation: true,
		})
		deadlock := checker.Property{Name: checker.Deadlock, Shape: checker.DeadlockFree}
		for i, rule := range append(m.rules, rule{Property: deadlock}) {
			o := r.Outcomes[i]
			if o.Verdict == checker.Inconclusive {
				continue
			}
			verdict, steps := n.answer(rule)
			require.Equal(t, verdict, o.Verdict, rule.Name)
			requireReplays(t, m, o.Path)
			require.GreaterOrEqual(t, len(o.Path.Steps)-1, steps)
			at, seen := visits(o.Path), map[int]bool{}
			for _, s := range at {
				require.False(t, seen[s], "a detour")
				seen[s] = true
			}
			last := at[len(at)-1]
			switch rule.Shape {
			case checker.DeadlockFree:
				require.Empty(t, m.edges[last])
			default:
				require.Equal(t, rule.Shape == checker.Sometimes, in(rule.holds, last))
			}
		}
	})
}
