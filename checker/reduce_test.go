package checker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// spinner alternates between two states. The way back is confluent: no predicate sees it, and stop
// is possible before and after it, with the same effect.
type spinner struct{ checker.Model }

// The classes of spinner.
const (
	forth = iota
	back
	stop
)

func newSpinner(fair bool) spinner {
	always := func(string) bool { return true }
	return spinner{checker.Of(checker.Spec[string]{
		Init: []string{"left"},
		Classes: []checker.Class{forth: {Name: "forth", Fair: true}, back: {Name: "back", Fair: true},
			stop: {Name: "stop", Fair: fair}},
		Next: func(s string, yield func(int, string)) {
			switch s {
			case "left":
				yield(forth, "right")
				yield(stop, "end")
			case "right":
				yield(back, "left")
				yield(stop, "end")
			}
		},
		Encode: func(dst []byte, s string) []byte { return append(dst, s...) },
		Properties: []checker.Predicate[string]{{
			Property: checker.Property{Name: "Ends", Shape: checker.LeadsTo},
			Triggers: always, Holds: func(s string) bool { return s == "end" },
		}},
		QuiescentEnd: always,
	})}
}

func (m spinner) NewWorker() checker.Worker { return spinnerWorker{m.Model.NewWorker()} }

type spinnerWorker struct{ checker.Worker }

func (w spinnerWorker) Confluent(state []uint32, out *checker.Successors) bool {
	all := checker.NewSuccessors(1)
	w.Expand(state, all)
	for i := range all.Len() {
		if all.Class(i) == back {
			copy(out.Add(back), all.At(i))
			return true
		}
	}
	return false
}

// Stop is always enabled, also where only the way back is explored. So the run that spins forever
// is unfair to it, and if stop need not be fair, that run is a violation.
func TestHiddenActionsCountForFairness(t *testing.T) {
	for _, fair := range []bool{true, false} {
		for _, reduce := range []bool{true, false} {
			m := newSpinner(fair)
			r, err := checker.Check(context.Background(), m, checker.Options{Reduce: reduce})
			require.NoError(t, err)
			want := checker.Violated
			if fair {
				want = checker.Holds
			}
			assert.Equal(t, want, r.Verdict(), "fair %v, reduced %v", fair, reduce)
			assert.Equal(t, reduce, len(r.Reductions) == 1)
			if reduce {
				assert.EqualValues(t, 4, r.Transitions+1, "one transition is left out")
			}
			if !fair {
				requireLoop(t, m, r.Outcomes[0].Path)
			}
		}
	}
}

// requireLoop requires that a path is a run of the model that returns to its loop.
func requireLoop(t *testing.T, m checker.Model, p *checker.Path) {
	t.Helper()
	require.NotNil(t, p)
	w, out := m.NewWorker(), checker.NewSuccessors(m.Width())
	require.GreaterOrEqual(t, p.Loop, 0)
	require.Equal(t, p.Steps[p.Loop].State, p.Steps[len(p.Steps)-1].State)
	for i, step := range p.Steps[1:] {
		out.Reset()
		w.Expand(p.Steps[i].State, out)
		require.Less(t, step.Action, out.Len())
	}
}

// pair is two indistinguishable coins.
func pair(live bool) checker.Model {
	spec := checker.Spec[[2]byte]{
		Init: [][2]byte{{}},
		Next: func(s [2]byte, yield func(int, [2]byte)) {
			for i := range s {
				if s[i] < 3 {
					next := s
					next[i]++
					yield(0, next)
				}
			}
		},
		Encode: func(dst []byte, s [2]byte) []byte { return append(dst, s[:]...) },
		Canonical: func(s [2]byte) [2]byte {
			if s[0] > s[1] {
				s[0], s[1] = s[1], s[0]
			}
			return s
		},
		Properties: []checker.Predicate[[2]byte]{{
			Property: checker.Property{Name: "NotBothThree", Shape: checker.Always},
			Holds:    func(s [2]byte) bool { return s != [2]byte{3, 3} },
		}},
		QuiescentEnd: func([2]byte) bool { return true },
	}
	if live {
		spec.Properties = append(spec.Properties, checker.Predicate[[2]byte]{
			Property: checker.Property{Name: "Ends", Shape: checker.LeadsTo},
			Triggers: func([2]byte) bool { return true }, Holds: func(s [2]byte) bool { return s[0] == 3 },
		})
	}
	return checker.Of(spec)
}

func TestSymmetryCountsOrbits(t *testing.T) {
	full, err := checker.Check(context.Background(), pair(false), checker.Options{})
	require.NoError(t, err)
	reduced, err := checker.Check(context.Background(), pair(false), checker.Options{Reduce: true})
	require.NoError(t, err)
	assert.EqualValues(t, 16, full.States)
	assert.EqualValues(t, 10, reduced.States)
	assert.Equal(t, full.Verdict(), reduced.Verdict())
	assert.Equal(t, len(full.Outcomes[0].Path.Steps), len(reduced.Outcomes[0].Path.Steps))
}

// A reduction that does not preserve a property is declined, with the name of the property.
func TestSymmetryIsDeclinedForFairness(t *testing.T) {
	r, err := checker.Check(context.Background(), pair(true),
		checker.Options{Reduce: true, ContinueAfterViolation: true})
	require.NoError(t, err)
	assert.Empty(t, r.Reductions)
	require.Len(t, r.Declined, 1)
	assert.Contains(t, r.Declined[0], `"Ends"`)
	assert.EqualValues(t, 16, r.States)
}

// gate is three flags. Two of them open and shut. The third is the goal, which an action of class
// pass sets where open is set. Raising the second flag is confluent: nothing else looks at whether
// it is down.
type gate struct{ checker.Model }

func newGate(pass checker.Class, open func(x, y bool) bool) gate {
	type flags struct{ x, y, goal bool }
	pass.Name = "pass"
	return gate{checker.Of(checker.Spec[flags]{
		Init:    []flags{{x: true}},
		Classes: []checker.Class{{Name: "raise"}, {Name: "lower"}, {Name: "reset"}, pass},
		Next: func(s flags, yield func(int, flags)) {
			if !s.y {
				yield(0, flags{s.x, true, s.goal})
			}
			if s.x {
				yield(1, flags{false, s.y, s.goal})
			}
			if s.y && !s.x {
				yield(2, flags{true, false, s.goal})
			}
			if open(s.x, s.y) {
				yield(3, flags{s.x, s.y, true})
			}
		},
		Encode: func(dst []byte, s flags) []byte {
			for _, f := range []bool{s.x, s.y, s.goal} {
				b := byte(0)
				if f {
					b = 1
				}
				dst = append(dst, b)
			}
			return dst
		},
		Properties: []checker.Predicate[flags]{{
			Property: checker.Property{Name: "Passes", Shape: checker.LeadsTo},
			Triggers: func(flags) bool { return true }, Holds: func(s flags) bool { return s.goal },
		}},
	})}
}

func (m gate) NewWorker() checker.Worker { return gateWorker{m.Model.NewWorker()} }

type gateWorker struct{ checker.Worker }

func (w gateWorker) Confluent(state []uint32, out *checker.Successors) bool {
	all := checker.NewSuccessors(1)
	w.Expand(state, all)
	if all.Len() == 0 || all.Class(0) != 0 {
		return false
	}
	copy(out.Add(0), all.At(0))
	return true
}

// Raising the second flag early opens the gate in states where a run that raises it late finds it
// shut. The late run never sees the gate open, so it is strongly fair; its counterpart after the
// reduction is not.
func TestConfluenceIsDeclinedForStrongFairness(t *testing.T) {
	for _, strong := range []bool{true, false} {
		m := newGate(checker.Class{Strong: strong}, func(x, y bool) bool { return x && y })
		r := check(t, m, checker.Options{Reduce: true})
		assert.Equal(t, checker.Violated, r.Verdict())
		if !strong {
			assert.Equal(t, []string{"confluence"}, r.Reductions)
			continue
		}
		assert.Empty(t, r.Reductions)
		require.Len(t, r.Declined, 1)
		assert.Contains(t, r.Declined[0], `"pass"`)
		assert.Contains(t, r.Declined[0], `"Passes"`)
	}
}

// spent has a confluent action of the first class. If that is Finite or Optional, a run may end
// where only that action is left, and after it no run may.
type spent struct{ checker.Model }

func newSpent(shape checker.Shape, first checker.Class) checker.Model {
	type state struct{ x, c byte }
	triggers := func(state) bool { return true }
	if !shape.Live() {
		triggers = nil
	}
	return spent{checker.Of(checker.Spec[state]{
		Init:    []state{{0, 1}},
		Classes: []checker.Class{first, {Name: "A"}, {Name: "B"}},
		Next: func(s state, yield func(int, state)) {
			if s.c == 1 {
				yield(0, state{s.x, 0})
			}
			if s.x == 0 {
				yield(1, state{1, s.c})
			}
			if s.x == 1 && s.c == 0 {
				yield(2, state{2, 0})
			}
		},
		Encode:       func(dst []byte, s state) []byte { return append(dst, s.x, s.c) },
		QuiescentEnd: func(s state) bool { return s.x == 2 },
		Properties: []checker.Predicate[state]{{
			Property: checker.Property{Name: "Two", Shape: shape},
			Triggers: triggers, Holds: func(s state) bool { return s.x == 2 },
		}},
	})}
}

func (m spent) NewWorker() checker.Worker { return gateWorker{m.Model.NewWorker()} }

func TestFiniteActionsAreNotConfluent(t *testing.T) {
	finite := checker.Class{Name: "a", Finite: true}
	assert.Equal(t, checker.Violated, check(t, newSpent(checker.LeadsTo, finite), checker.Options{}).Outcomes[0].Verdict)
	_, err := checker.Check(context.Background(), newSpent(checker.LeadsTo, finite), checker.Options{Reduce: true})
	require.ErrorContains(t, err, "an action of class 0 is confluent, and Finite or Optional")
	_, err = checker.Check(context.Background(), newSpent(checker.LeadsTo, checker.Class{Name: "a", Optional: true}),
		checker.Options{Reduce: true})
	require.ErrorContains(t, err, "an action of class 0 is confluent, and Finite or Optional")
	r := check(t, newSpent(checker.Sometimes, finite), checker.Options{Reduce: true})
	assert.Equal(t, []string{"confluence"}, r.Reductions)
	assert.Equal(t, checker.Holds, r.Outcomes[0].Verdict)
}
