package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrName says that a file has a name which does not fit what it is to hold.
var ErrName = errors.New("its name must end")

// Ready makes sure, before the work whose result goes to a file, that it can be written there. The
// name must have one of the endings, if there are any. It makes the folder, and leaves the file as
// it is. A pipe or a device is ready under any name. The error names the problem, not the path.
func Ready(path string, endings ...string) error {
	switch about, err := os.Stat(path); {
	case err == nil && about.IsDir():
		return errors.New("it is a folder")
	case err == nil && !about.Mode().IsRegular():
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR): // a loop of links
		return err.(*fs.PathError).Err
	}
	if !hasOne(path, endings) {
		return fmt.Errorf("%w in %s", ErrName, strings.Join(endings, " or "))
	}
	folder := filepath.Dir(path)
	for above := folder; ; above = filepath.Dir(above) {
		about, err := os.Stat(above)
		if err == nil && !about.IsDir() {
			return fmt.Errorf("%s is not a folder", above)
		}
		if err == nil || above == filepath.Dir(above) {
			break
		}
	}
	err := os.MkdirAll(folder, 0o777)
	if err == nil {
		err = Probe(path)
	}
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err // without the name of a file that only the probe has
	}
	if err != nil {
		return fmt.Errorf("no file can be written there: %w", err)
	}
	return nil
}

func hasOne(path string, endings []string) bool {
	for _, e := range endings {
		if strings.HasSuffix(path, e) {
			return true
		}
	}
	return len(endings) == 0
}
