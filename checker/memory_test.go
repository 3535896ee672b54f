package checker_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/share"
)

// A check uses at least nine tenths of the limit before it gives up, and never exceeds it.
func TestTheMemoryLimitIsUsedAndKept(t *testing.T) {
	for s := checker.Exact; s <= checker.Fingerprint128; s++ {
		for _, m := range []checker.Model{newTwoPhase(8), carousel{phases: 9}} {
			const limit = 8 << 20
			o := checker.Options{Storage: s, MemoryLimitBytes: limit, ContinueAfterViolation: true}
			r := check(t, m, o)
			require.Equal(t, checker.StoppedByMemory, r.Stopped, s)
			assert.Equal(t, checker.Inconclusive, r.Outcomes[0].Verdict)
			assert.LessOrEqual(t, r.MemoryBytes, uint64(limit), s)
			assert.GreaterOrEqual(t, r.MemoryBytes, uint64(limit*9/10), s)
		}
	}
}

// requireSameFindings compares verdicts and paths. The number of cases until a violation was found
// depends on the size of the rounds, hence on the limit.
func requireSameFindings(t *testing.T, want, got *checker.Report) {
	t.Helper()
	for i, o := range want.Outcomes {
		require.Equal(t, o.Verdict, got.Outcomes[i].Verdict)
		require.Equal(t, o.Path, got.Outcomes[i].Path)
	}
}

// States that the search is done with go to disk, and come back for paths and for liveness.
func TestWhatDoesNotFitGoesToDisk(t *testing.T) {
	roomy := check(t, newTwoPhase(7), everything)
	assert.Zero(t, roomy.DiskBytes, "there is no need")
	tight := everything
	tight.MemoryLimitBytes, tight.TempDir = 12<<20, t.TempDir()
	r := check(t, newTwoPhase(7), tight)
	assert.Greater(t, r.DiskBytes, uint64(500_000))
	assert.Less(t, r.BytesPerState, roomy.BytesPerState)
	requireSameFindings(t, roomy, r)
	left, err := os.ReadDir(tight.TempDir)
	require.NoError(t, err)
	assert.Empty(t, left)
	tight.TempDir = filepath.Join(t.TempDir(), "none")
	r = check(t, newTwoPhase(7), tight)
	assert.Zero(t, r.DiskBytes, "there is no such folder")
	requireSameFindings(t, roomy, r)
}

func TestLivenessReadsStatesBackFromDisk(t *testing.T) {
	m := counter(200_000, nil)
	r := check(t, m, checker.Options{MemoryLimitBytes: 80 << 20})
	assert.Equal(t, checker.Holds, r.Verdict())
	full := check(t, counter(200_000, nil), checker.Options{MemoryLimitBytes: 1 << 20})
	assert.Equal(t, checker.StoppedByMemory, full.Stopped)
}

// A state takes at most sixteen bytes of memory, including all buffers, once there are enough
// states.
func TestAStateTakesSixteenBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("ten million states")
	}
	some, err := share.Of([]checker.Storage{checker.Exact, checker.Fingerprint64})
	require.NoError(t, err)
	for _, s := range some {
		r := check(t, newTwoPhase(9), checker.Options{Storage: s, ContinueAfterViolation: true})
		require.EqualValues(t, 10_340_352, r.States)
		require.EqualValues(t, 123_558_401, r.Transitions)
		assert.LessOrEqual(t, float64(r.MemoryBytes)/float64(r.States), 16.0, s)
		assert.Len(t, outcome(t, r, "commits").Path.Steps, 3*9+2)
	}
}
