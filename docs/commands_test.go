package docs_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is the longest time that a command may take. A command that is still busy then has
// started, which is enough for this test; other tests check its result.
const patience = 4 * time.Second

// usage lists the exit codes of commands that failed to start: tool errors and usage errors.
var usage = []int{1, 2}

// placeholder is a word that the reader replaces.
var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b|…`)

// Every command of canvass that the README or a document shows as code runs as it is printed there.
// Blocks marked "text" are not commands. Lines with a placeholder, such as NAME, are left out.
func TestCommandsRun(t *testing.T) {
	dir := checkout(t)
	t.Setenv("CANVASS_SOCKET", grid(t, dir))
	seen := map[string]bool{}
	for _, file := range documents(t) {
		for _, command := range commands(t, file) {
			if seen[command] {
				continue
			}
			seen[command] = true
			t.Run(filepath.Base(file)+": "+command, func(t *testing.T) { runs(t, dir, command) })
		}
	}
	require.GreaterOrEqual(t, len(seen), 9, "commands found in the documents")
}

func documents(t *testing.T) []string {
	files := []string{"../README.md", "../CONTRIBUTING.md"}
	for _, pattern := range []string{"*.md", "protocols/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	return files
}

// commands lists the lines of code of a document that call canvass.
func commands(t *testing.T, file string) []string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var found []string
	fence := ""
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		trimmed := strings.TrimSpace(line)
		if mark, ok := strings.CutPrefix(trimmed, "```"); ok {
			if fence == "" {
				fence = "```" + mark
			} else {
				fence = ""
			}
			continue
		}
		code := fence == "```" || fence == "```sh" || fence == "" && strings.HasPrefix(line, "    ") ||
			fence == "```console" && strings.HasPrefix(line, "$ ")
		command := strings.TrimPrefix(strings.TrimPrefix(trimmed, "$ "), "bin/")
		if code && strings.HasPrefix(command, "canvass ") && !placeholder.MatchString(command) {
			found = append(found, strings.TrimSpace(command))
		}
	}
	return found
}

// checkout is a folder that looks like a fresh clone after "make build", and in which commands may
// write.
func checkout(t *testing.T) string {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{"traces", "docs", "examples", "go.mod", "go.sum"} {
		require.NoError(t, os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)))
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "canvass"), "./cmd/canvass")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return dir
}

func runs(t *testing.T, dir, command string) {
	if _, err := exec.LookPath("python3"); err != nil && strings.Contains(command, ".py") {
		t.Skip("python3 is not installed (Debian package: python3)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", "exec "+command)
	shell.Dir = dir
	shell.Env = append(os.Environ(),
		"PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GIT_DIR="+gitDir(t), "SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_TASK_COUNT=4")
	shell.WaitDelay = patience
	out, err := shell.CombinedOutput()
	if ctx.Err() != nil {
		return
	}
	if bytes.Contains(out, []byte("CANVASS_DATA")) {
		return // a log or latencies that every reader has to fetch
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && slices.Contains(usage, exit.ExitCode()) {
		t.Errorf("%s: exit code %d\n%s", command, exit.ExitCode(), out)
	} else if exit == nil && err != nil {
		t.Error(err)
	}
}

// grid runs a grid of daemons until the test ends, and returns the socket of one of them.
func grid(t *testing.T, dir string) string {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	folder := filepath.Join(t.TempDir(), "g")
	dev := exec.Command(filepath.Join(dir, "bin", "canvass"), "dev", "--nodes", "4", "--dir", folder)
	says, err := dev.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, dev.Start())
	t.Cleanup(func() {
		require.NoError(t, dev.Process.Signal(os.Interrupt))
		require.NoError(t, dev.Wait())
	})
	first, err := bufio.NewReader(says).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, first, "are ready")
	return filepath.Join(folder, "n1", "api.sock")
}

func gitDir(t *testing.T) string {
	dir, err := filepath.Abs("../.git")
	require.NoError(t, err)
	return dir
}

// The replay in the README prints the lines that stand below it. A line "…" stands for any number
// of them.
func TestReadmeReplay(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile(`(?s)\n\$ canvass (replay [^\n]+)\n(.*?)\n` + "```").FindStringSubmatch(string(text))
	require.NotNil(t, shown, "README.md shows a replay with its output")
	dir := checkout(t)
	replay := exec.Command(filepath.Join(dir, "bin", "canvass"), strings.Fields(shown[1])...)
	replay.Dir = dir
	out, err := replay.Output()
	require.NoError(t, err)
	printed, more := strings.Split(strings.TrimSpace(string(out)), "\n"), false
	for _, line := range strings.Split(shown[2], "\n") {
		if line == "…" {
			more = true
			continue
		}
		at := slices.Index(printed, line)
		require.True(t, at == 0 || at > 0 && more, "README.md shows %q; the replay prints %q there", line, printed)
		printed, more = printed[at+1:], false
	}
	require.Empty(t, printed, "the rest of the replay")
}

// The program in the README prints the output in the comments behind it.
func TestReadmeProgram(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	program := regexp.MustCompile("(?s)```go\n(.*?\n}\n)(// .*?)```").FindStringSubmatch(string(text))
	require.NotNil(t, program, "README.md shows a program with its output")
	want := strings.ReplaceAll(strings.ReplaceAll(program[2], "// ", ""), "//", "")
	require.Equal(t, want, run(t, "main.go", program[1]))
}
