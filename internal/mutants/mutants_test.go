package mutants_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// most bounds the states of a check: a mutant may well have endlessly many.
const most = 500_000

// large are models with more states than that, and how many of them are searched at most.
var large = map[string]uint64{"custody/three/both": 3_000_000}

// patience is how long a check, a scenario or a script may take, on a machine with other work to
// do.
const patience = 10 * time.Minute

// folder is where the build is.
var folder string

func TestMain(m *testing.M) {
	code, err := inFolder(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// inFolder runs tests with a folder.
func inFolder(run func() int) (code int, err error) {
	if folder, err = os.MkdirTemp("", "mutants"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	return run(), nil
}

// built is a build with all chosen mutants, of cores and of tests. The first test that needs it
// makes it.
func built(t *testing.T) *mutation.Edited {
	t.Helper()
	edited, err := build()
	require.NoError(t, err)
	return edited
}

var build = sync.OnceValues(func() (*mutation.Edited, error) {
	root, err := mutation.Root()
	if err != nil {
		return nil, err
	}
	some, err := mutants.Chosen(mutants.All(), few, mutants.Mutant.Edit)
	if err != nil {
		return nil, err
	}
	more, err := mutants.Chosen(mutants.AllTested(), fewTested, mutants.Tested.Edit)
	if err != nil {
		return nil, err
	}
	rounds, err := chosenRounds()
	if err != nil {
		return nil, err
	}
	var edits []mutation.Edit
	for _, m := range some {
		edits = append(edits, m.Edit())
	}
	for _, m := range more {
		edits = append(edits, m.Edit())
	}
	for _, m := range rounds {
		if !slices.Contains(edits, m.Edit()) {
			edits = append(edits, m.Edit())
		}
	}
	return mutation.NewEdited(root, folder, edits)
})

// TestMutants applies every mutant and demands that its model, its script or its scenario catches
// it, and that none of those finds anything in the core as it is.
func TestMutants(t *testing.T) {
	some := chosen(t)
	for _, m := range some {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			switch {
			case m.Script != "":
				replay(t, m)
			case m.Scenario != "":
				onlyScenario(t, m)
			default:
				caught(t, m)
			}
		})
	}
	for _, name := range named(some, func(m mutants.Mutant) string { return m.Model }) {
		t.Run("unmutated/"+name, func(t *testing.T) {
			t.Parallel()
			unbroken(t, name)
		})
	}
	for _, name := range named(some, func(m mutants.Mutant) string {
		if m.Script == "" {
			return ""
		}
		return scripted(m)
	}) {
		t.Run("unmutated/scripts/"+name, func(t *testing.T) {
			t.Parallel()
			passed, out, err := built(t).Test("", "protocol/"+name, "^TestScripts$", patience)
			require.NoError(t, err)
			assert.True(t, passed, out)
		})
	}
}

// caught demands that the mutant's model catches it.
func caught(t *testing.T, m mutants.Mutant) {
	t.Helper()
	v := check(t, m.Name, m.Model)
	if !slices.Contains(v.Violated, m.Property) && !slices.ContainsFunc(v.Violated, ofSteps) {
		t.Errorf("%s does not catch it (%s)\n%q after %d states, violated: %v %s\nmust be violated: %s",
			m.Model, m.Why, v.Killed, v.States, v.Violated, v.Panic, m.Property)
	}
}

// unbroken demands that the core without a mutant causes only expected violations in a model.
func unbroken(t *testing.T, model string) {
	t.Helper()
	if v := check(t, "", model); v.Killed != "" {
		t.Errorf("%s: %s after %d states, violated: %v %s", model, v.Killed, v.States, v.Violated, v.Panic)
	}
}

// ofSteps reports whether a property is a duty of every step, or a panic. Many mutants break such a
// property first, and the check ends there. They would break the property in the table later.
func ofSteps(property string) bool {
	return slices.Contains([]string{
		"TimersKept", "ListsKept", "EventsTrue", "MessagesFit", "AnswersCount", "NoOldNews", "FiguresKept", "AwaitsNeeded",
		"Refines", mutants.Panic,
	}, property)
}

// check checks a model with a mutant on, or none.
func check(t *testing.T, mutant, model string) mutation.Answer {
	t.Helper()
	limit := max(most, large[model])
	answers, silent, err := built(t).Ask(mutant,
		mutation.Request{Models: []mutation.Bounded{{Name: model, Most: limit}}}, patience)
	require.NoError(t, err)
	require.False(t, silent, "%s does not end", model)
	require.NotEmpty(t, answers)
	return answers[0]
}

// replay plays the mutant's script, which must tell another story than the core as it is does.
func replay(t *testing.T, m mutants.Mutant) {
	t.Helper()
	passed, out, err := built(t).Test(m.Name, "protocol/"+scripted(m), "^TestScripts$/^"+m.Script+"$", patience)
	require.NoError(t, err)
	switch {
	case passed:
		t.Errorf("the script %s does not catch it (%s)\n%s", m.Script, m.Why, out)
	case !strings.Contains(out, "--- FAIL: TestScripts/"+m.Script):
		t.Errorf("the script %s did not run:\n%s", m.Script, out)
	}
}

// scripted is the core whose scripts show a mutant. The map's scripts show those of the geometry.
func scripted(m mutants.Mutant) string {
	core, _, _ := strings.Cut(m.File, "/")
	if core == "space" {
		return "can"
	}
	return core
}

// TestTable checks the table.
func TestTable(t *testing.T) {
	all := mutants.All()
	if len(all) < 24 {
		t.Errorf("%d mutants are too few", len(all))
	}
	names := map[string]bool{}
	for _, m := range all {
		if names[m.Name] {
			t.Errorf("two mutants are named %s", m.Name)
		}
		names[m.Name] = true
		ways := 0
		for _, way := range []bool{m.Model != "" && m.Property != "", m.Script != "", m.Scenario != "" && m.Seeds > 0} {
			if way {
				ways++
			}
		}
		if m.Why == "" || ways != 1 {
			t.Errorf(
				"%s: say why it is wrong, and which property of which model breaks, or which script, or which scenario within how "+
					"many seeds",
				m.Name,
			)
		}
		if err := m.Edit().Fits(root(t)); err != nil {
			t.Error(err)
		}
	}
}

// few is how many mutants are tried unless more are chosen.
const few = 4

// chosen returns the mutants to try.
func chosen(t *testing.T) []mutants.Mutant {
	t.Helper()
	some, err := mutants.Chosen(mutants.All(), few, mutants.Mutant.Edit)
	require.NoError(t, err)
	if len(some) == 0 {
		t.Skip("no such mutant is tried: " + mutants.Choice + " chooses none")
	}
	return some
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := mutation.Root()
	require.NoError(t, err)
	return dir
}

// named lists some names of mutants, each name once.
func named(some []mutants.Mutant, name func(mutants.Mutant) string) (all []string) {
	for _, m := range some {
		if n := name(m); n != "" {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
