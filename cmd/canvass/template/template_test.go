package template_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/template"
)

// newModule writes the module into a new folder and lets it use this checkout.
func newModule(t *testing.T, module string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new")
	require.NoError(t, template.Write(dir, module))
	checkout, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	_, err = goTool(dir, "mod", "edit", "-replace=github.com/canvass-grid/canvass="+checkout)
	require.NoError(t, err)
	return dir
}

// goTool runs the go command in a folder, without a network.
func goTool(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var fence = regexp.MustCompile("(?ms)^```go (was|is)\n(.*?)^```$")

// The new module compiles. Its test finds the planted bug, and passes once the README was followed.
func TestTheNewModuleFindsItsBug(t *testing.T) {
	dir := newModule(t, "example.org/teller")
	out, err := goTool(dir, "vet", "./...")
	require.NoError(t, err, out)
	out, err = goTool(dir, "test", "./...")
	require.Error(t, err, "the bug was not found")
	assert.Contains(t, out, "PaidOnce (always): violated")
	for _, step := range []string{"command A", "deliver A->B", "drop B->A", "timeout A", "deliver A->B"} {
		assert.Contains(t, out, step)
	}

	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	blocks := fence.FindAllStringSubmatch(string(readme), -1)
	require.Len(t, blocks, 2)
	core, err := os.ReadFile(filepath.Join(dir, "core.go"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(core), blocks[0][2]))
	mended := strings.Replace(string(core), blocks[0][2], blocks[1][2], 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "core.go"), []byte(mended), 0o600))
	out, err = goTool(dir, "test", "-v", "./...")
	require.NoError(t, err, out)
	assert.Contains(t, out, "ok  \texample.org/teller")
	assert.Contains(t, out, "states")
}

// The module has its own name, and needs the same Go as this one.
func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "folder")
	require.NoError(t, template.Write(dir, "example.org/go-teller/v2"))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	ours, err := os.ReadFile(filepath.Join("..", "..", "..", "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(mod), "module example.org/go-teller/v2\n")
	version := regexp.MustCompile(`(?m)^go .*$`)
	assert.Equal(t, version.FindString(string(ours)), version.FindString(string(mod)))
	var written []string
	require.NoError(t, filepath.WalkDir(dir, func(p string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			text, err := os.ReadFile(p)
			require.NoError(t, err)
			assert.NotRegexp(t, `(?i)package payments|"payments"|/payments|# payments`, string(text), p)
			written = append(written, strings.TrimPrefix(filepath.ToSlash(p), filepath.ToSlash(dir)+"/"))
		}
		return err
	}))
	assert.Equal(
		t,
		[]string{".github/workflows/check.yml", "README.md", "core.go", "go.mod", "model.go", "model_test.go"},
		written,
	)
	core, err := os.ReadFile(filepath.Join(dir, "core.go"))
	require.NoError(t, err)
	assert.Contains(t, string(core), "\npackage goteller\n")
}

func TestNothingIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, template.Write(dir, "example.org/one"))
	assert.ErrorContains(t, template.Write(dir, "example.org/two"), "is not empty; choose another one")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(mod), "module example.org/one\n")
	file := filepath.Join(dir, "go.mod")
	assert.Error(t, template.Write(file, "example.org/two"), "a file is no folder")
}

func TestImpossibleModules(t *testing.T) {
	for _, module := range []string{
		"", "/", "a b", "example.org/", "example.org/9", "example.org/func", "../up", "main", "x/-",
	} {
		dir := filepath.Join(t.TempDir(), "new")
		require.ErrorIs(t, template.Write(dir, module), template.ErrModule, module)
		_, err := os.Stat(dir)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	for module, name := range map[string]string{"mutex": "mutex", "example.org/My-Lock/v3": "mylock", "a.b/c.d": "cd"} {
		got, err := template.PackageName(module)
		require.NoError(t, err)
		assert.Equal(t, name, got)
	}
}
