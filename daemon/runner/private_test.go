package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/runner"
)

func private(t *testing.T, folder string, apart bool) []string {
	t.Helper()
	p := &runner.Private{Folder: folder, Is: identity.IsFolder, Apart: apart}
	require.NoError(t, p.Look())
	return p.Folders()
}

// Tasks must see neither the folder of their daemon, under any name, nor those of other daemons
// beside it.
func TestPrivateFolders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	for _, name := range []string{"a/node.key", "b/node.key", "c/other"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "d"), 0o700))
	require.NoError(t, os.Symlink("../a", filepath.Join(dir, "d", "link")))
	t.Chdir(dir)
	for _, name := range []string{"a", "./a", "d/link", filepath.Join(dir, "a")} {
		want := []string{name, filepath.Join(dir, "a"), filepath.Join(dir, "b")}
		require.ElementsMatch(t, want, private(t, name, false))
		require.NoError(t, os.Chmod(dir, 0o700))
		require.ElementsMatch(t, append(want, dir), private(t, name, true), "tasks of other users cannot pass it")
		require.NoError(t, os.Chmod(dir, 0o701))
		require.ElementsMatch(t, append(want, filepath.Join(dir, "a")), private(t, name, true))
	}
}

// Files that a job leaves beside the folder of its daemon are no private folders. If they look like
// many such folders, tasks are refused: each folder would be hidden from each task.
func TestManyFoldersBesideADaemon(t *testing.T) {
	dir := t.TempDir()
	for i := range 1100 {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, fmt.Sprint(i)), 0o700))
	}
	p := &runner.Private{Folder: filepath.Join(dir, "7"), Is: func(string) bool { return false }}
	require.NoError(t, p.Look())
	require.Len(t, p.Folders(), 1)
	p.Is = func(string) bool { return true }
	require.ErrorContains(t, p.Look(), "more than 1023 folders of daemons are beside "+p.Folder)
	require.Contains(t, p.Folders(), p.Folder)
}
