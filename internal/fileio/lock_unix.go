//go:build unix && !solaris && !illumos && !aix

package fileio

import (
	"errors"
	"os"
	"syscall"
)

// errLocked says that another process holds the lock.
var errLocked = syscall.EWOULDBLOCK

// lock locks an open file until it is closed, which the end of the process does too.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
