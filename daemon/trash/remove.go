package trash

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"
)

// batchSize is how many names are removed before the sweeper looks around.
const batchSize = 256

// openMode lets the owner of a folder empty it.
const openMode fs.FileMode = 0o700

// Remove removes a file or a folder with its contents. A missing file counts as removed.
func Remove(name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Remove(name); err == nil || !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	if err := empty(name); err != nil {
		return err
	}
	return os.Remove(name)
}

// empty removes all that is in a folder.
func empty(name string) error {
	if err := os.Chmod(name, openMode); err != nil {
		return err
	}
	s, err := newSweep(name)
	if err != nil {
		return err
	}
	defer s.root.Close()
	var failed error
	err = s.all(func(name string, err error) {
		failed = cmp.Or(failed, fmt.Errorf("remove %s: %w", filepath.Join(s.root.Name(), name), err))
	})
	return cmp.Or(failed, err)
}

// sweep removes what is in a folder.
type sweep struct {
	root  *os.Root
	moved int             // folders that have come to the top
	stays map[string]bool // names that could not be removed
	pause func(took time.Duration) (goOn bool)
}

func newSweep(name string) (*sweep, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &sweep{root: root, stays: map[string]bool{}, pause: func(time.Duration) bool { return true }}, nil
}

// errPaused says that a sweep was ended before its end.
var errPaused = errors.New("the sweep has been ended")

// all removes all that can be removed. It reports what stays.
func (s *sweep) all(stays func(name string, err error)) error {
	for {
		removed := 0
		err := s.names(".", s.root, func(name string) error {
			if s.stays[name] {
				return nil
			}
			err := s.top(name)
			if errors.Is(err, errPaused) {
				return err
			}
			if err != nil {
				s.stays[name] = true
				stays(name, err)
			}
			removed++
			return nil
		})
		if err != nil || removed == 0 {
			return err
		}
	}
}

// names calls a function with each name in a folder, in batches.
func (s *sweep) names(name string, root *os.Root, f func(name string) error) error {
	dir, err := root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	for {
		began := time.Now()
		some, err := dir.Readdirnames(batchSize)
		for _, one := range some {
			if err := f(one); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || len(some) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if !s.pause(time.Since(began)) {
			return errPaused
		}
	}
}

// top removes something at the top. The folders in it come to the top.
func (s *sweep) top(name string) error {
	err := s.root.Remove(name)
	if !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	if err := s.root.Chmod(name, openMode); err != nil {
		return err
	}
	folder, err := s.root.OpenRoot(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	var failed error
	err = s.names(".", folder, func(child string) error {
		err := folder.Remove(child)
		if errors.Is(err, syscall.ENOTEMPTY) {
			_ = folder.Chmod(child, openMode) // its other parent is written into it
			s.moved++
			err = s.root.Rename(path.Join(name, child), fmt.Sprintf(".moved-%d-%d", s.moved, time.Now().UnixNano()))
		}
		failed = cmp.Or(failed, err)
		return nil
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	return s.root.Remove(name)
}
