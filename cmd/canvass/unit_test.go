package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// mismatched is a toy whose machine disagrees with its model.
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

// TestMachineMismatched finds the disagreement before an invalid trace is written.
func TestMachineMismatched(t *testing.T) {
	for text, machine := range map[string]func(toyMachine) traces.Machine{
		"do the checker and the machine disagree": func(m toyMachine) traces.Machine { return &narrow{m} },
		"the run does not prove its claim":        func(m toyMachine) traces.Machine { return &content{m} },
	} {
		models := func() []model.Checkable {
			system, err := check.Named(toys(), "bad/unsafe")
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

type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space") }
