package fileio

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func names(t *testing.T, folder string) []string {
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	all := []string{}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func contents(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// A disk that is full after a few bytes leaves the old file, or none, and nothing else.
func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	full := func(w io.Writer) error {
		_, err := io.WriteString(w, "half of")
		return errors.Join(err, syscall.ENOSPC)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "report.xml")
	require.ErrorIs(t, Write(path, full), syscall.ENOSPC)
	assert.Empty(t, names(t, folder))

	require.NoError(t, WriteText(path, []byte("old")))
	require.ErrorIs(t, Write(path, full), syscall.ENOSPC)
	assert.Equal(t, "old", contents(t, path))
	assert.Equal(t, []string{"report.xml"}, names(t, folder))

	require.NoError(t, os.Chmod(path, 0o640))
	require.NoError(t, WriteText(path, []byte("new")))
	assert.Equal(t, "new", contents(t, path))
	about, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), about.Mode(), "permissions stay")
}

// The error names the file that the user named, not the temporary one.
func TestAnErrorNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "page.html")
	err := WriteText(path, nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.EqualError(t, err, "write "+path+": no such file or directory")
	folder := t.TempDir()
	assert.ErrorContains(t, WriteText(folder, nil), "write "+folder+": ")
}

// A device is written to and stays; a symbolic link stays too.
func TestWhatIsNoFileStays(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	require.ErrorIs(t, WriteText("/dev/full", []byte("text")), syscall.ENOSPC)
	about, err := os.Stat("/dev/full")
	require.NoError(t, err)
	require.NotZero(t, about.Mode()&os.ModeCharDevice)

	folder := t.TempDir()
	path, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	require.NoError(t, WriteText(path, []byte("old")))
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, WriteText(link, []byte("new")))
	assert.Equal(t, "new", contents(t, path))
	assert.Equal(t, []string{"file", "link"}, names(t, folder))
}

// The file of a dead process is removed; those of a live one, of other files and of users stay.
func TestStaleFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "ck")
	live, err := create(path, 0o666)
	require.NoError(t, err)
	defer live.Close()
	dead, err := create(path, 0o666)
	require.NoError(t, err)
	require.NoError(t, dead.Close()) // as the end of its process does
	others := []string{".ck.0123456789abcdef.partial2", ".ck.0123.partial", ".ck.0123456789ABCDEF.partial",
		".ck2.0123456789abcdef.partial", "ck.0123456789abcdef.partial", "ck.123456"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	require.NoError(t, WriteText(path, []byte("new")))
	assert.ElementsMatch(t, append(others, "ck", filepath.Base(live.Name())), names(t, folder))
	Sweep(filepath.Join(folder, "none", "ck")) // of a folder that does not exist
}

// Writers and sweepers at the same time do not disturb each other.
func TestWritersDoNotRemoveEachOthersFiles(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "ck")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				assert.NoError(t, WriteText(path, []byte("whole")))
			}
		})
		all.Go(func() {
			for range 200 {
				Sweep(path)
			}
		})
	}
	all.Wait()
	assert.Equal(t, "whole", contents(t, path))
	assert.Equal(t, []string{"ck"}, names(t, folder))
}

// A file is ready if it can be written in the end. The folder is made; the file is not touched.
func TestReady(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	for path, want := range map[string]string{
		filepath.Join(folder, "page.htm"):      "its name must end in .html or .svg",
		filepath.Join(file, "page.html"):       file + " is not a folder",
		filepath.Join(file, "in", "it.html"):   file + " is not a folder",
		filepath.Join(folder, "a", "b", "svg"): "its name must end in .html or .svg",
	} {
		assert.EqualError(t, Ready(path, ".html", ".svg"), want)
	}
	assert.EqualError(t, Ready(folder), "it is a folder")
	assert.NoDirExists(t, filepath.Join(folder, "a"))

	inNew := filepath.Join(folder, "new", "folder", "page.html")
	require.NoError(t, Ready(inNew, ".html"))
	left, err := os.ReadDir(filepath.Dir(inNew))
	require.NoError(t, err)
	assert.Empty(t, left)
	require.NoError(t, Ready(file))
	assert.FileExists(t, file)
	require.NoError(t, Ready(os.DevNull, ".html"))
}
