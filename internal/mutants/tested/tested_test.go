package tested_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutants/tested"
)

// few is how many mutants are tried unless more are chosen.
const few = 2

func chosen(t *testing.T) []tested.Mutant {
	t.Helper()
	some, err := mutants.Chosen(tested.All(), few)
	require.NoError(t, err)
	if len(some) == 0 {
		t.Skip("no mutant is tried: " + mutants.Choice + " chooses none")
	}
	return some
}

// goTest runs tests of a package, each within [tested.Limit], with an overlay unless that is empty.
func goTest(t *testing.T, overlay, pkg string, names ...string) (output string, passed bool) {
	t.Helper()
	pattern := "^(" + strings.Join(names, "|") + ")$"
	limit := tested.Limit * time.Duration(len(names))
	args := []string{"test", "-count=1", "-timeout", limit.String(), "-run", pattern}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // to compile, and then to run
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", append(args, "-v", pkg)...)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "RAPID_SHRINKTIME=1ms", "RAPID_NOFAILFILE=true") // that it fails is enough
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return dir
}

// Each mutant makes its test fail.
func TestMutants(t *testing.T) {
	for _, m := range chosen(t) {
		t.Run(m.Name, func(t *testing.T) {
			overlay, err := mutants.Overlay(m.Name, root(t), m.File, m.Old, m.New, t.TempDir())
			require.NoError(t, err)
			output, passed := goTest(t, overlay, m.Package(), m.Test)
			assert.False(t, passed, "%s does not notice it (%s)", m.Test, m.Why)
			assert.Contains(t, output, "--- FAIL: "+m.Test)
		})
	}
}

// The tests that notice mutants pass on the code as it is.
func TestUnmutated(t *testing.T) {
	names := map[string][]string{}
	for _, m := range chosen(t) {
		if !slices.Contains(names[m.Package()], m.Test) {
			names[m.Package()] = append(names[m.Package()], m.Test)
		}
	}
	for pkg, tests := range names {
		output, passed := goTest(t, "", pkg, tests...)
		assert.True(t, passed, output)
		for _, name := range tests {
			assert.Contains(t, output, "--- PASS: "+name)
		}
	}
}

// Each mutant fits the code, and has a name, a reason and a test of its own choice.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, m := range tested.All() {
		assert.False(t, names[m.Name], "two mutants are named %s", m.Name)
		names[m.Name] = true
		assert.NotEmpty(t, m.Why, m.Name)
		assert.NotEmpty(t, m.Test, m.Name)
		_, err := mutants.Overlay(m.Name, root(t), m.File, m.Old, m.New, t.TempDir())
		require.NoError(t, err)
	}
	for _, wanted := range []string{
		"fcfs-ideal-ignores-capability", "easy-shadow-from-actual", "easy-extra-not-consumed",
		"conservative-no-compression", "bsld-without-bound", "window-off-by-one", "compress-scales-runs",
		"overlap-no-wrap", "disjoint-drops-remainder",
	} {
		assert.True(t, names[wanted], "there is no mutant %s", wanted)
	}
}
