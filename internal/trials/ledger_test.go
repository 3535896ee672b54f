package trials_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/trials"
)

// read reads a ledger of some lines.
func read(t *testing.T, lines string) trials.Ledger {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(file, []byte(lines), 0o600))
	l, err := trials.ReadLedger(file)
	require.NoError(t, err)
	return l
}

func TestALedgerShowsJobsThatRanTwice(t *testing.T) {
	good := read(t, "start j A-1 0 1 A 10\nbeat j A-1 0 1 A 20\nstart j B-1 0 1 B 30\nend j B-1 0 1 B 40\n"+
		"start k A-2 0 1 A 13\nbeat k A-2 0 1 A 15\nbeat k A-2 0 1 A 15.5\nbeat k A-")
	assert.Equal(t, []string{"j", "k"}, good.Jobs())
	assert.Empty(t, good.Overlaps("j", nil))
	assert.Equal(t, 2, good.Ranks())
	assert.Len(t, good.Runs, 3)
	assert.True(t, good.Runs[1].Ended)
	assert.False(t, good.Runs[0].Ended)
	assert.Equal(t, 2, good.MostAtOnce())
	assert.Greater(t, good.LastBeat(), time.Second)

	bad := read(t, "start j A-1 0 1 A 10\nstart j B-1 0 1 B 15\nbeat j A-1 0 1 A 20\nbeat j B-1 0 1 B 40\n")
	require.Len(t, bad.Overlaps("j", nil), 1)
	assert.Contains(t, bad.Overlaps("j", nil)[0], "attempt B-1 began at 15µs, and A-1 ran until 20µs")
	assert.Empty(t, bad.Overlaps("j", func(r *trials.Run, begun time.Duration) bool {
		return r.Host == "A" && begun == 15*time.Microsecond
	}))
	twice := read(t, "start j A-1 0 1 A 10\nstart j A-1 0 1 A 15\n")
	assert.Contains(t, strings.Join(twice.Overlaps("j", nil), ""), "started 2 times")
}

// Only a demand that is not met ends a trial.
func TestADemandEndsATrial(t *testing.T) {
	program, err := os.Executable() // it is only copied
	require.NoError(t, err)
	folder, steps := "", 0
	err = trials.Try(t.Context(), program, func(trial *trials.Trial) {
		folder = trial.Folder
		trial.Demand(true, "holds")
		assert.Equal(t, "x", trial.Must("echo x"))
		assert.Equal(t, 3, trial.Sh("exit 3").Code)
		require.Error(t, trial.Attempt(func() { trial.Must("false") }))
		require.NoError(t, os.WriteFile(trial.Ledger, []byte("start j A-1 0 1 A 10\nstart j A-1 0 1 A 15\n"), 0o600))
		steps++
		trial.OnceAtATime()
		steps++
	})
	require.ErrorContains(t, err, "started 2 times")
	assert.Equal(t, 1, steps)
	assert.NoDirExists(t, folder)
	assert.Panics(t, func() { _ = trials.Try(t.Context(), program, func(*trials.Trial) { panic("a mistake") }) })
}
