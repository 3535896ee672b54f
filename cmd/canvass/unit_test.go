package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/traces"
)

// TestShapes holds that the names of shapes and verdicts in traces are the checker's.
func TestShapes(t *testing.T) {
	for shape, name := range map[checker.Shape]string{
		checker.Always: traces.Always, checker.Sometimes: traces.Sometimes, checker.Quiescent: traces.Quiescent,
		checker.LeadsTo: traces.LeadsTo, checker.Reaches: traces.Reaches, checker.AlmostSurely: traces.AlmostSurely,
		checker.DeadlockFree: traces.DeadlockFree,
	} {
		if shape.String() != name {
			t.Errorf("the checker says %q, traces %q", shape, name)
		}
		if shape != checker.Sometimes && shapeCode(name) != violationCode(shape) {
			t.Errorf("%s: exit code %d for a replay, %d for a check", shape, shapeCode(name), violationCode(shape))
		}
	}
	if checker.Violated.String() != traces.Violated || checker.Holds.String() != traces.Holds {
		t.Error("the verdicts have other names")
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"1": 1, "64B": 64, "8GiB": 8 << 30, "8 GiB": 8 << 30, "512M": 512 << 20, "1.5k": 1536, "2GB": 2e9,
		"1TiB": 1 << 40,
	} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1XiB", "1e30", "NaN", "Inf", "1 G i B", "99999999TiB", "0.1"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for _, test := range [][2]string{
		{size(3 << 10), "3 KiB"}, {size(9 << 20), "9,216 KiB"}, {size(10 << 20), "10 MiB"}, {size(12 << 30), "12 GiB"},
	} {
		if test[0] != test[1] {
			t.Errorf("got %q, want %q", test[0], test[1])
		}
	}
}

// TestStatus holds what a line of progress says about a check.
func TestStatus(t *testing.T) {
	now := checker.Progress{
		Phase: checker.Searching, States: 1234, Queue: 5, Depth: 6, Elapsed: 90 * time.Second, MemoryBytes: 1 << 20,
	}
	want := "m searching: 1,234 states, queue 5, depth 6, 13 states/s, 1,024 KiB, 1m30s"
	if got := status("m", now); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// mismatched is a toy whose machine is not what its model is.
type mismatched struct {
	*toy
	machine func(toyMachine) traces.Machine
}

func (a mismatched) Machine() traces.Machine { return a.machine(toyMachine{toy: a.toy}) }

// narrow lists too few actions.
type narrow struct{ toyMachine }

func (m *narrow) Enabled() []traces.Action {
	actions := m.toyMachine.Enabled()
	return actions[:min(len(actions), 1)]
}

// content finds nothing wrong with any state.
type content struct{ toyMachine }

func (m *content) Check(string) (bool, error) { return true, nil }

// TestMachineMismatched finds the disagreement before a trace is written that is none.
func TestMachineMismatched(t *testing.T) {
	for text, machine := range map[string]func(toyMachine) traces.Machine{
		"do the checker and the machine disagree": func(m toyMachine) traces.Machine { return &narrow{m} },
		"the run does not show what it should":    func(m toyMachine) traces.Machine { return &content{m} },
	} {
		models := func() []model.Checkable {
			system, err := named(toys(), "bad/unsafe")
			if err != nil {
				t.Fatal(err)
			}
			return []model.Checkable{mismatched{system.(*toy), machine}}
		}
		folder := t.TempDir()
		var stdout bytes.Buffer
		code := run(
			models,
			toyScenarios,
			[]string{"check", "-q", "--trace-dir", folder},
			strings.NewReader(""),
			&stdout,
			io.Discard,
		)
		if code != cli.CodeError || !strings.Contains(stdout.String(), text) {
			t.Errorf("exit code %d, and it says\n%s", code, stdout.String())
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
			t.Errorf("a trace was written anyway: %v, %v", files, err)
		}
	}
}

// TestFullDisk holds that results that cannot be written are no success.
func TestFullDisk(t *testing.T) {
	for _, args := range []string{
		"check -q toy/sorted", "check -q --json toy/sorted", "models", "models --json", "version",
		"simulate -q toy/count",
	} {
		var stderr bytes.Buffer
		code := run(toys, toyScenarios, strings.Fields(args), strings.NewReader(""), full{}, &stderr)
		if code != cli.CodeError ||
			strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, and it says %q", args, code, stderr.String())
		}
	}
	folder := t.TempDir()
	old := filepath.Join(folder, "old.xml")
	if err := os.WriteFile(old, []byte("<testsuites/>"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(toys, toyScenarios, []string{"check", "toy/sorted", "--junit", old}, strings.NewReader(""), full{}, io.Discard)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the report of an earlier run, or an empty one, passes for the new one: %v", err)
	}
	if err := os.Mkdir(filepath.Join(folder, "toy-relay.InOrder.itf.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	args := []string{"check", "-q", "toy/relay", "--trace-dir", folder}
	code := run(toys, toyScenarios, args, strings.NewReader(""), &stdout, io.Discard)
	if code != cli.CodeError || !strings.Contains(stdout.String(), "writing the counterexample to InOrder") ||
		!strings.Contains(stdout.String(), "toy/relay: ERROR\n") {
		t.Errorf("a trace cannot be written: exit code %d, output\n%s", code, stdout.String())
	}
}

// TestFolders holds that a folder that cannot be used is refused before the first model.
func TestFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--trace-dir", "--temp-dir", "--checkpoint"} {
		for _, folder := range []string{file, filepath.Join(file, "in", "it")} {
			var stdout, stderr bytes.Buffer
			args := []string{"check", "toy/relay", flag, folder}
			code := run(toys, toyScenarios, args, strings.NewReader(""), &stdout, &stderr)
			want := fmt.Sprintf("canvass: %s %s: %s is not a folder; choose another one\n", flag, folder, file)
			if code != cli.CodeError || stdout.Len() > 0 || stderr.String() != want {
				t.Errorf("exit code %d, output %q, message %q, want %q", code, stdout.String(), stderr.String(), want)
			}
		}
	}
	unused := filepath.Join(t.TempDir(), "new", "folder")
	if err := cli.UsableFolder("trace-dir", unused); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(unused)); err == nil {
		t.Error("the probe leaves a folder behind")
	}
}

// TestQuiet holds that a check of all models in which every verdict is the expected one prints at
// most twelve lines: one for each family and one with the totals.
func TestQuiet(t *testing.T) {
	var systems []chosen
	for _, m := range catalog.All() {
		systems = append(systems, chosen{Checkable: m})
	}
	var b bytes.Buffer
	f := newFamilies(&b, systems)
	var all []*result
	for _, s := range systems {
		info := s.Info()
		r := &result{info: info, report: &checker.Report{Complete: true}}
		for _, e := range info.Expected {
			outcome := checker.Outcome{Property: checker.Property{Name: e.Property}, Verdict: checker.Violated}
			outcome.Property.Shape = checker.Always
			r.report.Outcomes = append(r.report.Outcomes, outcome)
			r.findings = append(r.findings, finding{Outcome: outcome, expected: e.Violated})
		}
		all = append(all, r)
		if err := f.result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.end(all); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 12 || !strings.Contains(b.String(), " fail as expected") {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 101 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space") }

// A fault that never happens is named under any budget. Only under the model's own is it a failure.
func TestAFaultThatNeverHappensIsNamed(t *testing.T) {
	never := "suspect never happens, although the budget allows it"
	for _, test := range []struct {
		complete, dead bool
		remarks        []string
	}{
		{true, false, []string{never}},
		{true, true, []string{"DEAD: " + never}},
		{false, false, nil}, // a check that stopped early does not know
	} {
		r := &result{report: &checker.Report{Complete: test.complete},
			coverage: &model.Coverage{Never: []string{never}}, dead: test.dead}
		if got := r.remarks(); !slices.Equal(got, test.remarks) || r.asExpected() == test.dead {
			t.Errorf("%+v: %q, as expected: %v", test, got, r.asExpected())
		}
	}
}
