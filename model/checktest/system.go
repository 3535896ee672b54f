package checktest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// Variable is the name of the environment variable that asks for a replay: a property, a colon and
// the numbers of the actions, separated by commas.
const Variable = "CHECKTEST_REPLAY"

// RunSystem checks a closed system and fails the test unless every outcome is as expected. The
// violations that the system itself expects need no [Expect].
func RunSystem(t testing.TB, system model.Checkable, options ...Option) {
	t.Helper()
	s := newSettings(options)
	if s.budget != nil {
		wider, err := system.With(*s.budget)
		if err != nil {
			t.Fatalf("%v", err)
			return
		}
		system = wider
	}
	for _, e := range system.Info().Expected {
		if e.Violated {
			s.expect[e.Property] = true
		}
	}
	if run := os.Getenv(Variable); run != "" {
		replay(t, system, run)
		return
	}
	way := func(p *checker.Path) string { return actions(system, p) }
	s.evaluate(t, system.Model(), way, func(o checker.Outcome) string { return counterexample(t, system, o) })
}

// actions lists the actions of a run, one a line.
func actions(system model.Checkable, p *checker.Path) string {
	if len(p.Steps) == 0 {
		return " has no steps" // and the system may have no machine
	}
	var b strings.Builder
	machine := system.Machine()
	for i, step := range p.Steps[1:] {
		enabled := machine.Enabled()
		if step.Action >= len(enabled) {
			fmt.Fprintf(&b, "\n%4d is no longer possible: the core is not a function of its state and input", i+1)
			break
		}
		fmt.Fprintf(&b, "\n%4d %v", i+1, enabled[step.Action])
		machine.Take(step.Action)
	}
	return b.String()
}

// counterexample describes a run of a system and how to replay it.
func counterexample(t testing.TB, system model.Checkable, o checker.Outcome) string {
	if o.Path == nil {
		return ": no state of the system is a witness"
	}
	var numbers []string
	for _, step := range o.Path.Steps[1:] {
		numbers = append(numbers, strconv.Itoa(step.Action))
	}
	text, err := show(system, o)
	if err != nil {
		text = err.Error() + "; a core must be a function of its state and input, and change neither\n"
	}
	return fmt.Sprintf("\n%s# replay, in the folder of this test:\n%s=%s:%s go test -v -count=1 -run '%s' .",
		text, Variable, quoted(o.Property.Name), strings.Join(numbers, ","), pattern(t.Name()))
}

// quoted makes a name one word of a shell command.
func quoted(name string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_/.-]+$`).MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// pattern is the argument of go test -run that runs this test alone.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.ReplaceAll(strings.Join(parts, "/"), "'", ".")
}

func show(system model.Checkable, o checker.Outcome) (string, error) {
	trace, err := model.Trace(system, o)
	if err != nil {
		return "", fmt.Errorf("the run cannot be shown: %w", err)
	}
	var b strings.Builder
	err = traces.WriteText(&b, trace)
	return b.String(), err
}

// replay takes the actions of a run and shows them. It fails the test if the property does not hold
// at the end, or if the run is no longer possible.
func replay(t testing.TB, system model.Checkable, run string) {
	t.Helper()
	colon := strings.LastIndex(run, ":")
	if colon < 0 {
		t.Fatalf("%s=%q: it must be a property, a colon and the numbers of actions, separated by commas", Variable, run)
		return
	}
	property := run[:colon]
	machine := system.Machine()
	for i, word := range strings.FieldsFunc(run[colon+1:], func(c rune) bool { return c == ',' }) {
		choice, err := strconv.Atoi(word)
		enabled := machine.Enabled()
		if err != nil || choice < 0 || choice >= len(enabled) {
			t.Fatalf("step %d: there is no action %q among the %d enabled ones: "+
				"the run is no longer possible", i+1, word, len(enabled))
			return
		}
		t.Logf("%d %v", i+1, enabled[choice])
		for _, effect := range machine.Take(choice) {
			t.Logf("    %s", effect)
		}
	}
	for _, v := range machine.State() {
		t.Logf("%s: %s", v.Name, v.Value)
	}
	switch holds, err := machine.Check(property); {
	case err != nil:
		t.Fatalf("%v", err)
	case !holds:
		t.Errorf("%s does not hold at the end of this run", property)
	}
}
