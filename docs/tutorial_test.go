// Package docs_test runs the programs of the documents in this folder.
package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var fence = regexp.MustCompile("(?ms)^```(\\w+) (\\S+)(?: (was|is))?\n(.*?)^```$")

// The reader of the tutorial writes the programs down, changes them as told, and sees what is
// printed there.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("tutorial.md")
	require.NoError(t, err)
	blocks := fence.FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, blocks)
	programs, was := map[string]string{}, ""
	ran := 0
	for _, b := range blocks {
		language, name, role, body := b[1], b[2], b[3], b[4]
		switch {
		case language == "text":
			assert.Equal(t, body, run(t, name, programs[name]))
			ran++
		case role == "was":
			was = strings.TrimRight(body, "\n")
			require.Equal(t, 1, strings.Count(programs[name], was), "%s must have one place that reads:\n%s", name, was)
		case role == "is":
			programs[name] = strings.Replace(programs[name], was, strings.TrimRight(body, "\n"), 1)
		default:
			programs[name] = body
		}
	}
	assert.Equal(t, 6, ran)
	assert.Contains(t, goTool(t, programs, "test", "lease.go", "lease_test.go"), "ok")
}

// run runs a program as one of this module.
func run(t *testing.T, name, source string) string {
	t.Helper()
	return goTool(t, map[string]string{name: source}, "run", name)
}

// goTool writes programs down and has the go command do something with some of them.
func goTool(t *testing.T, programs map[string]string, verb string, names ...string) string {
	t.Helper()
	dir, args := t.TempDir(), []string{verb}
	for _, name := range names {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(programs[name]), 0o600))
		args = append(args, file)
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}
