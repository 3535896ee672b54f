package checker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// failing is a writer that fails after the given number of bytes.
type failing int

func (f failing) Write(p []byte) (int, error) { return min(int(f), len(p)), errors.New("disk full") }

func TestAReportThatCannotBeWrittenSaysSo(t *testing.T) {
	r := &checker.Report{}
	n, err := r.WriteTo(failing(7))
	assert.EqualValues(t, 7, n)
	assert.EqualError(t, err, "disk full")
}

// Every shape, verdict and early end has its words, and counts are in the right number.
func TestReportText(t *testing.T) {
	path := func(steps, loop int) *checker.Path {
		return &checker.Path{Steps: make([]checker.PathStep, steps+1), Loop: loop}
	}
	outcome := func(shape checker.Shape, v checker.Verdict, cases uint64, p *checker.Path) checker.Outcome {
		return checker.Outcome{Property: checker.Property{Name: "p", Shape: shape}, Verdict: v, Cases: cases, Path: p}
	}
	for want, o := range map[string]checker.Outcome{
		"p  always  violated  1 step":                          outcome(checker.Always, checker.Violated, 9, path(1, -1)),
		"p  always  holds  1,234 cases":                        outcome(checker.Always, checker.Holds, 1234, nil),
		"p  quiescent  holds  0 cases: holds vacuously":        outcome(checker.Quiescent, checker.Holds, 0, nil),
		"p  sometimes  holds  an initial state is the witness": outcome(checker.Sometimes, checker.Holds, 1, path(0, -1)),
		"p  sometimes  violated  no state is a witness":        outcome(checker.Sometimes, checker.Violated, 8, nil),
		"p  leads to  violated  1 step, then a loop of 2 steps": outcome(checker.LeadsTo, checker.Violated, 1,
			path(3, 1)),
		"p  reaches  inconclusive  1 case so far": outcome(checker.Reaches, checker.Inconclusive, 1, nil),
		"p  deadlock free  holds  0 cases":        outcome(checker.DeadlockFree, checker.Holds, 0, nil),
	} {
		r := &checker.Report{States: 1, Transitions: 1000, Outcomes: []checker.Outcome{o}}
		lines := strings.Split(r.String(), "\n")
		assert.Equal(t, o.Verdict.String()+": 1 state, 1,000 transitions, depth 0", lines[0])
		assert.Equal(t, "  "+want, lines[1])
	}
	r := &checker.Report{Reductions: []string{"confluence"}, Declined: []string{"symmetry: no"},
		CheckpointError: errors.New("no room")}
	for stopped := checker.NotStopped; stopped <= checker.StoppedBySampling; stopped++ {
		r.Stopped = stopped
		text := r.String()
		assert.Contains(t, text, "reduced by confluence\nnot reduced by symmetry: no\nno room\n")
		assert.Equal(t, stopped != checker.NotStopped, strings.Contains(text, "stopped early: "))
		assert.NotContains(t, text, "stopped early: "+stopped.String()+"\n", "the reason needs a sentence")
	}
	assert.Contains(t, (&checker.Report{Storage: checker.Bitstate}).String(), "coverage")
}

// The text of a report does not depend on the number of workers, nor on time.
func TestReportTextIsTheSameHoweverRun(t *testing.T) {
	var texts []string
	for workers := 1; workers <= 3; workers++ {
		r, err := checker.Check(context.Background(), newTwoPhase(4),
			checker.Options{Workers: workers, ContinueAfterViolation: true})
		require.NoError(t, err)
		texts = append(texts, r.String())
		sum := uint64(0)
		for _, a := range r.Actions() {
			n, ok := r.ActionCount(a.Class)
			assert.True(t, ok)
			assert.Equal(t, a.Transitions, n)
			sum += n
		}
		assert.Equal(t, r.Transitions, sum)
		_, ok := r.ActionCount("no such action")
		assert.False(t, ok)
	}
	assert.Equal(t, texts[0], texts[1])
	assert.Equal(t, texts[0], texts[2])
}

// A model of plain values needs no Encode; the report is that of the model with one.
func TestEncodeIsOptionalForPlainStates(t *testing.T) {
	type state struct {
		at   [2]uint8
		word string
	}
	spec := checker.Spec[state]{
		Init: []state{{word: "a"}},
		Next: func(s state, yield func(int, state)) {
			for i := range s.at {
				next := s
				next.at[i] = (s.at[i] + 1) % 5
				next.word = "ab"[i : i+1]
				yield(0, next)
			}
		},
	}
	without, err := checker.Check(context.Background(), checker.Of(spec), checker.Options{})
	require.NoError(t, err)
	spec.Encode = func(dst []byte, s state) []byte { return append(dst, s.at[0], s.at[1], s.word[0]) }
	with, err := checker.Check(context.Background(), checker.Of(spec), checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, with.String(), without.String())
	assert.EqualValues(t, 50, without.States)

	assert.PanicsWithError(t, "checker: Spec.Encode is missing, and states cannot be compared by ==: "+
		"[]int is of kind slice; write Spec.Encode", func() {
		checker.Of(checker.Spec[[]int]{Next: func([]int, func(int, []int)) {}})
	})
	_, err = checker.Of(checker.Spec[int]{Next: func(int, func(int, int)) {}}).Snapshot()
	assert.Error(t, err, "checkpoints need Decode")
}

// A system has a class for each thing that may happen, and its budget rules most of them out: a
// report names some of the unused classes and counts the others.
func TestReportNamesFewClasses(t *testing.T) {
	spec := checker.Spec[int]{
		Init: []int{0},
		Next: func(n int, yield func(class int, next int)) { yield(0, 0) },
	}
	for i := range 10 {
		spec.Classes = append(spec.Classes, checker.Class{Name: fmt.Sprint("c", i)})
	}
	report, err := checker.Check(context.Background(), checker.Of(spec), checker.Options{})
	require.NoError(t, err)
	assert.Contains(t, report.String(), "never happened: c1, c2, c3, c4, c5, c6 and 3 more\n")
}
