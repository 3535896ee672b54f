package trash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/trash"
)

// asNobody runs a test as a user to which file modes apply, if it is root.
func asNobody(t *testing.T) (folder string) {
	folder = t.TempDir()
	if os.Getuid() != 0 {
		return folder
	}
	const nobody = 65534
	for up := folder; up != os.TempDir(); up = filepath.Dir(up) {
		require.NoError(t, os.Chmod(up, 0o755))
	}
	require.NoError(t, os.Chown(folder, nobody, nobody))
	runtime.LockOSThread() // for good: the thread ends with the test
	require.NoError(t, unix.Setfsuid(nobody))
	t.Cleanup(func() { _ = unix.Setfsuid(0) }) // before the folder is removed, on the same thread
	return folder
}

// leave makes what a job may leave: folders without permission to enter or change, a deep one, many
// files, and a link to something else, which stays.
func leave(t *testing.T, name, elsewhere string) {
	for _, mode := range []os.FileMode{0, 0o100, 0o400, 0o500, 0o700} {
		dir := filepath.Join(name, fmt.Sprintf("mode-%o", mode), "e")
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0))
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, "link")))
		require.NoError(t, os.Chmod(dir, mode))
		require.NoError(t, os.Chmod(filepath.Dir(dir), mode))
	}
	for i := range 1000 {
		require.NoError(t, os.WriteFile(filepath.Join(name, fmt.Sprint(i)), nil, 0o600))
	}
	deep := strings.Repeat("deep/", 250)
	root, err := os.OpenRoot(name)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, root.MkdirAll(deep[:len("deep/")*250], 0o700))
	at, err := root.OpenRoot(deep[:len("deep/")*250])
	require.NoError(t, err)
	defer at.Close()
	require.NoError(t, at.MkdirAll(deep[:len("deep/")*250], 0o700))
	require.NoError(t, os.Chmod(name, 0))
}

func TestAllGoesThatAJobLeaves(t *testing.T) {
	folder := asNobody(t)
	elsewhere := filepath.Join(folder, "elsewhere")
	require.NoError(t, os.Mkdir(elsewhere, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "mine"), nil, 0o600))
	left := filepath.Join(folder, "left")
	leave(t, left, elsewhere)
	require.NoError(t, trash.Remove(left))
	assert.NoFileExists(t, left)
	assert.FileExists(t, filepath.Join(elsewhere, "mine"))
	require.NoError(t, trash.Remove(left)) // it is not there
	require.NoError(t, trash.Remove(filepath.Join(elsewhere, "mine")))
}

// A dropped folder is gone for its owner at once, and from the disk soon. The remains of a former
// bin go, too.
func TestADroppedFolderGoes(t *testing.T) {
	folder := t.TempDir()
	bin := filepath.Join(folder, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(bin, "of", "before"), 0o700))
	leave(t, filepath.Join(folder, "left"), folder)
	b, err := trash.Open(bin, func(name string, err error) { t.Errorf("%s stays: %v", name, err) })
	require.NoError(t, err)
	defer b.Close()
	require.NoError(t, b.Drop(filepath.Join(folder, "left")))
	assert.NoFileExists(t, filepath.Join(folder, "left"))
	require.NoError(t, b.Drop(filepath.Join(folder, "left")))
	require.Eventually(t, func() bool {
		some, err := os.ReadDir(bin)
		return err == nil && len(some) == 0
	}, time.Minute, time.Millisecond)
}

// Who drops something does not wait for a disk that takes its time.
func TestDropWaitsForNoRemoval(t *testing.T) {
	folder := t.TempDir()
	b, release := trash.Stuck(t, filepath.Join(folder, "bin"))
	for i := range 100 {
		name := filepath.Join(folder, fmt.Sprint(i))
		require.NoError(t, os.Mkdir(name, 0o700))
		require.NoError(t, b.Drop(name)) // and returns
	}
	release()
	b.Close()
}

// A name that cannot be removed is reported once, and the rest goes.
func TestWhatStaysIsReported(t *testing.T) {
	folder := asNobody(t)
	stuck := filepath.Join(folder, "left", "stuck")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "left", "goes"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(stuck, "in"), 0o700))
	if os.Getuid() == 0 {
		require.NoError(t, unix.Setfsuid(0))
		require.NoError(t, os.Chown(stuck, 0, 0))
		require.NoError(t, os.Chmod(stuck, 0o755))
		require.NoError(t, unix.Setfsuid(65534))
		require.ErrorIs(t, trash.Remove(filepath.Join(folder, "left")), os.ErrPermission)
		assert.NoFileExists(t, filepath.Join(folder, "left", "goes"))
	}
}
