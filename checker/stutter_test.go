package checker_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

// forced names, by the definition, the unmarked classes on which the verdict on a LeadsTo rests:
// the enabled classes of every open state where the run could stop if no class without a mark were
// forced.
func (n *naive) forced(r rule) (names []string) {
	if verdict, _ := n.answer(r); r.Shape != checker.LeadsTo || verdict != checker.Holds {
		return nil
	}
	open := n.openDist(r)
	for class, c := range n.Classes() {
		if c != (checker.Class{Name: c.Name}) {
			continue
		}
		for s := range open {
			enabled := func(class int) bool {
				return slices.ContainsFunc(n.drawn.edges[s], func(a arrow) bool { return a.class == class })
			}
			fair := false
			for other, o := range n.Classes() {
				fair = fair || (o.Fair || o.Strong) && !o.Finite && enabled(other)
			}
			if enabled(class) && !fair {
				names = append(names, c.Name)
				break
			}
		}
	}
	return names
}

// stuttering returns the model with every unmarked class made Optional, and the model with a
// self-loop of a separate class in every state, which says by hand that a run may stop.
func stuttering(m *drawn) (optional, looped *drawn) {
	first, second := *m, *m
	optional, looped = &first, &second
	optional.classes, looped.classes = slices.Clone(m.classes), slices.Clone(m.classes)
	for i, c := range m.classes {
		optional.classes[i].Optional = c == checker.Class{Name: c.Name}
	}
	looped.classes = append(looped.classes, checker.Class{Name: "stutter"})
	looped.edges = make([][]arrow, len(m.edges))
	for s, arrows := range m.edges {
		looped.edges[s] = append(slices.Clone(arrows), arrow{s, len(m.classes)})
	}
	return optional, looped
}

// TestStutteringIsAStepThatLeadsBack compares models with Optional classes with the same models
// with self-loops, judged by the definitions: verdicts, and lengths of counterexamples.
func TestStutteringIsAStepThatLeadsBack(t *testing.T) {
	violated := 0
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawModel(t)
		for i := range drawn.classes {
			drawn.classes[i].Optional, drawn.classes[i].Finite = false, false
		}
		plain := check(t, drawn, everything)
		optional, looped := stuttering(drawn)
		r := check(t, optional, everything)
		n, definitions := newNaive(optional), newNaive(looped)
		for i, rule := range optional.rules {
			o := r.Outcomes[i]
			verdict, steps := definitions.answer(rule)
			if rule.Shape == checker.Quiescent || !rule.Shape.Live() {
				require.Equal(t, plain.Outcomes[i].Verdict, o.Verdict, "%s has nothing to do with stopping", rule.Name)
				continue
			}
			require.Equal(t, verdict, o.Verdict, rule.Name)
			compare(t, n, rule, o)
			if rule.Shape == checker.LeadsTo && verdict == checker.Violated {
				require.Equal(t, steps, lengthBeforeLoop(o.Path))
				violated++
			}
		}
		dead := len(plain.Outcomes) - 1
		require.Equal(t, plain.Outcomes[dead].Verdict, r.Outcomes[dead].Verdict, "deadlock is no less of one")
		for i, o := range plain.Outcomes {
			stops := o.Verdict == checker.Holds && r.Outcomes[i].Verdict == checker.Violated
			require.Equal(t, stops, len(o.Forced) > 0, "%s rests on forced classes", o.Property.Name)
		}
	})
	assert.Positive(t, violated)
}

func lengthBeforeLoop(p *checker.Path) int {
	if p.Loop >= 0 {
		return p.Loop
	}
	return len(p.Steps) - 1
}

// allocator lends two locks to two clients. A client that has both finishes. Client 0, if it has
// one only, may give it back.
type allocator struct {
	Wants [2]bool // the client wants both locks
	Holds [2]int  // how many it has
}

func allocate(stutters bool) *checker.ValueModel[allocator] {
	return checker.Of(checker.Spec[allocator]{
		Init:     []allocator{{}},
		Stutters: stutters,
		Classes: []checker.Class{{Name: "ask"}, {Name: "take 0", Strong: true}, {Name: "take 1", Strong: true},
			{Name: "finish", Fair: true}, {Name: "give back one"}},
		Next: func(s allocator, yield func(int, allocator)) {
			for i := range 2 {
				step := func(class, holds int, wants bool) {
					n := s
					n.Holds[i], n.Wants[i] = holds, wants
					yield(class, n)
				}
				switch free := 2 - s.Holds[0] - s.Holds[1]; {
				case !s.Wants[i] && s.Holds[i] == 0:
					step(0, 0, true)
				case s.Holds[i] == 2:
					step(3, 0, false)
				case s.Wants[i] && free > 0:
					step(1+i, s.Holds[i]+1, true)
				}
			}
			if s.Holds[0] == 1 { // only this client ever gives way
				s.Holds[0] = 0
				yield(4, s)
			}
		},
		Properties: []checker.Predicate[allocator]{{
			Property: checker.Property{Name: "somebody gets both", Shape: checker.LeadsTo},
			Triggers: func(s allocator) bool { return s.Holds == [2]int{1, 1} },
			Holds:    func(s allocator) bool { return s.Holds[0] == 2 || s.Holds[1] == 2 },
		}},
	})
}

// A client that stops keeps a lock, so it may be that no client gets both. If giving back is
// forced, the report says that the verdict depends on it.
func TestAClientMayStop(t *testing.T) {
	r := check(t, allocate(false), everything)
	o := outcome(t, r, "somebody gets both")
	require.Equal(t, checker.Holds, o.Verdict)
	assert.Equal(t, []string{"give back one"}, o.Forced)
	assert.Contains(t, r.String(), "somebody gets both holds only because runs may not stop before these actions: "+
		"give back one")

	m := allocate(true)
	r = check(t, m, everything)
	o = outcome(t, r, "somebody gets both")
	require.Equal(t, checker.Violated, o.Verdict)
	assert.Empty(t, o.Forced)
	assert.Equal(t, -1, o.Path.Loop)
	last := o.Path.Steps[len(o.Path.Steps)-1].State
	assert.Equal(t, allocator{Wants: [2]bool{true, true}, Holds: [2]int{1, 1}}, m.Value(last))
	assert.Len(t, o.Path.Steps, 5, "both ask, both take, and neither does anything more")
	assert.Contains(t, r.String(), "4 steps, then the run stops")
	assert.NotContains(t, r.String(), "holds only because")
	dead := outcome(t, r, checker.Deadlock)
	assert.Equal(t, checker.Holds, dead.Verdict, "a run that stops is no deadlock")
}

// A model without classes stutters, too.
func TestAModelWithoutClassesMayStop(t *testing.T) {
	for stutters, want := range map[bool]checker.Verdict{false: checker.Holds, true: checker.Violated} {
		r := check(t, checker.Of(checker.Spec[int]{
			Init: []int{0}, Stutters: stutters,
			Next: func(n int, yield func(int, int)) { yield(0, (n+1)%3) },
			Properties: []checker.Predicate[int]{{
				Property: checker.Property{Name: "arrives", Shape: checker.LeadsTo},
				Triggers: func(n int) bool { return n == 0 }, Holds: func(n int) bool { return n == 2 },
			}},
		}), everything)
		assert.Equal(t, want, outcome(t, r, "arrives").Verdict)
		assert.Equal(t, checker.Class{Name: "step", Optional: stutters}, r.Classes[0])
	}
}

// Fairness of a class lets no run stop where the class is enabled, even if no other class is.
func TestARunStopsOnlyWhereNoFairClassIsEnabled(t *testing.T) {
	for _, mark := range []checker.Class{{Fair: true}, {Strong: true}} {
		mark.Name = "work"
		m := draw(3)
		m.classes = []checker.Class{{Name: "idle", Optional: true}, mark}
		m.edges[0] = []arrow{{1, 0}, {2, 1}}
		m.edges[1] = []arrow{{2, 1}}
		m.edges[2] = []arrow{{2, 0}}
		assert.Equal(t, checker.Holds, leadsTo(t, m, set(0), set(2)).Verdict)
		m.rules, m.edges[1] = nil, []arrow{{2, 0}}
		o := leadsTo(t, m, set(0), set(2))
		assert.Equal(t, checker.Violated, o.Verdict)
		assert.Equal(t, []int{0, 1}, visits(o.Path))
	}
}

// A run may stop in a state that lies on a cycle which is not fair, and one may stay on a cycle of
// Optional steps forever.
func TestARunStopsOnACycle(t *testing.T) {
	m := draw(4)
	m.classes = []checker.Class{{Name: "move", Optional: true}, {Name: "work", Fair: true}}
	m.edges[0] = []arrow{{1, 0}, {3, 1}}
	m.edges[1] = []arrow{{2, 0}}
	m.edges[2] = []arrow{{0, 0}, {3, 1}}
	m.edges[3] = []arrow{{3, 0}}
	o := leadsTo(t, m, set(0), set(3))
	assert.Equal(t, checker.Violated, o.Verdict)
	assert.Equal(t, 0, o.Path.Loop, "work is disabled in 1, so the cycle is fair")
	m.rules, m.classes[1].Fair, m.classes[1].Strong = nil, false, true
	o = leadsTo(t, m, set(0), set(3))
	assert.Equal(t, []int{0, 1}, visits(o.Path), "the cycle is not strongly fair, but a run may stop on it")
	assert.Equal(t, -1, o.Path.Loop)
}

// An Optional class has no other mark.
func TestAnOptionalClassIsNotFair(t *testing.T) {
	for _, c := range []checker.Class{{Fair: true}, {Strong: true}, {Finite: true}} {
		m := draw(1)
		c.Name, c.Optional = "a", true
		m.classes = []checker.Class{c}
		_, err := checker.Check(context.Background(), m, checker.Options{})
		assert.ErrorContains(t, err, `class "a" is Optional`)
	}
}

// A checkpoint of a model whose runs may stop is not that of one whose runs may not, and a resumed
// check has the same counterexample.
func TestStutteringSurvivesACheckpoint(t *testing.T) {
	build := func(stutters bool) *checker.ValueModel[byte] {
		return checker.Of(checker.Spec[byte]{
			Init: []byte{0}, Stutters: stutters,
			Next:   func(n byte, yield func(int, byte)) { yield(0, (n+1)%200) },
			Encode: func(dst []byte, n byte) []byte { return append(dst, n) },
			Decode: func(b []byte) (byte, error) { return b[0], nil },
			Properties: []checker.Predicate[byte]{{
				Property: checker.Property{Name: "arrives", Shape: checker.LeadsTo},
				Triggers: func(n byte) bool { return n == 100 }, Holds: func(n byte) bool { return n == 0 },
			}},
		})
	}
	o := everything
	o.Checkpoint = filepath.Join(t.TempDir(), "saved")
	o.MaxStates = 150
	r := check(t, build(true), o)
	require.Equal(t, checker.Inconclusive, r.Verdict())
	o.MaxStates, o.Resume = 0, true
	_, err := checker.Check(context.Background(), build(false), o)
	var refused *checker.CheckpointError
	require.ErrorAs(t, err, &refused)
	got := outcome(t, check(t, build(true), o), "arrives")
	o.Resume, o.Checkpoint = false, ""
	want := outcome(t, check(t, build(true), o), "arrives")
	assert.Equal(t, checker.Violated, got.Verdict)
	assert.Equal(t, want.Path, got.Path)
	assert.Equal(t, 100, want.Path.Trigger)
	assert.Len(t, want.Path.Steps, 101)
}
