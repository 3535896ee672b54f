package life

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// Lives that were fenced are counted by reason, also over restarts. A count that is damaged is
// lost, and nothing else.
func TestFencesAreCounted(t *testing.T) {
	folder := t.TempDir()
	read := func() *Fences { return ReadFences(folder, slog.New(slog.DiscardHandler)) }
	ended := New(nil)
	none := read().Former
	assert.Len(t, none, len(FenceReasons))
	assert.Zero(t, none[FenceWrite])
	n := read()
	n.Note(ended.Fenced(FenceWrite, "a write took too long"))
	assert.Zero(t, n.Former[FenceWrite], "this incarnation has not counted it")
	read().Note(nil)
	read().Note(errors.New("a disk is full"))
	n = read()
	n.Note(ended.Fenced(FenceWrite, ""))
	n = read()
	n.Note(fmt.Errorf("the store: %w", ErrFenced))
	got := read().Former
	assert.Equal(t, uint64(2), got[FenceWrite])
	assert.Equal(t, uint64(1), got[FenceOther])
	assert.Zero(t, got[FenceExpired])

	for _, damaged := range []string{`{"write": 7, "map": "x"`, `{"write": 7, "map": "x"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, disk.Fences), []byte(damaged), 0o600))
		assert.Equal(t, none, read().Former, "as if none had been counted")
	}
	n = read()
	n.Note(ended.Fenced(FenceMap, ""))
	assert.Equal(t, uint64(1), read().Former[FenceMap], "and it is counted from there on")
}
