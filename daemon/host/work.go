package host

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/trash"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// Folders are the working folders of a daemon.
type Folders struct {
	root string // all of them are in it
	log  *slog.Logger
	gone *trash.Bin // nil: there can be none
}

// OpenFolders removes the working folders of earlier incarnations. The daemon starts in any
// state in which a job has left them.
func OpenFolders(folder string, log *slog.Logger) *Folders {
	f := &Folders{root: filepath.Join(folder, disk.Work), log: log}
	if info, err := os.Stat(f.root); err == nil && !info.IsDir() {
		_ = os.Remove(f.root) // if that fails, the next step does
	}
	_ = os.Chmod(f.root, 0o700)
	bin, err := trash.Open(filepath.Join(f.root, goneFolder), f.stays)
	if err != nil {
		f.stays(f.root, err)
		return f
	}
	f.gone = bin
	all, err := os.ReadDir(f.root)
	if err != nil {
		f.stays(f.root, err)
	}
	for _, one := range all {
		if one.Name() != goneFolder {
			f.drop(filepath.Join(f.root, one.Name()))
		}
	}
	return f
}

// drop has a folder removed.
func (f *Folders) drop(name string) {
	if err := f.gone.Drop(name); err != nil {
		f.stays(name, err)
	}
}

// Clear drops the working folder of an attempt. The removal runs beside the goroutine of the node:
// it may take longer than a lease.
func (f *Folders) Clear(attempt string) {
	if f.gone == nil {
		return // the start has said why
	}
	f.drop(filepath.Join(f.root, attempt))
	f.drop(filepath.Dir(f.Of(attempt)))
}

// Close ends the removals.
func (f *Folders) Close() {
	if f.gone != nil {
		f.gone.Close()
	}
}

// goneFolder is where working folders go that are removed, and ownFolders where they are. No
// attempt is called so.
const (
	goneFolder = ".gone"
	ownFolders = ".own"
)

// stays says that a working folder is not removed.
func (f *Folders) stays(folder string, err error) {
	f.log.Warn("a working folder stays; remove it by hand", "folder", folder, "error", err)
}

// Of is the working folder of an attempt. It is alone in a folder that its task sees, too:
// a task may remove it, which it could not do with a folder that is mounted for it.
func (f *Folders) Of(attempt string) string {
	return filepath.Join(f.root, ownFolders, attempt, attempt)
}

// link leads people to the working folder of an attempt.
func (f *Folders) link(attempt string) {
	err := os.Symlink(filepath.Join(ownFolders, attempt, attempt), filepath.Join(f.root, attempt))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		f.log.Warn("no link leads to a working folder", "folder", f.Of(attempt), "error", err)
	}
}

// Lay puts files into the working folder of an attempt.
func (f *Folders) Lay(attempt string, all []blobs.Entry, open func(string) (io.ReadCloser, error)) error {
	return blobs.Lay(f.Of(attempt), all, open, nil)
}

// Collect lists the files that an attempt has left.
func (f *Folders) Collect(ctx context.Context, attempt string, wanted blobs.Wanted) blobs.Found {
	return blobs.Collect(ctx, f.Of(attempt), wanted)
}

// OpenFile opens one of them.
func (f *Folders) OpenFile(attempt, name string) (io.ReadSeekCloser, error) {
	root, err := blobs.OpenFolder(f.Of(attempt))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, _, err := fileio.Below(root, name)
	if err != nil {
		return nil, err
	}
	return file, nil
}
