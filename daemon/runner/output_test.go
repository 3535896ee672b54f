//go:build linux

package runner_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// OutputKept: head and tail are kept, and the gap is marked.
func TestOutputLimit(t *testing.T) {
	r := open(t, runner.PIDNamespace)
	for _, c := range []struct {
		script  string
		limit   int64
		out     string
		dropped int64
	}{
		{"echo -n 0123456789", 0, "0123456789", 0},
		{"echo -n 0123456789", 10, "0123456789", 0},
		{"echo -n 0123456789ab", 10, "01234\n[canvass: 2 bytes of output are missing here]\n789ab", 2},
		{"seq 100", 8, "1\n2\n\n[canvass: 284 bytes of output are missing here]\n100\n", 284},
		{"seq 100", 2, "1\n[canvass: 290 bytes of output are missing here]\n\n", 290},
	} {
		e, out, _ := run(t, r, runner.Task{Command: sh(c.script), OutputLimit: c.limit})
		assert.Equal(t, runner.Exit{Dropped: c.dropped}, e)
		assert.Equal(t, c.out, out, c.script)
	}
}

// A task that puts a named pipe in place of its output ends like any other.
func TestATaskThatReplacesItsOutputEnds(t *testing.T) {
	r := open(t, runner.PIDNamespace)
	out := filepath.Join(t.TempDir(), "out")
	p, err := r.Start(runner.Task{Command: sh("rm $OUT; mkfifo $OUT; exit 3"), Env: []string{"OUT=" + out}, Stdout: out})
	require.NoError(t, err)
	select {
	case e := <-p.Done():
		assert.Equal(t, 3, e.Code)
	case <-time.After(30 * time.Second):
		require.Fail(t, "it has not ended")
	}
}

// If the disk is full, output is lost, and so the task counts as lost.
func TestOutputOnFullDisk(t *testing.T) {
	r := open(t, runner.PIDNamespace)
	p, err := r.Start(runner.Task{Command: sh("seq 100000; exit 3"), Dir: "/", Stdout: "/dev/full"})
	require.NoError(t, err)
	e := exit(t, p)
	assert.Equal(t, 3, e.Code)
	assert.Positive(t, e.Dropped)
	assert.True(t, e.Lost)
	assert.Equal(t, "keep its output: no space left on device", e.Error)
}

// A task that writes much is not slowed down by anything but its files.
func TestLongOutput(t *testing.T) {
	r := open(t, runner.PIDNamespace)
	e, out, stderr := run(t, r, runner.Task{
		Command: sh("head -c 20000000 /dev/zero; head -c 300 /dev/zero >&2"), OutputLimit: 1 << 20,
	})
	assert.Equal(t, runner.Exit{Dropped: 20000000 - 1<<20}, e)
	assert.Equal(t, 1<<20, strings.Count(out, "\x00"))
	assert.Len(t, stderr, 300)
}
