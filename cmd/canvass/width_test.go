package main

import (
	"bytes"
	"io"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// everyCommand calls a function for each command and topic of the program.
func everyCommand(t *testing.T, f func(path []string, c *cobra.Command)) {
	tl := &tool{
		models: catalog.All, scenarios: scenarios.All, args: []string{"grid"},
		stdin: strings.NewReader(""), stdout: cli.NewOutput(io.Discard), stderr: cli.NewMessages(io.Discard),
	}
	count := 0
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		count++
		f(path, c)
		for _, below := range c.Commands() {
			visit(below, append(path[:len(path):len(path)], below.Name()))
		}
	}
	visit(tl.root(), nil)
	if count < 55 {
		t.Errorf("the program has %d commands: this looks at too few of them", count)
	}
}

// TestHelpFits holds that help fits 80 columns, all of it.
func TestHelpFits(t *testing.T) {
	everyCommand(t, func(path []string, _ *cobra.Command) {
		var out bytes.Buffer
		code := run(catalog.All, scenarios.All, append([]string{"help"}, path...), strings.NewReader(""), &out, io.Discard)
		if code != cli.CodeOK {
			t.Errorf("help %v: exit code %d", path, code)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help %v: %d columns: %s", path, n, line)
			}
		}
	})
}

// TestNoCommandLosesItsOutput holds that every command ends with 1 if its help cannot be written,
// and with 141 if nobody reads it; so do commands with results.
func TestNoCommandLosesItsOutput(t *testing.T) {
	lines := [][]string{
		{"version"}, {"--version"}, {"version", "--json"}, {"models"}, {"models", "--json"}, {"models", "-v"},
		{"simulate", "--list"}, {"simulate", "--list", "--json"}, {"grid", "list"}, {"grid", "list", "--json"},
		{"grid", "run", "--readings"}, {"completion", "bash"}, {"completion", "fish"}, {"completion", "zsh"}, {},
		{"grid", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs"},
		{"grid", "run", "-q", "--workload", "lublin:N=30,nodes=32", "--policy", "fcfs", "--json"},
		{"grid", "workload", "describe", "lublin:N=30,nodes=32"},
		{"check", "-q", "--trace-dir", "", "can/row2/join"}, {"check", "-q", "--trace-dir", "", "--json", "can/row2/join"},
	}
	everyCommand(t, func(path []string, _ *cobra.Command) {
		lines = append(lines, append(path[:len(path):len(path)], "--help"), append([]string{"help"}, path...))
	})
	for _, args := range lines {
		for _, test := range []struct {
			to   io.Writer
			code int
			said string
		}{
			{full{}, cli.CodeError, "canvass: cannot write to standard output: "},
			{closedPipe{}, cli.CodeClosed, ""},
		} {
			var said bytes.Buffer
			code := run(catalog.All, scenarios.All, args, strings.NewReader(""), test.to, &said)
			if code != test.code || !strings.HasPrefix(said.String(), test.said) || test.said == "" && said.Len() > 0 {
				t.Errorf("%v: exit code %d, want %d, and it says %q", args, code, test.code, said.String())
			}
		}
	}
}

// closedPipe is a pipe whose reader has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestNoArgumentReachesTheTerminalRaw feeds control characters and an end of line to every argument
// of every command.
func TestNoArgumentReachesTheTerminalRaw(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("CANVASS_SOCKET", "")
	const evil = "x\x1b]0;y\a\x1b[2J\ncanvass: forged\u009b\u202e"
	cases := 0
	try := func(args []string) {
		cases++
		var out, said bytes.Buffer
		code := run(catalog.All, scenarios.All, args, strings.NewReader(evil), &out, &said)
		for _, text := range []string{out.String(), said.String()} {
			if strings.ContainsAny(text, "\x1b\a\u009b\u202e") || strings.Contains(text, "\ncanvass: forged") {
				t.Errorf("%q: exit code %d, and it writes %q", args, code, text)
			}
		}
	}
	everyCommand(t, func(path []string, c *cobra.Command) {
		if !c.Runnable() || c.Name() == "dev" {
			return // dev takes no names but that of a folder, which it makes
		}
		try(append(path[:len(path):len(path)], evil))
		try(append(path[:len(path):len(path)], "--"+evil))
		c.Flags().VisitAll(func(f *pflag.Flag) {
			try(append(path[:len(path):len(path)], "--"+f.Name+"="+evil, evil))
		})
	})
	if cases < 300 {
		t.Errorf("only %d command lines were tried", cases)
	}
}
