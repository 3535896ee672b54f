package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var rewrite = flag.Bool("rewrite", false, "write what the commands print into the scripts; read the difference")

// TestMain lets the test binary stand in for the command, with toys for models.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"canvass": func() { os.Exit(run(toys, toyScenarios, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command as users do. Each script under testdata/script is one behaviour.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *rewrite,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "CANVASS_PANIC",
				"CANVASS_DATA"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"mask":      mask,
			"replace":   replace,
		},
	})
}

// exits runs a command and demands its exit code: exits 12 canvass check x. The output of the
// command goes to the files stdout.txt and stderr.txt, masked.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGUMENT...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); asExit(err, &exit) {
		code = exit.ExitCode()
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), masked(ts.ReadFile("stdout")), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), masked(ts.ReadFile("stderr")), 0o666))
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func asExit(err error, exit **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*exit = e
	return ok
}

// masks hides what differs from run to run: times, rates, versions.
var masks = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(` +\d+\.\d\d +[\d,]+\n`), "  T  R\n"},
	{regexp.MustCompile(`"messages_per_second":[-+.e\d]+`), `"messages_per_second":0`},
	{regexp.MustCompile(` +\d+\.\d\d s( of work)?\n`), " T s$1\n"},
	{regexp.MustCompile(`\d+\.\d\d s( of work)?\)`), "T s$1)"},
	{regexp.MustCompile(`\| \d+\.\d\d \|`), "| T |"},
	{regexp.MustCompile(`"(seconds|states_per_second|bytes_per_state)":[-+.e\d]+`), `"$1":0`},
	{regexp.MustCompile(`time="[.\d]+"`), `time="T"`},
	{regexp.MustCompile(`"commit":"[^"]*"`), `"commit":"C"`},
	{regexp.MustCompile(`commit=\S+ go\S+`), "commit=C goV"},
	{regexp.MustCompile(`commit [^\s,;)]+`), "commit C"},
	{regexp.MustCompile(`\bgo1\.\S+`), "goV"},
	{regexp.MustCompile(`workers \d+`), "workers N"},
	{regexp.MustCompile(`memory [\d,]+ .iB`), "memory M"},
}

func masked(text string) []byte {
	for _, m := range masks {
		text = m.pattern.ReplaceAllString(text, m.by)
	}
	return []byte(text)
}

// mask masks files in place.
func mask(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		ts.Check(os.WriteFile(ts.MkAbs(name), masked(ts.ReadFile(name)), 0o666))
	}
}

// replace replaces a text in a file: replace FILE OLD NEW. The text must be there.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o666))
}

// interrupt starts a command, waits for its first diagnostics, interrupts it and demands its exit
// code.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt CODE COMMAND ARGUMENT...")
	}
	path, err := lookPath(ts, args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	reader := bufio.NewReader(pipe)
	first, err := reader.ReadString('\n')
	ts.Check(err)
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(reader)
	ts.Check(err)
	code := 0
	if exit := (*exec.ExitError)(nil); asExit(cmd.Wait(), &exit) {
		code = exit.ExitCode()
	}
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), masked(stdout.String()), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), masked(first+string(rest)), 0o666))
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s; diagnostics %s", code, args[0], rest)
	}
}

func lookPath(ts *testscript.TestScript, name string) (string, error) {
	for _, folder := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not in the PATH", name)
}
