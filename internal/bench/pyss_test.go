package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of six jobs, one is usual and one ran longer than requested: pyss exchanges the two times. One
// did not run, and one had no processors: pyss lets both run and request a second. Two have no
// requested time: pyss ends them after a second.
func TestAsPyssReads(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "log.swf"), filepath.Join(t.TempDir(), "read.swf")
	require.NoError(t, os.WriteFile(from, []byte("; MaxProcs: 8\n"+
		"1 0 0 50 2 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1\n"+
		"2 0 0 90 2 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1\n"+
		"3 0 0 0 2 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1\n"+
		"4 0 0 50 0 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1\n"+
		"5 0 0 50 2 -1 -1 2 -1 -1 1 1 1 -1 1 1 -1 -1\n"+
		"6 0 0 50 2 -1 -1 2 0 -1 1 1 1 -1 1 1 -1 -1\n"), 0o600))
	require.NoError(t, asPyssReads(from, to))
	text, err := os.ReadFile(to)
	require.NoError(t, err)
	assert.Equal(t, "; MaxProcs: 8\n"+
		"1 0 0 50 2 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1\n"+
		"2 0 0 60 2 -1 -1 2 90 -1 1 1 1 -1 1 1 -1 -1\n"+
		"3 0 0 1 2 -1 -1 2 1 -1 1 1 1 -1 1 1 -1 -1\n"+
		"4 0 0 1 0 -1 -1 2 1 -1 1 1 1 -1 1 1 -1 -1\n"+
		"5 0 0 1 2 -1 -1 2 50 -1 1 1 1 -1 1 1 -1 -1\n"+
		"6 0 0 1 2 -1 -1 2 50 -1 1 1 1 -1 1 1 -1 -1\n", string(text))
}
