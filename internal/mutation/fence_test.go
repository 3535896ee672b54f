package mutation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Tests that are fenced off see no process of the machine, and write into their own folder alone.
func TestTestsAreFencedOff(t *testing.T) {
	scratch, outside := t.TempDir(), t.TempDir()
	var log strings.Builder
	harmful := []Mutant{{Package: "daemon/runner"}, {Package: "daemon/jobs"}}
	if left := withoutHarm(harmful, scratch, &log); len(left) < len(harmful) {
		assert.Equal(t, harmful[1:], left)
		t.Skip(log.String())
	}
	script := `[ $$ -lt 10 ] && [ "$(ls /proc | grep -c '^[0-9]')" -lt 10 ] &&
		touch "$TMPDIR/inside" && ! touch "$0/outside"`
	out, err := fencedOff(scratch, "sh", "-c", script, outside).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.FileExists(t, filepath.Join(scratch, "inside"))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, left)
}
