package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// Ballast is space on the disk of a folder that is held while there is enough, and given up when
// there is none: a store on a full disk can go on, or begin, and forget records that are not
// needed. It consists of several files, so that inodes are held, too.
const (
	ballastFolder = "ballast"
	ballastFiles  = 16
	ballastBytes  = 8 << 20
	ballastPart   = 32 // or this part of a disk, if that is less
)

// Reserve holds the ballast of a folder, if that leaves the disk with enough space for all else.
// It is done already if the ballast is there.
func Reserve(folder string) error {
	var of syscall.Statfs_t
	if err := syscall.Statfs(folder, &of); err != nil {
		return err
	}
	left, size := sizes(&of)
	bytes := min(ballastBytes, size/ballastPart)
	ballast := filepath.Join(folder, ballastFolder)
	if all, err := os.ReadDir(ballast); err == nil && len(all) == ballastFiles {
		return nil
	}
	if left < leastOf(size)+2*bytes || lowFiles(&of, folder) != nil {
		return nil
	}
	if err := os.MkdirAll(ballast, 0o700); err != nil {
		return err
	}
	for i := range ballastFiles {
		if err := hold(filepath.Join(ballast, strconv.Itoa(i)), int64(bytes/ballastFiles)); err != nil {
			_, failed := Release(folder)
			return errors.Join(fmt.Errorf("reserve space: %w", err), failed)
		}
	}
	return nil
}

// hold makes a file whose blocks are taken.
func hold(name string, size int64) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = allocate(f, size)
	if errors.Is(err, errors.ErrUnsupported) {
		_, err = f.Write(make([]byte, size))
	}
	return errors.Join(err, f.Close())
}

// Release gives the ballast of a folder up, and reports whether there was any.
func Release(folder string) (was bool, err error) {
	ballast := filepath.Join(folder, ballastFolder)
	all, err := os.ReadDir(ballast)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return len(all) > 0, errors.Join(err, os.RemoveAll(ballast))
}

// withoutSpace reports whether a write has failed for want of space before anything was flushed:
// then it can be tried again. An fsync that has failed cannot.
func withoutSpace(err error) bool {
	var of *fs.PathError
	return errors.As(err, &of) && of.Op == "write" && fileio.IsFull(err)
}
