package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// smallDisk is a folder on a separate disk of 16 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=16m,nr_inodes=2000"); err != nil {
		t.Skip("a small disk needs the right to mount one: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(folder, 0)) })
	return folder
}

// fill takes all that is left of a disk.
func fill(t *testing.T, folder, name string) {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, name))
	require.NoError(t, err)
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
	require.NoError(t, f.Close())
}

func putOne(s *disk.Store, size int) error {
	return s.Commit(disk.Put{Bucket: disk.Jobs, Key: []byte("a"), Value: make([]byte, size)})
}

// A store on a disk that becomes full goes on with its ballast, and fails with a remedy when that
// is used up.
func TestAStoreOnAFullDiskGoesOn(t *testing.T) {
	folder := smallDisk(t)
	s := open(t, folder)
	require.NoError(t, disk.Reserve(folder))
	require.NoError(t, os.Mkdir(filepath.Join(folder, disk.Outputs), 0o700))
	fill(t, folder, "output/A-1.stdout")
	require.True(t, disk.Scarce(folder))
	require.NoError(t, putOne(s, 100<<10))
	assert.NoDirExists(t, filepath.Join(folder, "ballast"))
	require.ErrorIs(t, disk.Low(folder), disk.ErrLow)

	fill(t, folder, "output/A-2.stdout")
	err := putOne(s, 900<<10)
	require.ErrorIs(t, err, disk.ErrStorage)
	assert.ErrorContains(t, err, "no space left on device; free space there (the files in "+
		filepath.Join(folder, "output")+", 1")
	assert.ErrorContains(t, err, "KiB of task output, may be deleted) and start the daemon again")
}

// A store is opened on a full disk, and can be written, since its ballast is given up.
func TestAStoreOpensOnAFullDisk(t *testing.T) {
	folder := smallDisk(t)
	s, err := disk.Open(folder)
	require.NoError(t, err)
	require.NoError(t, disk.Reserve(folder))
	require.NoError(t, s.Close())
	fill(t, folder, "filler")

	s = open(t, folder)
	require.NoError(t, putOne(s, 100<<10))
	require.NoError(t, disk.Reserve(folder)) // there is no space for it
	assert.NoDirExists(t, filepath.Join(folder, "ballast"))
}

// Inodes can be used up, too. The ballast is several of them.
func TestADiskWithoutInodes(t *testing.T) {
	folder := smallDisk(t)
	s := open(t, folder)
	require.NoError(t, disk.Reserve(folder))
	require.NoError(t, disk.Low(folder))
	for i := 0; ; i++ {
		err := os.WriteFile(filepath.Join(folder, "f"+time.Duration(i).String()), nil, 0o600)
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
		require.NoError(t, err)
	}
	require.ErrorContains(t, disk.Low(folder), "disk-low: 0 inodes are left on the disk of "+folder)
	require.True(t, disk.Scarce(folder))
	was, err := disk.Release(folder)
	require.NoError(t, err)
	require.True(t, was)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "one more"), nil, 0o600))
	require.NoError(t, putOne(s, 100))
}

// On a disk that is low the oldest outputs go first, as many as are needed, and none that is kept.
func TestOutputsThatAreOldGoFirst(t *testing.T) {
	folder := smallDisk(t)
	outputs := filepath.Join(folder, disk.Outputs)
	require.NoError(t, os.Mkdir(outputs, 0o700))
	for age, name := range []string{"young", "old", "running", "oldest"} {
		file := filepath.Join(outputs, name)
		require.NoError(t, os.WriteFile(file, make([]byte, 2<<20), 0o600))
		at := time.Now().Add(-time.Hour * time.Duration(age))
		require.NoError(t, os.Chtimes(file, at, at))
	}
	kept := func(info fs.FileInfo) bool { return info.Name() == "running" }
	removed, err := disk.ShrinkOutputs(folder, kept)
	require.NoError(t, err)
	require.Zero(t, removed)

	fill(t, folder, "filler")
	removed, err = disk.ShrinkOutputs(folder, kept)
	require.NoError(t, err)
	assert.Equal(t, 1, removed)
	assert.NoFileExists(t, filepath.Join(outputs, "oldest"))

	fill(t, folder, "another")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "filler"), nil, 0o600))
	require.NoError(t, disk.Low(folder))
}

// Files that may be deleted are named with their size and their folder.
func TestWhatMayGoIsNamed(t *testing.T) {
	folder := t.TempDir()
	assert.Empty(t, disk.Spare(folder))
	write := func(name string, size int) {
		file := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, make([]byte, size), 0o600))
	}
	write("output/A-1.stdout", 5000)
	assert.Equal(t, " (the files in "+folder+"/output, 5 KiB of task output, may be deleted)",
		disk.Spare(folder))
	write("cache/ab/cd", 1)
	write("blobs/ab/cd", 2048)
	assert.Equal(t, " (the files in "+folder+"/output, 5 KiB of task output, and in "+folder+
		"/cache, 1 KiB of copies of inputs, may be deleted; canvass rm frees what ended jobs keep of the 2 KiB in "+
		folder+"/blobs)", disk.Spare(folder))
}

// The ballast is held once, and given up once.
func TestTheBallastIsHeld(t *testing.T) {
	folder := t.TempDir()
	was, err := disk.Release(folder)
	require.NoError(t, err)
	require.False(t, was)
	if disk.Low(folder) != nil {
		t.Skip("the disk of this machine is low")
	}
	for range 2 {
		require.NoError(t, disk.Reserve(folder))
	}
	all, err := os.ReadDir(filepath.Join(folder, "ballast"))
	require.NoError(t, err)
	require.Len(t, all, 16)
	was, err = disk.Release(folder)
	require.NoError(t, err)
	require.True(t, was)
	assert.NoDirExists(t, filepath.Join(folder, "ballast"))
}
