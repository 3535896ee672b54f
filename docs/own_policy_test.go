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

// The reader of own-policy.md writes both programs down, types the commands, and gets one table
// twice: the two programs decide alike.
func TestOwnPolicy(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed (Debian package: python3)")
	}
	text, err := os.ReadFile("own-policy.md")
	require.NoError(t, err)
	programs := map[string]string{}
	for _, b := range fence.FindAllStringSubmatch(string(text), -1) {
		programs[b[2]] = b[4]
	}
	page := strings.ReplaceAll(string(text), "\\\n", "")
	typed := func(what string) string {
		command := regexp.MustCompile(`(?m)^\$ ` + what + `.*--over policy=easy,\S*mine.*$`).FindString(page)
		require.NotEmpty(t, command)
		return strings.TrimPrefix(command, "$ ")
	}
	dir := checkout(t)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))

	inPython := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(inPython, "mine.py"), []byte(programs["mine.py"]), 0o600))
	require.Contains(t, page, "\n$ chmod +x mine.py\n")
	first := table(t, inPython, "chmod +x mine.py && "+typed("canvass"))

	inGo := t.TempDir()
	main := filepath.Join(inGo, "main.go")
	require.NoError(t, os.WriteFile(main, []byte(programs["main.go"]), 0o600))
	command := strings.Replace(typed("go run"), "go run .", "go run "+main, 1)
	assert.Equal(t, first, table(t, ".", command))
	require.Len(t, first, 2)
	assert.NotEqual(t, first[0], first[1], "the policies differ")
}

// table runs a command and returns the numbers of its table, line by line.
func table(t *testing.T, dir, command string) [][]string {
	shell := exec.Command("sh", "-c", command)
	shell.Dir = dir
	var stderr strings.Builder
	shell.Stderr = &stderr
	out, err := shell.Output()
	require.NoError(t, err, "%s\n%s", command, stderr.String())
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "policy=") {
			rows = append(rows, strings.Fields(line)[1:])
		}
	}
	return rows
}
