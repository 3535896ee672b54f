package checker_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// drawn is a model given as a graph, state by state. State i has the number i; the vectors have the
// given width and spread the number over all words.
type drawn struct {
	width    int
	initial  []int
	edges    [][]arrow
	classes  []checker.Class
	rules    []rule
	quiet    []bool
	terminal []bool
}

type arrow struct{ to, class int }

type rule struct {
	checker.Property
	holds, triggers []bool
}

func (m *drawn) Width() int                { return max(m.width, 1) }
func (m *drawn) NewWorker() checker.Worker { return m }

func (m *drawn) Classes() []checker.Class {
	if m.classes == nil {
		return []checker.Class{{Name: "step"}}
	}
	return m.classes
}

func (m *drawn) Properties() []checker.Property {
	var all []checker.Property
	for _, r := range m.rules {
		all = append(all, r.Property)
	}
	return all
}

func (m *drawn) vector(state int, v []uint32) {
	for i := range v {
		v[i] = uint32(state) * uint32(2*i+1)
	}
}

func (m *drawn) Initial(add func([]uint32)) {
	for _, s := range m.initial {
		v := make([]uint32, m.Width())
		m.vector(s, v)
		add(v)
	}
}

func (m *drawn) Expand(state []uint32, out *checker.Successors) {
	for _, a := range m.edges[state[0]] {
		m.vector(a.to, out.Add(a.class))
	}
}

func (m *drawn) Holds(p int, state []uint32) bool    { return in(m.rules[p].holds, int(state[0])) }
func (m *drawn) Triggers(p int, state []uint32) bool { return in(m.rules[p].triggers, int(state[0])) }
func (m *drawn) Quiescent(state []uint32) bool       { return in(m.quiet, int(state[0])) }
func (m *drawn) QuiescentEnd(state []uint32) bool    { return in(m.terminal, int(state[0])) }

// in reports membership in a set; indexes beyond its end are not in it.
func in(set []bool, i int) bool { return i < len(set) && set[i] }

// set makes a set of its members.
func set(members ...int) []bool {
	var s []bool
	for _, m := range members {
		for len(s) <= m {
			s = append(s, false)
		}
		s[m] = true
	}
	return s
}

// draw makes a model of edges given as pairs of states, all of one class.
func draw(states int, pairs ...[2]int) *drawn {
	m := &drawn{initial: []int{0}, edges: make([][]arrow, states)}
	for _, p := range pairs {
		m.edges[p[0]] = append(m.edges[p[0]], arrow{to: p[1]})
	}
	return m
}

// with adds a property to a model.
func (m *drawn) with(shape checker.Shape, holds, triggers []bool) *drawn {
	name := shape.String()
	m.rules = append(m.rules, rule{checker.Property{Name: name, Shape: shape}, holds, triggers})
	return m
}

// check runs a check that must not fail.
func check(t require.TestingT, m checker.Model, o checker.Options) *checker.Report {
	if h, ok := t.(*testing.T); ok {
		h.Helper()
	}
	r, err := checker.Check(context.Background(), m, o)
	require.NoError(t, err)
	return r
}

// outcome is the outcome of a property that must exist.
func outcome(t require.TestingT, r *checker.Report, name string) checker.Outcome {
	o, ok := r.Outcome(name)
	require.True(t, ok, "no property %q", name)
	return o
}

// requireReplays requires that a path is a run of the model: it begins in the initial state it
// names, each step is the transition it names, and a loop is closed.
func requireReplays(t require.TestingT, m checker.Model, p *checker.Path) {
	require.NotNil(t, p)
	var initial [][]uint32
	m.Initial(func(s []uint32) { initial = append(initial, slices.Clone(s)) })
	require.Equal(t, initial[p.Initial], p.Steps[0].State)
	require.Equal(t, -1, p.Steps[0].Action)
	require.Equal(t, -1, p.Steps[0].Class)
	w, out := m.NewWorker(), checker.NewSuccessors(m.Width())
	for i, step := range p.Steps[1:] {
		out.Reset()
		w.Expand(p.Steps[i].State, out)
		require.Less(t, step.Action, out.Len())
		require.Equal(t, step.State, out.At(step.Action))
		require.Equal(t, step.Class, out.Class(step.Action))
	}
	if p.Loop >= 0 {
		require.Less(t, p.Loop, len(p.Steps)-1)
		require.Equal(t, p.Steps[p.Loop].State, p.Steps[len(p.Steps)-1].State)
	}
}

// visits lists the numbers of the states on a path of a drawn model.
func visits(p *checker.Path) []int {
	var all []int
	for _, s := range p.Steps {
		all = append(all, int(s.State[0]))
	}
	return all
}
