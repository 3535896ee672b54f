package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// UsableFolder finds out whether files can be written to the folder of a flag, before the work
// begins. A folder that does not exist yet need not be made for that: it can be if the closest
// folder above it can be written to.
func UsableFolder(flag, path string) error {
	if path == "" {
		return nil
	}
	existing, err := filepath.Abs(path)
	for err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(existing); err == nil {
			if !info.IsDir() {
				return fmt.Errorf("--%s %s: %s is not a folder; choose another one", flag, path, existing)
			}
			break
		}
		if above := filepath.Dir(existing); errors.Is(err, fs.ErrNotExist) && above != existing {
			existing, err = above, nil
		}
		if errors.Is(err, syscall.ENOTDIR) { // a file stands in the way, further up
			existing, err = filepath.Dir(existing), nil
		}
	}
	if err == nil {
		err = fileio.Probe(filepath.Join(existing, "probe"))
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err // without the name of a file that only the probe has
	}
	if err != nil {
		return fmt.Errorf("--%s %s: no file can be written there: %w; choose another folder", flag, path, err)
	}
	return nil
}

// MakeFolder creates the folder of a flag if it is missing, and checks that it is writable.
func MakeFolder(flag, path string) error {
	if err := UsableFolder(flag, path); err != nil || path == "" {
		return err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return fmt.Errorf("--%s %s: %w; choose another folder", flag, path, err)
	}
	return UsableFolder(flag, path)
}

// ReadyFile makes sure, before the work begins, that the file of a flag can be written, and that
// the command neither reads nor writes it already. It makes the folder of the file.
func ReadyFile(g *Guard, flag, path string, endings ...string) error {
	if path == "" {
		return nil
	}
	if err := g.Writes("--"+flag, path); err != nil {
		return err
	}
	if err := fileio.Ready(path, endings...); err != nil {
		return fileError("--"+flag, path, err)
	}
	return nil
}

// fileError is about the file of a flag that [fileio.Ready] refuses. A name that does not fit is
// a mistake on the command line.
func fileError(flag, path string, err error) error {
	if errors.Is(err, fileio.ErrName) {
		return Usagef("%s %s: %v; choose another file", flag, path, err)
	}
	return fmt.Errorf("%s %s: %w; choose another file", flag, path, err)
}

// RemoveReport removes the report of an earlier run once all inputs have been read: it must not
// pass for the new one.
func RemoveReport(path string) error {
	if path == "" {
		return nil
	}
	if about, err := os.Stat(path); err != nil || !about.Mode().IsRegular() {
		return nil // a device stays, and so does a pipe
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("--junit %s: remove the report of an earlier run: %w", path, err)
	}
	return nil
}
