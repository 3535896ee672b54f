//go:build !unix || solaris || illumos || aix

package fileio

import (
	"errors"
	"os"
)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked")

// lock reports that there are no locks: nothing is stale as far as anyone can know.
func lock(*os.File) error { return errors.ErrUnsupported }
