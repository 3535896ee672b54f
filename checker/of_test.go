package checker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

func TestOfAsksForWhatItNeeds(t *testing.T) {
	next := func(int, func(int, int)) {}
	encode := func(dst []byte, _ int) []byte { return dst }
	holds := func(int) bool { return true }
	predicate := func(shape checker.Shape) []checker.Predicate[int] {
		return []checker.Predicate[int]{{Property: checker.Property{Name: "p", Shape: shape}, Holds: holds}}
	}
	for _, spec := range []checker.Spec[int]{
		{},
		{Encode: encode},
		{Next: next, Decode: func([]byte) (int, error) { return 0, nil }},
		{Next: next, Encode: encode, Properties: []checker.Predicate[int]{{}}},
		{Next: next, Encode: encode, Properties: predicate(checker.LeadsTo)},
		{Next: next, Encode: encode, Properties: predicate(checker.Reaches)},
		{Next: next, Encode: encode, Properties: predicate(checker.AlmostSurely)},
		{Next: next, Encode: encode, Properties: predicate(checker.Quiescent)},
	} {
		assert.Panics(t, func() { checker.Of(spec) })
	}
	assert.NotPanics(t, func() {
		checker.Of(checker.Spec[int]{Next: next, Encode: encode, Properties: predicate(checker.Always)})
		checker.Of(checker.Spec[int]{Next: next})
	})
}

func TestNamesOfValues(t *testing.T) {
	assert.Equal(t, "almost surely", checker.AlmostSurely.String())
	assert.Equal(t, "shape(0)", checker.Shape(0).String())
	assert.Equal(t, "shape(99)", checker.Shape(99).String())
	assert.Equal(t, "inconclusive", checker.Inconclusive.String())
	assert.Equal(t, "verdict(7)", checker.Verdict(7).String())
	assert.Equal(t, "depth", checker.StoppedByDepth.String())
	assert.Equal(t, "reason(9)", checker.Reason(9).String())
	assert.Equal(t, "linking", checker.Linking.String())
}

func TestSuccessorsKeepsWhatIsAdded(t *testing.T) {
	s := checker.NewSuccessors(2)
	for i := range 100 {
		copy(s.Add(i), []uint32{uint32(i), uint32(2 * i)})
	}
	assert.Equal(t, 100, s.Len())
	for i := range 100 {
		assert.Equal(t, []uint32{uint32(i), uint32(2 * i)}, s.At(i))
		assert.Equal(t, i, s.Class(i))
	}
	s.Reset()
	assert.Zero(t, s.Len())
	assert.Panics(t, func() { s.Add(-1) })
	assert.Panics(t, func() { s.Add(1 << 16) })
}

// An Encode that leaves out a relevant part would merge two states into one. Leaving out an
// irrelevant part is fine.
func TestEncodeMustTellStatesApart(t *testing.T) {
	type state struct{ at, spare int }
	next := func(s state, yield func(int, state)) {
		if s.at < 4 {
			yield(0, state{s.at + 1, s.spare})
			yield(0, state{s.at + 1, s.spare + 1})
		}
	}
	spec := checker.Spec[state]{
		Init: []state{{}}, Next: next,
		Encode:       func(dst []byte, s state) []byte { return append(dst, byte(s.at)) },
		QuiescentEnd: func(s state) bool { return s.at == 4 },
		Properties: []checker.Predicate[state]{{
			Property: checker.Property{Name: "Never", Shape: checker.Always},
			Holds:    func(s state) bool { return s.at < 5 },
		}},
	}
	check := func() error {
		_, err := checker.Check(context.Background(), checker.Of(spec), checker.Options{Workers: 1})
		return err
	}
	require.NoError(t, check(), "no function reads the part that the encoding leaves out")
	spec.Properties[0].Holds = func(s state) bool { return s.spare < 1 }
	require.ErrorContains(t, check(), "Encode gives the same bytes for two states that differ in their "+
		"successors or in a property", "a property does")
	spec.Properties[0].Holds = func(s state) bool { return true }
	spec.Next = func(s state, yield func(int, state)) {
		if s.at < 4 {
			yield(0, state{s.at + 1, 0})
		}
		if s.at < 4 && s.spare == 0 {
			yield(0, state{s.at + 1, 1})
		}
	}
	require.ErrorContains(t, check(), "{at:1 spare:0} and {at:1 spare:1}", "Next does")
}

// A Next that is not a function of its state, or changes it, would make a check miss states
// silently.
func TestNextMustBeAFunction(t *testing.T) {
	calls := 0
	for says, next := range map[string]func(s []byte, yield func(int, []byte)){
		"Next changes the state that it is given": func(s []byte, yield func(int, []byte)) {
			if next := s; s[1] < 3 {
				next[1]++
				yield(0, next)
			}
		},
		"Next yields other successors when called again with the same state": func(s []byte, yield func(int, []byte)) {
			if calls++; s[0] == 0 {
				yield(0, []byte{1, byte(calls)})
			}
		},
	} {
		m := checker.Of(checker.Spec[[]byte]{
			Init: [][]byte{{0, 0}}, Next: next, Encode: func(dst []byte, s []byte) []byte { return append(dst, s...) },
			QuiescentEnd: func([]byte) bool { return true },
		})
		_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1})
		require.ErrorContains(t, err, says)
	}
}

// The representative of an orbit represents itself.
func TestCanonicalMustBeFinal(t *testing.T) {
	m := checker.Of(checker.Spec[int]{
		Init: []int{5}, Next: func(n int, yield func(int, int)) { yield(0, 4) },
		Canonical: func(n int) int { return max(n-1, 0) },
	})
	_, err := checker.Check(context.Background(), m, checker.Options{Reduce: true})
	require.ErrorContains(t, err, "Canonical changes a state that it has returned")
}

// A caller that changes the lists which a model returned does not change the model.
func TestAModelKeepsItsLists(t *testing.T) {
	m := checker.Of(checker.Spec[int]{
		Init:    []int{0},
		Next:    func(n int, yield func(int, int)) { yield(0, 1-n) },
		Classes: []checker.Class{{Name: "flip"}},
		Properties: []checker.Predicate[int]{{
			Property: checker.Property{Name: "bit", Shape: checker.Always}, Holds: func(n int) bool { return n < 2 },
		}},
	})
	m.Classes()[0].Name, m.Properties()[0].Name = "changed", "changed"
	r := check(t, m, everything)
	assert.Equal(t, "flip", r.Classes[0].Name)
	assert.Equal(t, "bit", r.Outcomes[0].Property.Name)
}
