//go:build linux

package shim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

// Whatever the pieces of a stream, its file holds the first and the last half of the limit.
func TestOutputOfAnySize(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(2, 40).Draw(t, "limit")
		pieces := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 30), 0, 8).Draw(t, "pieces")
		lost := rapid.Bool().Draw(t, "lost")
		whole := bytes.Join(pieces, nil)
		file := filepath.Join(dir, "out")
		gap, err := shim.Output(file, limit, pieces, lost)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, left, 1)
		if int64(len(whole)) <= limit {
			assert.Equal(t, string(whole), string(got))
			assert.Zero(t, gap)
			return
		}
		assert.True(t, bytes.HasPrefix(got, whole[:limit-limit/2]))
		assert.True(t, bytes.HasSuffix(got, whole[int64(len(whole))-limit/2:]))
		assert.Contains(t, string(got), "missing here]\n")
		if !lost {
			assert.Equal(t, int64(len(whole))-limit, gap)
			assert.Contains(t, string(got), fmt.Sprintf(" %d bytes", gap))
		}
	})
}

// A runner that was interrupted while it completed a file can complete it again.
func TestOutputIsCompletedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.WriteFile(file, []byte("01234\n[canvass: outp"), 0o600))
	require.NoError(t, os.WriteFile(file+".0", []byte("56789"), 0o600))
	require.NoError(t, os.WriteFile(file+".1", []byte("abc"), 0o600))
	for range 2 {
		_, err := shim.FinishOutput(file, 10, -1)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "01234\n[canvass: output is missing here]\n89abc", string(got))
	}
}
