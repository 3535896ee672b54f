package mutants_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// most bounds the states of a check: a mutant may well have endlessly many.
const most = 500_000

// large are models with more states than that, and how many of them are searched at most.
var large = map[string]uint64{"custody/three/both": 3_000_000}

// limit is how many states of each of these models are searched at most.
func limit(models []string) uint64 {
	n := uint64(most)
	for _, name := range models {
		n = max(n, large[name])
	}
	return n
}

// TestMutants applies every mutant and demands that its model catches it.
func TestMutants(t *testing.T) {
	for _, m := range chosen(t) {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			overlay, err := m.Overlay(root(t), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case m.Script != "":
				replay(t, overlay, m)
				return
			case m.Scenario != "":
				onlyScenario(t, overlay, m)
				return
			}
			v := run(t, build(t, m.Program(), overlay), m.Model)[0]
			if v.Verdict == mutants.Panic {
				v.Property = []string{mutants.Panic}
			}
			if !slices.Contains(v.Property, m.Property) && !slices.ContainsFunc(v.Property, ofSteps) {
				t.Errorf("%s does not catch it (%s)\nverdict %s after %d states, violated: %v %s\nmust be violated: %s",
					m.Model, m.Why, v.Verdict, v.States, v.Property, v.Panic, m.Property)
			}
		})
	}
}

// ofSteps reports whether a property is about what every step must do, or a panic. Of many mutants
// such a property is the first to break, and the check ends there. The property in the table is
// what breaks without it.
func ofSteps(property string) bool {
	return slices.Contains([]string{
		"TimersKept", "ListsKept", "EventsTrue", "MessagesFit", "AnswersCount", "NoOldNews", "FiguresKept", "AwaitsNeeded",
		mutants.Panic,
	}, property)
}

// TestUnmutated demands that the core as it is breaks nothing in the models that the mutants name,
// but what they declare.
func TestUnmutated(t *testing.T) {
	t.Parallel()
	models := map[string][]string{}
	for _, m := range chosen(t) {
		if m.Model != "" {
			models[m.Program()] = append(models[m.Program()], m.Model)
		}
	}
	for program, named := range models {
		slices.Sort(named)
		for _, v := range run(t, build(t, program, ""), slices.Compact(named)...) {
			declared := v.Verdict == "violated" && len(v.Property) == 0
			if v.Verdict != "holds" && !declared {
				t.Errorf("%s: %s after %d states, violated: %v %s", v.Model, v.Verdict, v.States, v.Property, v.Panic)
			}
		}
	}
}

// TestTable holds the table to what its readers rely on.
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
		if _, err := m.Overlay(root(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

// few is how many mutants are tried unless more are chosen.
const few = 4

// chosen returns the mutants to try.
func chosen(t *testing.T) []mutants.Mutant {
	t.Helper()
	some, err := mutants.Chosen(mutants.All(), few)
	if err != nil {
		t.Fatal(err)
	}
	if len(some) == 0 {
		t.Skip("no mutant is tried: " + mutants.Choice + " chooses none")
	}
	return some
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// build builds a checking program and returns its path.
func build(t *testing.T, program, overlay string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "check.exe")
	cmd := exec.Command("go", mutants.BuildArgs(binary, overlay, program)...)
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("it does not compile: %v\n%s", err, out)
	}
	return binary
}

// replay plays the mutant's script, which must tell another story than the core as it is does.
func replay(t *testing.T, overlay string, m mutants.Mutant) {
	t.Helper()
	cmd := exec.Command(
		"go",
		"test",
		"-count=1",
		"-vet=off",
		"-overlay",
		overlay,
		"-run",
		"^TestScripts$/^"+m.Script+"$",
		"./protocol/"+scripted(m),
	)
	cmd.Dir = root(t)
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		t.Errorf("the script %s does not catch it (%s)\n%s", m.Script, m.Why, out)
	case !bytes.Contains(out, []byte("--- FAIL: TestScripts/"+m.Script)):
		t.Errorf("the script %s did not run: %v\n%s", m.Script, err, out)
	}
}

// scripted is the core whose scripts show a mutant. The map's scripts show those of the geometry.
func scripted(m mutants.Mutant) string {
	if core := path.Dir(m.File); core != "space" {
		return core
	}
	return "can"
}

// run checks models with a checking program and returns a verdict for each.
func run(t *testing.T, binary string, models ...string) []mutants.Verdict {
	t.Helper()
	cmd := exec.Command(binary, append([]string{fmt.Sprintf("-states=%d", limit(models))}, models...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	var verdicts []mutants.Verdict
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var v mutants.Verdict
		if err := decoder.Decode(&v); err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(models) {
		t.Fatalf("%d verdicts on %d models", len(verdicts), len(models))
	}
	return verdicts
}
