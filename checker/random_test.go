package checker_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

// states draws a set of states below n.
func states(t *rapid.T, n int, label string) []bool {
	return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, label)
}

// sparse draws a set of few states below n: interesting goals and triggers are rare.
func sparse(t *rapid.T, n int, label string) []bool {
	return set(rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 2).Draw(t, label)...)
}

// drawModel draws a model of at most seven states with a property of every shape.
func drawModel(t *rapid.T) *drawn {
	n := rapid.IntRange(1, 7).Draw(t, "states")
	classes := rapid.IntRange(1, 3).Draw(t, "classes")
	m := &drawn{
		width:    rapid.IntRange(1, 3).Draw(t, "width"),
		initial:  rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 2).Draw(t, "initial"),
		quiet:    states(t, n, "quiet"),
		terminal: states(t, n, "terminal"),
		edges:    make([][]arrow, n),
	}
	for c := range classes {
		fair, strong := rapid.Bool().Draw(t, "fair"), rapid.Bool().Draw(t, "strong")
		finite := rapid.IntRange(0, 3).Draw(t, "finite") == 0
		fair, strong = fair && !finite, strong && !finite
		optional := rapid.Bool().Draw(t, "optional") && !fair && !strong && !finite
		m.classes = append(m.classes, checker.Class{Name: string(rune('a' + c)), Fair: fair, Strong: strong,
			Finite: finite, Optional: optional})
	}
	for s := range m.edges {
		m.edges[s] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) arrow {
			return arrow{rapid.IntRange(0, n-1).Draw(t, "to"), rapid.IntRange(0, classes-1).Draw(t, "class")}
		}), 0, 3).Draw(t, "edges")
	}
	invert := func(s []bool) []bool {
		full := make([]bool, n)
		for i := range full {
			full[i] = !in(s, i)
		}
		return full
	}
	m.with(checker.Always, invert(sparse(t, n, "bad")), nil)
	m.with(checker.Sometimes, sparse(t, n, "witness"), nil)
	m.with(checker.Quiescent, invert(sparse(t, n, "restless")), nil)
	for _, shape := range []checker.Shape{checker.LeadsTo, checker.Reaches, checker.AlmostSurely} {
		m.with(shape, sparse(t, n, "goal"), sparse(t, n, "trigger"))
	}
	return m
}

// TestAgreesWithTheDefinitions compares verdicts and the lengths of paths with those of the naive
// checker, and replays every path.
func TestAgreesWithTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		o := everything
		o.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		r := check(t, m, o)
		n := newNaive(m)
		if !r.Complete {
			require.Equal(t, checker.StoppedByViolation, r.Stopped)
		} else {
			require.EqualValues(t, len(n.dist), r.States)
			require.EqualValues(t, n.edges, r.Transitions)
			depth := 0
			for _, d := range n.dist {
				depth = max(depth, d)
			}
			require.Equal(t, depth, r.Depth)
		}
		deadlock := checker.Property{Name: checker.Deadlock, Shape: checker.DeadlockFree}
		rules := append(m.rules, rule{Property: deadlock})
		for i, rule := range rules {
			compare(t, n, rule, r.Outcomes[i])
		}
	})
}

// compare checks one outcome against the definitions.
func compare(t *rapid.T, n *naive, r rule, o checker.Outcome) {
	verdict, steps := n.answer(r)
	require.Equal(t, r.Name, o.Property.Name)
	require.Equal(t, verdict, o.Verdict, r.Name)
	require.Equal(t, n.forced(r), o.Forced, r.Name)
	if steps < 0 {
		require.Nil(t, o.Path, r.Name)
		return
	}
	requireReplays(t, n.drawn, o.Path)
	last := len(o.Path.Steps) - 1
	if o.Path.Loop >= 0 {
		last = o.Path.Loop
	}
	require.Equal(t, steps, last, r.Name)
	if r.triggers != nil {
		requireOpen(t, n, r, o.Path)
	}
}

// requireOpen requires that a path opens an obligation where it says so and never meets it, and
// that a loop is fair.
func requireOpen(t require.TestingT, n *naive, r rule, p *checker.Path) {
	at := visits(p)
	require.True(t, in(r.triggers, at[p.Trigger]))
	for _, s := range at[p.Trigger:] {
		require.False(t, in(r.holds, s))
	}
	if p.Loop < 0 {
		if r.Shape == checker.LeadsTo {
			for _, a := range n.drawn.edges[at[len(at)-1]] {
				c := n.Classes()[a.class]
				require.True(t, c.Finite || c.Optional, "the run ends where it could go on")
			}
		}
		return
	}
	require.LessOrEqual(t, p.Trigger, p.Loop)
	for _, step := range p.Steps[p.Loop+1:] {
		require.False(t, n.Classes()[step.Class].Finite, "the loop takes a finite class")
	}
	for class, c := range n.Classes() {
		met, taken, somewhere := false, false, false
		for i, step := range p.Steps[p.Loop+1:] {
			enabled := false
			for _, a := range n.drawn.edges[at[p.Loop+1+i]] {
				enabled = enabled || a.class == class
			}
			met = met || !enabled || step.Class == class
			taken, somewhere = taken || step.Class == class, somewhere || enabled
		}
		require.True(t, met || !c.Fair, "the loop is unfair to class %s", c.Name)
		require.True(t, taken || !somewhere || !c.Strong, "the loop is not strongly fair to class %s", c.Name)
	}
}

// TestFollowsTheSequentialSearch compares with a sequential breadth-first search on graphs large
// enough for many blocks, shards and rounds: the number of a state shows in the path to it.
func TestFollowsTheSequentialSearch(t *testing.T) {
	for seed := range uint64(4) {
		m := scatter(rand.New(rand.NewPCG(seed, 1)), 60_000)
		n := newNaive(m)
		goal := -1
		for i, s := range []int{11, 222, 3333, 44_444, 55_555} {
			if _, ok := n.dist[s]; ok {
				goal = s
				m.with(checker.Sometimes, set(s), nil)
				m.rules[len(m.rules)-1].Name = string(rune('a' + i))
			}
		}
		require.GreaterOrEqual(t, goal, 0)
		r := check(t, m, checker.Options{Workers: 1 + int(seed)%4})
		require.True(t, r.Complete)
		assert.EqualValues(t, len(n.dist), r.States)
		assert.EqualValues(t, n.edges, r.Transitions)
		for i, rule := range m.rules {
			for s, goal := range rule.holds {
				if goal {
					assert.Equal(t, n.route(s), visits(r.Outcomes[i].Path))
				}
			}
		}
	}
}

// scatter makes a random graph in which almost every state is reachable.
func scatter(r *rand.Rand, states int) *drawn {
	m := &drawn{width: 1 + r.IntN(4), initial: []int{r.IntN(states)}, edges: make([][]arrow, states)}
	for s := range m.edges {
		m.edges[s] = make([]arrow, 1+r.IntN(8))
		for i := range m.edges[s] {
			m.edges[s][i].to = r.IntN(states)
		}
	}
	return m
}
