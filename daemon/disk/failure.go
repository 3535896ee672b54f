package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// ErrStorage says that the disk does not store the bytes written to it, or that the file is
// damaged. The error names the file and the remedy.
var ErrStorage = errors.New("the storage has failed")

// errDamaged says that bytes of the file differ from the written ones.
var errDamaged = errors.New("the file is damaged")

// Failed is an error of a file or folder, or of the disk under it.
func Failed(doing, file string, err error) error {
	if path, is := err.(*fs.PathError); is {
		err = path.Err // it is named already
	}
	return fmt.Errorf("%w: %s %s: %w; %s", ErrStorage, doing, whole(file), err, remedyOf(filepath.Dir(file), err))
}

// whole is a name that is the same in all working folders: clients read it, too.
func whole(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// Damaged is the error for a value that is as it was written, but is not valid for its owner: it is
// of another build.
func Damaged(folder, bucket string, key []byte, err error) error {
	return Failed("reading", fileOf(folder), unusable(bucket, key, err))
}

// Anew is the last remedy, for a folder that cannot be used any more.
const Anew = "move the folder away and join the machine again, as a new node, with canvass node join: " +
	"other daemons have copies of its jobs"

// remedyOf says how to mend an error of a file in a folder.
func remedyOf(folder string, err error) string {
	mends := fileio.Remedy(err)
	switch {
	case isDamage(err):
		return "put back a backup that was made since the daemon last ended, or " + Anew
	case fileio.IsFull(err):
		return mends + Spare(folder) + " and start the daemon again: everything acknowledged is kept"
	case mends != "":
		return mends + ", and start the daemon again"
	}
	return "repair the disk and start the daemon again; if the folder is lost, " + Anew
}

func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || errors.Is(err, bolterrors.ErrInvalid) ||
		errors.Is(err, bolterrors.ErrChecksum) || errors.Is(err, bolterrors.ErrVersionMismatch)
}

// guarded reports damage as an error: bbolt panics when it reads invalid pages, and a
// read beyond the end of a file that was cut off is a fault. While calling is true, f runs code of
// the caller: a panic of that is a mistake of this program, and goes on with its stack.
func guarded(calling *bool, f func() error) (panicked bool, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if *calling {
			return
		}
		switch what := recover().(type) {
		case nil:
		case runtime.Error: // its text is about this program
			panicked, err = true, fmt.Errorf("%w: a page cannot be read", errDamaged)
		default:
			panicked, err = true, fmt.Errorf("%w: %v", errDamaged, what)
		}
	}()
	return false, f()
}

// guarded is the guard of an open store. After a panic bbolt may still hold its locks, so nothing
// more is asked of it: all that follows is the same error.
func (s *Store) guarded(calling *bool, f func() error) error {
	if broken := s.broken.Load(); broken != nil {
		return *broken
	}
	panicked, err := guarded(calling, f)
	if panicked {
		s.broken.Store(&err)
	}
	return err
}

// walk reads all of the file that is in use. All values have checksums; in the structures of bbolt,
// most damage shows as keys out of order or as unreadable pages.
func walk(tx *bbolt.Tx) error {
	return tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
		var last []byte
		return bucket.ForEach(func(key, stored []byte) error {
			if _, err := unsealed(string(name), key, stored); err != nil {
				return err
			}
			if last != nil && string(last) >= string(key) {
				return fmt.Errorf("%w: the keys of %s are not in order", errDamaged, name)
			}
			last = key
			return nil
		})
	})
}
