package checktest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// grace is how long before the deadline of the test the check ends.
const grace = 5 * time.Second

// maxShown bounds the steps of a plain model's counterexample that are shown.
const maxShown = 200

// Option changes how a model is checked.
type Option func(*settings)

type settings struct {
	options checker.Options
	budget  *model.Budget
	text    func(state []uint32) string
	expect  map[string]bool
}

// Options sets the options of the check. By default it goes on after a violation, so that one test finds
// all there are. A check without MemoryLimitBytes gets half of the memory that is free as its limit, so that a model whose states have
// no end fails the test and not the machine.
func Options(o checker.Options) Option { return func(s *settings) { s.options = o } }

// Budget replaces the fault budget of a system.
func Budget(b model.Budget) Option { return func(s *settings) { s.budget = &b } }

// Text says how to describe the states of a plain model. By default the model is asked, if it has a method of this name and type, as
// those of [checker.Of] have; the states of others are shown as numbers.
func Text(text func(state []uint32) string) Option { return func(s *settings) { s.text = text } }

// Expect declares that a property is violated: the test fails if it is not.
func Expect(property string) Option { return func(s *settings) { s.expect[property] = true } }

func newSettings(options []Option) *settings {
	s := &settings{
		options: checker.Options{ContinueAfterViolation: true},
		expect:  map[string]bool{},
	}
	for _, o := range options {
		o(s)
	}
	if s.options.MemoryLimitBytes == 0 {
		s.options.MemoryLimitBytes = checker.FreeMemoryBytes() / 2 // the rest is for garbage, and for tests beside this one
	}
	return s
}

// Run checks a model and fails the test unless every outcome is as it should be.
func Run(t testing.TB, m checker.Model, options ...Option) {
	t.Helper()
	s := newSettings(options)
	if s.budget != nil {
		t.Fatalf("checktest.Budget is for systems: call RunSystem, or leave it out")
		return
	}
	if s.text == nil {
		s.text = textOf(m)
	}
	s.judge(t, m, func(p *checker.Path) string { return s.steps(m, p) },
		func(o checker.Outcome) string { return s.steps(m, o.Path) })
}

// textOf is how a model describes its states.
func textOf(m checker.Model) func(state []uint32) string {
	if describer, ok := m.(interface{ Text(state []uint32) string }); ok {
		return describer.Text
	}
	return func(state []uint32) string { return fmt.Sprint(state) }
}

// judge checks and reports. Runs are described by way, the counterexamples by show.
func (s *settings) judge(t testing.TB, m checker.Model, way func(*checker.Path) string,
	show func(checker.Outcome) string) {
	t.Helper()
	ctx, cancel := untilDeadline(t)
	defer cancel()
	r, err := checker.Check(ctx, m, s.options)
	var panicked *checker.PanicError
	if errors.As(err, &panicked) {
		t.Fatalf("the check failed: %v; the run to that state%s\n%s", err, way(panicked.Path), panicked.Stack)
		return
	}
	if err != nil {
		t.Fatalf("the check failed: %v", err)
		return
	}
	if r == nil {
		return
	}
	t.Logf("%d states, %d transitions, depth %d: %v", r.States, r.Transitions, r.Depth, r.Verdict())
	found := map[string]bool{}
	for _, o := range r.Outcomes {
		name := o.Property.Name
		found[name] = true
		switch {
		case o.Verdict == checker.Inconclusive:
			t.Errorf("%s (%v): inconclusive: the check stopped early (%v) after %d states%s", name,
				o.Property.Shape, r.Stopped, r.States, hint(r))
		case o.Verdict == checker.Violated && !s.expect[name]:
			t.Errorf("%s (%v): violated%s", name, o.Property.Shape, show(o))
		case o.Verdict == checker.Holds && s.expect[name]:
			t.Errorf("%s (%v): holds, but it is declared to be violated", name, o.Property.Shape)
		}
	}
	for name := range s.expect {
		if !found[name] {
			t.Errorf("%s is declared to be violated, but the model has no such property", name)
		}
	}
}

// hint says what to do about a check that stopped early, if there is something to say.
func hint(r *checker.Report) string {
	if r.Stopped != checker.StoppedByMemory {
		return ""
	}
	return "; " + r.Stopped.Hint() + "; if they are only many, raise MemoryLimitBytes in checktest.Options"
}

// untilDeadline returns a context that ends a little before the test must.
func untilDeadline(t testing.TB) (context.Context, context.CancelFunc) {
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, set := limited.Deadline(); set {
			return context.WithDeadline(context.Background(), deadline.Add(-grace))
		}
	}
	return context.WithCancel(context.Background())
}

// steps describes the path of a plain model: the class of each action and the state that it leads to.
func (s *settings) steps(m checker.Model, path *checker.Path) string {
	if path == nil {
		return ": nothing in all of its states shows it"
	}
	var b strings.Builder
	classes := m.Classes()
	for i, step := range path.Steps {
		if i == maxShown {
			fmt.Fprintf(&b, "\n    … and %d more", len(path.Steps)-i)
			break
		}
		name := "initially"
		if step.Class >= 0 {
			name = classes[step.Class].Name
		}
		fmt.Fprintf(&b, "\n%4d %s: %s", i, name, s.text(step.State))
	}
	if path.Loop >= 0 {
		fmt.Fprintf(&b, "\n     and from step %d on again, for ever", path.Loop)
	}
	return b.String()
}
