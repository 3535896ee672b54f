package checktest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
)

// grace is how long before the test's deadline the check ends.
const grace = 5 * time.Second

// maxShown bounds the steps of a counterexample that are printed: half of them from its beginning,
// half from its end, which shows the violation.
const maxShown = 200

// Option changes how a model is checked.
type Option func(*settings)

type settings struct {
	options checker.Options
	budget  *model.Budget
	text    func(state []uint32) string
	expect  map[string]bool
	idle    map[string]bool // allowed by Vacuous; true once that was needed
	states  uint64          // 0: any number
}

// Options sets the options of the check. By default it continues after a violation, so that one
// test finds all of them. Without MemoryLimitBytes the limit is half of the free memory, so that a
// model with infinitely many states fails the test and does not exhaust the machine.
func Options(o checker.Options) Option { return func(s *settings) { s.options = o } }

// Budget replaces the fault budget of a system.
func Budget(b model.Budget) Option { return func(s *settings) { s.budget = &b } }

// Text sets how the states of a plain model are described. By default the model's own method of
// this name and type is used, if it has one, as those of [checker.Of] do. Other states are printed
// as numbers.
func Text(text func(state []uint32) string) Option { return func(s *settings) { s.text = text } }

// Expect states that a property is expected to be violated: the test fails if it is not.
func Expect(property string) Option { return func(s *settings) { s.expect[property] = true } }

// Vacuous allows by name a vacuous element: a property that holds without a case, a Sometimes whose
// witness is an initial state, or a class of actions that never happens. In a system also a fault
// of the budget that never happens, or the name of a node that never gets its command. The name
// "properties" allows a model without properties. Without it each of them fails the test, since
// nothing was shown. The test also fails if the allowance is not needed.
func Vacuous(name string) Option { return func(s *settings) { s.idle[name] = false } }

// States states how many states a complete check finds, more than 0. A number that changes says
// that the model has changed.
func States(want uint64) Option { return func(s *settings) { s.states = want } }

func newSettings(options []Option) *settings {
	s := &settings{
		options: checker.Options{ContinueAfterViolation: true},
		expect:  map[string]bool{},
		idle:    map[string]bool{},
	}
	for _, o := range options {
		o(s)
	}
	if s.options.MemoryLimitBytes == 0 {
		s.options.MemoryLimitBytes = checker.FreeMemoryBytes() / 2 // the rest is for garbage and other tests
	}
	return s
}

// Run checks a model and fails the test unless every outcome is as expected.
func Run(t testing.TB, m checker.Model, options ...Option) {
	t.Helper()
	s := newSettings(options)
	if s.budget != nil {
		t.Fatalf("checktest.Budget applies to systems only; call RunSystem, or leave it out")
		return
	}
	if s.text == nil {
		s.text = textOf(m)
	}
	s.evaluate(t, m, func(p *checker.Path) string { return s.steps(m, p) },
		func(o checker.Outcome) string { return s.steps(m, o.Path) + stop(o) })
}

// textOf returns the function that describes the states of a model.
func textOf(m checker.Model) func(state []uint32) string {
	if describer, ok := m.(interface{ Text(state []uint32) string }); ok {
		return describer.Text
	}
	return func(state []uint32) string { return fmt.Sprint(state) }
}

// evaluate checks the model and compares the outcomes with the expected ones. way describes runs,
// show counterexamples.
func (s *settings) evaluate(t testing.TB, m checker.Model, way func(*checker.Path) string,
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
	t.Logf("%s, %s, depth %d: %v", english.Count(int(r.States), "state"),
		english.Count(int(r.Transitions), "transition"), r.Depth, r.Verdict())
	if s.states > 0 && r.States != s.states {
		t.Errorf("the model has %s, not %d", english.Count(int(r.States), "state"), s.states)
	}
	found := map[string]bool{}
	for _, o := range r.Outcomes {
		if len(o.Forced) > 0 {
			t.Logf("%s holds only because runs do not stop before: %s (see checker.Outcome.Forced)",
				o.Property.Name, strings.Join(o.Forced, ", "))
		}
		name := o.Property.Name
		found[name] = true
		switch {
		case o.Verdict == checker.Inconclusive:
			t.Errorf("%s (%v): inconclusive: the check stopped early (%v) after %s%s", name,
				o.Property.Shape, r.Stopped, english.Count(int(r.States), "state"), hint(r))
		case o.Verdict == checker.Violated && !s.expect[name]:
			t.Errorf("%s (%v): violated%s", name, o.Property.Shape, show(o))
		case o.Verdict == checker.Holds && s.expect[name]:
			t.Errorf("%s (%v): holds, but it is expected to be violated; remove the expectation", name, o.Property.Shape)
		case o.Vacuous() != "" && !s.allows(name):
			t.Errorf("%s (%v): holds, but %s; correct the property or the model, or allow it by checktest.Vacuous(%q)",
				name, o.Property.Shape, o.Vacuous(), name)
		}
	}
	if len(found) == 1 && !s.allows("properties") { // the one is deadlock freedom
		t.Errorf("the model has no properties, so the test looked only for deadlocks; add a property, or allow it by " +
			"checktest.Vacuous(\"properties\")")
	}
	s.demandActions(t, m, r)
	for name := range s.expect {
		if !found[name] {
			t.Errorf("%s is expected to be violated, but the model has no such property; correct its name", name)
		}
	}
}

// demandActions fails the test if a model that was seen as a whole has actions that never happen.
func (s *settings) demandActions(t testing.TB, m checker.Model, r *checker.Report) {
	t.Helper()
	never := idle(m, r)
	for _, name := range slices.Sorted(maps.Keys(never)) {
		if !s.allows(name) {
			t.Errorf("%s; correct the model, or allow it by checktest.Vacuous(%q)", never[name], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.idle)) {
		if !s.idle[name] && r.Complete {
			t.Errorf("checktest.Vacuous(%q) is not needed: no property, class, fault or node of this name "+
				"is vacuous; remove it, or correct the name", name)
		}
	}
}

// allows reports whether something vacuous is allowed.
func (s *settings) allows(name string) bool {
	_, allowed := s.idle[name]
	if allowed {
		s.idle[name] = true
	}
	return allowed
}

// idle lists, by name, possible events of a model that never happen, with a sentence for each.
// Under symmetry an action of another part may happen instead, and a system has classes for each
// thing that may happen to each node: it knows itself which of them should.
func idle(m checker.Model, r *checker.Report) map[string]string {
	all := map[string]string{}
	system, covers := m.(model.Coverer)
	switch {
	case !r.Complete:
	case covers:
		for _, never := range system.Coverage(r.ClassCounts).Never {
			name, _, _ := strings.Cut(never, " never ")
			all[name] = never
		}
	case !slices.ContainsFunc(r.Reductions, func(name string) bool { return name == "symmetry" }):
		for _, a := range r.Actions() {
			if a.Transitions == 0 {
				all[a.Class] = fmt.Sprintf("actions of class %q never happen", a.Class)
			}
		}
	}
	return all
}

// hint says what to do about a check that stopped early, if there is something to do.
func hint(r *checker.Report) string {
	if r.Stopped != checker.StoppedByMemory {
		return ""
	}
	return "; " + r.Stopped.Hint() + "; if they are finitely many, raise MemoryLimitBytes in checktest.Options"
}

// untilDeadline returns a context that ends a little before the test's deadline.
func untilDeadline(t testing.TB) (context.Context, context.CancelFunc) {
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, set := limited.Deadline(); set {
			return context.WithDeadline(context.Background(), deadline.Add(-grace))
		}
	}
	return context.WithCancel(context.Background())
}

// steps describes the path of a plain model: the class of each action and the state that it leads
// to.
func (s *settings) steps(m checker.Model, path *checker.Path) string {
	if path == nil {
		return ": no state of the model is a witness"
	}
	var b strings.Builder
	classes := m.Classes()
	for i, step := range path.Steps {
		if hidden := len(path.Steps) - maxShown; hidden > 1 && i >= maxShown/2 && i < maxShown/2+hidden {
			if i == maxShown/2 {
				fmt.Fprintf(&b, "\n    … %d steps are left out", hidden)
			}
			continue
		}
		name := "initially"
		if step.Class >= 0 {
			name = classes[step.Class].Name
		}
		fmt.Fprintf(&b, "\n%4d %s: %s", i, name, s.text(step.State))
	}
	if path.Loop >= 0 {
		fmt.Fprintf(&b, "\n     and again from step %d, forever", path.Loop)
	}
	return b.String()
}

// stop says that a run which violates a LeadsTo does so by going no further.
func stop(o checker.Outcome) string {
	if o.Property.Shape != checker.LeadsTo || o.Path == nil || o.Path.Loop >= 0 {
		return ""
	}
	return "\n     and the run stops here: nothing more has to happen"
}
