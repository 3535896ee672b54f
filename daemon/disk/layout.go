package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// The other names in the folder of a daemon, which are no files of keys.
const (
	storeFile = "canvass.db"
	Socket    = "api.sock"
	Flight    = "flight" // the record of the steps of the cores
	Tasks     = "tasks"  // which tasks run
	Work      = "work"   // working folders of tasks
	Fences    = "fences.json"
)

// layout lists the files that the daemon makes in its folder, with their kinds, and the remedy if
// something else is in their place. The working folders are not listed: the daemon starts in spite
// of anything a job has done to them.
var layout = []struct {
	name string
	kind fs.FileMode // of type
	then string
}{
	{"", fs.ModeDir, "name the folder of a daemon with --data"},
	{storeFile, 0, "put it back from a backup that was made since the daemon last ended, or " + Anew},
	{Kept, fs.ModeDir, "put the folder back from a backup; without one the daemon starts, and lacks what was in it"},
	{Cache, fs.ModeDir, remade},
	{Outputs, fs.ModeDir, remade},
	{Flight, fs.ModeDir, remade},
	{Tasks, fs.ModeDir, remade},
	{filepath.Join(Tasks, "lock"), 0, remade},
	{ballastFolder, fs.ModeDir, remade},
	{Fences, 0, remade},
	{Socket, fs.ModeSocket, remade},
}

const remade = "the daemon makes a new one"

// Check demands that all that the daemon makes in its folder is of its kind, or not there, and that
// it can be read and written. The error names the first that is not, and the remedy.
func Check(folder string) error {
	for _, of := range layout {
		path := filepath.Join(folder, of.name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			if _, there := os.Lstat(path); there == nil {
				return misplaced(path, of.kind, "a symbolic link that leads nowhere", of.then)
			}
			continue
		}
		if err == nil && info.Mode().Type() != of.kind {
			return misplaced(path, of.kind, fileio.KindOf(info.Mode()), of.then)
		}
		if err == nil {
			err = usable(path, of.kind)
		}
		if err != nil {
			return Failed("using", path, err)
		}
	}
	return nil
}

func misplaced(path string, want fs.FileMode, is, then string) error {
	return fmt.Errorf("%w: %s is not %s, but %s; move it away: %s", ErrStorage, whole(path), fileio.KindOf(want), is, then)
}

// usable reports why this process cannot read and write a file, or work in a folder.
func usable(path string, kind fs.FileMode) error {
	mode := uint32(unix.R_OK | unix.W_OK)
	if kind.IsDir() {
		mode |= unix.X_OK
	}
	for {
		err := unix.Faccessat(unix.AT_FDCWD, path, mode, unix.AT_EACCESS)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
