package node_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/node"
)

// A task can write where its daemon keeps the output. What it puts there must not block the daemon,
// or show another file.
func TestOnlyAFileIsAnOutput(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "output", "A-1.stderr")
	secret := filepath.Join(folder, "secret")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(secret, []byte("a secret\n"), 0o600))

	require.NoError(t, os.WriteFile(file, []byte("first\nlast\n"), 0o600))
	assert.Equal(t, "first\nlast", node.LastLines(folder))
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Symlink(secret, file))
	assert.Empty(t, node.LastLines(folder))
	require.NoError(t, os.Remove(file))
	require.NoError(t, unix.Mkfifo(file, 0o600))
	assert.Empty(t, node.LastLines(folder)) // and it returns
}
